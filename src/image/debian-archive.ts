// Where Debian's archives are served: at the address that MYDEPLOYMENT_DEBIAN_URL names, or where the apt of this machine
// gets its packages. On a machine without apt the variable is needed.

import { run } from '../cluster/binaries/run.ts';

const ARCHIVE = /^(https?:\/\/.+)\/debian\/?$/;

/** The address below which `debian/` and `debian-security/` are. */
export async function debianUrl(env: NodeJS.ProcessEnv): Promise<string> {
  const { MYDEPLOYMENT_DEBIAN_URL: named } = env;
  if (named) return named.replace(/\/+$/, '');
  const targets = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const uris = await run('apt-get', targets, { environment: env }).catch(() => '');
  const found = uris.split('\n').find((uri) => ARCHIVE.test(uri));
  if (found === undefined) {
    throw new Error(
      'the C and C++ libraries of the image come from Debian, and apt-get does not say where one is served here.\n' +
        'MYDEPLOYMENT_DEBIAN_URL names a mirror that has debian/ and debian-security/.',
    );
  }
  return found.replace(ARCHIVE, '$1');
}
