// Whoever gets a bundle gets the licence of every package in it. What is in it is taken from esbuild's own account.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { buildBundle } from '../../src/build/bundle.ts';
import { thirdPartyLicenses } from '../../src/build/licenses.ts';

const folder = mkdtempSync(join(tmpdir(), 'licenses-'));
afterAll(() => rmSync(folder, { recursive: true }));

const installed: Readonly<Record<string, { readonly version: string }>> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;

/** The package that a file is of, as npm has installed it. */
function packageOf(path: string): string {
  const holders = Object.keys(installed).filter((each) => each !== '' && path.startsWith(`${each}/`));
  return holders.reduce((one, other) => (one.length > other.length ? one : other), '');
}

/** An account of a build that used these files; no bytes of those with 0. */
function accountOf(files: Readonly<Record<string, number>>): Metafile {
  const inputs = Object.entries(files).map(([path, bytesInOutput]) => [path, { bytesInOutput }]);
  return { inputs: {}, outputs: { 'out.js': { inputs: Object.fromEntries(inputs) } } } as unknown as Metafile;
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A package with a file, and with these files of licences. */
function pack(name: string, licenses: Readonly<Record<string, string>>): string {
  const top = join(folder, 'node_modules', name);
  write(join(top, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
  for (const [file, text] of Object.entries(licenses)) write(join(top, file), text);
  return write(join(top, 'lib', 'other', 'index.js'), '');
}

describe.each(['src/main.ts', 'src/kubectl/main.ts'])('the bundle of %s', (entry) => {
  it('comes with the licence of every package in it', async () => {
    const out = join(folder, entry);
    const { outputs } = await buildBundle(entry, join(out, 'program.mjs'));
    const licenses = readFileSync(join(out, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    const paths = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const packages = new Set(paths.filter((path) => path.startsWith('node_modules/')).map(packageOf));
    expect(packages.size).toBeGreaterThan(10);
    for (const each of packages) {
      const name = each.replace(/^.*node_modules\//, '');
      expect(licenses).toContain(`\n${name} ${installed[each]?.version} (`);
    }
    const client = readFileSync('node_modules/@kubernetes/client-node/LICENSE', 'utf8').trim();
    expect(licenses).toContain(client);
  });
});

describe('the licences of a bundle', () => {
  it('are those of the packages, and of what these have of others, by name', () => {
    const files = {
      [pack('b', { 'LICENSE.md': 'be good', 'lib/other/COPYING': 'be kind' })]: 9,
      [pack('@a/a', { licence: 'hello', NOTICE: 'by a' })]: 1,
    };
    const text = thirdPartyLicenses(accountOf(files));
    expect(text).toMatch(/@a\/a 1\.2\.3 \(MIT\)\n\nby a\n\nhello\n=+\nb 1\.2\.3 \(MIT\)\n\nbe good\n\nbe kind$/);
  });

  it('are not those of files that left nothing in it, nor our own', () => {
    const text = thirdPartyLicenses(
      accountOf({ [pack('unused', { LICENSE: 'no' })]: 0, 'src/main.ts': 100, 'undici:sockets': 7 }),
    );
    expect(text).not.toContain('unused');
  });

  it('must be there: a package without one is not given away', () => {
    const file = pack('nameless', { 'license.js': 'code' });
    expect(() => thirdPartyLicenses(accountOf({ [file]: 1 }))).toThrow(
      'nameless@1.2.3 has no file with its licence (MIT)',
    );
  });
});
