// `npm run image:refresh`: pins the versions of Debian's libraries that its archive serves now, and the Node of package.json.
// apt-get finds the libraries and checks the archive's signature; it runs with lists, cache and sources of its own, so the
// configuration of the machine's apt stays as it is.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { CommandFailed, run } from '../cluster/binaries/run.ts';
import { ARCHITECTURES, sha256Of } from '../oci/image.ts';
import { debianUrl } from './debian-archive.ts';
import { npmPack } from './parts.ts';
import { DEBIAN_PACKAGES, DEBIAN_SUITE, type DebianPin, NODE_PACKAGES, type NodePin, type Pins } from './pins.ts';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const NEEDS =
  `image:refresh looks up ${DEBIAN_PACKAGES.join(', ')} with apt-get and debian-archive-keyring. Without them, run it in a\n` +
  'Debian container, e.g. after apt-get update && apt-get install debian-archive-keyring in\n' +
  '  docker run --rm -it -v "$PWD":/work -w /work node:24-slim bash\n' +
  '`make image` needs neither: it fetches the pinned versions itself.';

/** Makes a folder for apt-get's state, and returns the options with which apt-get uses it. */
async function privateApt(folder: string, url: string): Promise<string[]> {
  await Promise.all(
    ['lists/partial', 'cache/archives/partial'].map((path) => mkdir(join(folder, path), { recursive: true })),
  );
  const suites = [
    `${url}/debian ${DEBIAN_SUITE}`,
    `${url}/debian ${DEBIAN_SUITE}-updates`,
    `${url}/debian-security ${DEBIAN_SUITE}-security`,
  ];
  await writeFile(
    join(folder, 'sources.list'),
    suites.map((suite) => `deb [signed-by=${KEYRING}] ${suite} main\n`).join(''),
  );
  await writeFile(join(folder, 'status'), '');
  return [
    `Dir::State=${folder}`,
    `Dir::State::lists=${folder}/lists`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache=${folder}/cache`,
    `Dir::Etc::sourcelist=${folder}/sources.list`,
    'Dir::Etc::sourceparts=-',
    'APT::Sandbox::User=root',
    'APT::Get::List-Cleanup=false',
    ...ARCHITECTURES.map((architecture) => `APT::Architectures::=${architecture}`),
  ].flatMap((option) => ['-o', option]);
}

/** What Debian serves now: the newest version of each package in the release, its updates and its security updates. */
async function debianPins(url: string): Promise<DebianPin[]> {
  const folder = await mkdtemp(join(tmpdir(), 'image-refresh-'));
  try {
    const apt = await privateApt(folder, url);
    await run('apt-get', [...apt, 'update', '-q'], { environment: process.env });
    const wanted = ARCHITECTURES.flatMap((arch) => DEBIAN_PACKAGES.map((name) => `${name}:${arch}`));
    const uris = await run('apt-get', [...apt, 'download', '--print-uris', ...wanted], { environment: process.env });
    return uris
      .trim()
      .split('\n')
      .map((line) => debianPin(line, url))
      .sort(byName);
  } catch (error) {
    if (error instanceof CommandFailed) throw new Error(`${error.message}\n${NEEDS}`, { cause: error });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a line of apt-get: 'http://host/debian/pool/main/g/glibc/libc6_2.41-12%2bdeb13u4_arm64.deb' file size SHA256:… */
function debianPin(line: string, url: string): DebianPin {
  const [, uri = '', sha256 = ''] = /^'(.+)' \S+ \d+ SHA256:([0-9a-f]{64})$/.exec(line) ?? [];
  const [, archive = '', path = ''] = /^\/([^/]+)\/(.+)$/.exec(decodeURIComponent(uri.slice(url.length))) ?? [];
  const [name = '', version = '', arch] =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.deb$/, '')
      .split('_') ?? [];
  const architecture = ARCHITECTURES.find((known) => known === arch);
  if (architecture === undefined) throw new Error(`apt-get named no package: ${line}`);
  return { name, version, architecture, archive, path, sha256 };
}

async function nodePins(): Promise<NodePin[]> {
  const { node: version } = packageJson.devDependencies;
  return Promise.all(
    ARCHITECTURES.map(async (architecture) => {
      const name = NODE_PACKAGES[architecture];
      const folder = await mkdtemp(join(tmpdir(), 'image-refresh-'));
      try {
        const archive = await npmPack(`${name}@${version}`, folder, process.env);
        return { name, version, architecture, sha256: sha256Of(await readFile(archive)) };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
  );
}

function byName(a: DebianPin, b: DebianPin): number {
  return a.name.localeCompare(b.name, 'en') || a.architecture.localeCompare(b.architecture, 'en');
}

async function refresh(): Promise<void> {
  const pins: Pins = {
    suite: DEBIAN_SUITE,
    debian: await debianPins(await debianUrl(process.env)),
    node: await nodePins(),
  };
  await writeFile('src/image/pins.json', `${JSON.stringify(pins, undefined, 2)}\n`);
  for (const { name, version, architecture } of [...pins.node, ...pins.debian]) {
    console.log(`  - ${name} ${version} (${architecture})`);
  }
}

await refresh().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
