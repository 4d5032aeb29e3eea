// Debian packages that some tests need: container tools, an emulator, a container runtime.
// With CI=true, as root, missing packages are installed. On a person's machine nothing is installed: the missing packages are
// named, and the caller skips its tests and says why.

import { execFile } from 'node:child_process';
import { describe } from '@jest/globals';

/** Whether the packages are there, or why they are not. */
export type SystemPackages = { readonly ok: true } | { readonly ok: false; readonly because: string };

/** Checks for Debian packages, and installs what is missing where that is allowed. */
export async function ensureSystemPackages(packages: readonly string[]): Promise<SystemPackages> {
  const missing = await missingOf(packages);
  if (missing.length === 0) return { ok: true };
  const names = missing.join(' ');
  if (process.env.CI !== 'true') {
    return { ok: false, because: `${names} not installed (apt-get install ${names}; with CI=true tests install it)` };
  }
  if (process.getuid?.() !== 0) return { ok: false, because: `${names} not installed, and only root can install it` };
  const failure = await install(missing);
  return failure === undefined ? { ok: true } : { ok: false, because: `cannot install ${names}: ${failure}` };
}

/** `describe` where the packages are there; elsewhere a skipped one, and one line that says what is not tested and why. */
export function describeWith(packages: SystemPackages, name: string, tests: () => void): void {
  if (packages.ok) {
    describe(name, tests);
    return;
  }
  process.stderr.write(`Not tested: ${name}: ${packages.because}\n`);
  describe.skip(name, tests);
}

async function missingOf(packages: readonly string[]): Promise<string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a format of dpkg-query
  const format = '${db:Status-Status} ${Package}\n';
  const installed = await run('dpkg-query', ['--show', '--showformat', format, ...packages]);
  const lines = new Set(installed.stdout.split('\n'));
  return packages.filter((name) => !lines.has(`installed ${name}`));
}

/** One process at a time: apt-get fails while another one holds its lists. Services of the packages are not started. */
async function install(packages: readonly string[]): Promise<string | undefined> {
  const script = 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@"';
  const lock = '/tmp/mydeployment-system-packages.lock';
  const { failed, stderr } = await run('flock', [lock, 'sh', '-c', script, 'sh', ...packages]);
  return failed ? (stderr.trim().split('\n').at(-1) ?? 'apt-get failed') : undefined;
}

interface Ran {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return new Promise((resolve) => {
    execFile(command, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr: stderr || (error?.message ?? '') }),
    );
  });
}
