import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTar, writeTar } from '../../src/oci/tar.ts';
import { type Entry, file, treeOf } from '../../src/oci/tree.ts';

const name = fc.stringMatching(/^[a-z0-9+_.-]{1,12}$/).filter((text) => !/^\.+$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    type: fc.constant('file' as const),
    path,
    mode: fc.constantFrom(0o644, 0o755),
    content: fc.uint8Array({ maxLength: 1_100 }).map((bytes) => Buffer.from(bytes)),
  }),
  fc.record({ type: fc.constant('symlink' as const), path, target: path }),
);
/** Trees in which no file has the path of a folder. */
const entries = fc
  .uniqueArray(entry, { selector: ({ path }) => path, maxLength: 12 })
  .filter((all) => all.every(({ path }) => !all.some((other) => other.path.startsWith(`${path}/`))));

describe('a tar archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives back what was written, with the folders', () => {
    fc.assert(fc.property(entries, (all) => expect(readTar(writeTar(all))).toEqual(treeOf(all))));
  });

  it('is the same for the same entries in any order', () => {
    const shuffled = entries.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(fc.property(shuffled, ([all, other]) => expect(writeTar(other).equals(writeTar(all))).toBe(true)));
  });

  it('is read by tar, with root as the owner and the time 0', () => {
    writeFileSync(
      join(folder, 'ours.tar'),
      writeTar([file('a/b.txt', 'text', 0o755), { type: 'symlink', path: 'link', target: 'a/b.txt' }]),
    );
    const list = execFileSync('tar', [
      '--list',
      '--verbose',
      '--numeric-owner',
      '--utc',
      '-f',
      join(folder, 'ours.tar'),
    ]);
    expect(list.toString().trim().split('\n')).toEqual([
      'drwxr-xr-x 0/0               0 1970-01-01 00:00 a/',
      '-rwxr-xr-x 0/0               4 1970-01-01 00:00 a/b.txt',
      'lrwxrwxrwx 0/0               0 1970-01-01 00:00 link -> a/b.txt',
    ]);
  });

  it.each(['gnu', 'pax', 'ustar'])('that tar writes in the format %s is read, long names included', (format) => {
    const root = join(folder, format);
    const long = `${'folder-with-a-long-name/'.repeat(5)}file-with-a-name-of-its-own`;
    mkdirSync(join(root, long, '..'), { recursive: true });
    writeFileSync(join(root, long), 'text', { mode: 0o644 });
    symlinkSync('target', join(root, 'link'));
    const archive = execFileSync('tar', ['--create', `--format=${format}`, '-C', root, '.']);
    const read = readTar(archive).filter(({ type }) => type !== 'directory');
    expect(treeOf(read)).toEqual(treeOf([file(long, 'text'), { type: 'symlink', path: 'link', target: 'target' }]));
  });

  it('refuses a path that does not fit, instead of cutting it', () => {
    expect(() => writeTar([file('x'.repeat(101), '')])).toThrow('longer than the 100 bytes');
  });

  it('refuses a path that comes twice', () => {
    expect(() => writeTar([file('a', '1'), file('a', '2')])).toThrow('a is twice in a file tree');
  });
});
