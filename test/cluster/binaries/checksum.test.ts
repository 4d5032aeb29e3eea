// Checksums as projects publish them, and of files on disk.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { githubChecksum, publishedChecksum, sha256OfFile } from '../../../src/cluster/binaries/checksum.ts';
import { Scratch } from './fixture.ts';
import { sha256 } from './mirror.ts';

const a = sha256('a');
const b = sha256('b');

describe('a published checksum', () => {
  it.each([
    { name: 'the bare hash', text: a, found: a },
    { name: 'a hash with a newline', text: `${a}\n`, found: a },
    { name: 'capital letters', text: a.toUpperCase(), found: a },
    { name: 'a list', text: `${b}  other.tar.gz\n${a}  etcd.tar.gz\n`, found: a },
    { name: 'a list of binary mode', text: `${b} *other.tar.gz\n${a} *etcd.tar.gz\n`, found: a },
    { name: 'a list without the file', text: `${b}  other.tar.gz\n`, found: undefined },
    { name: 'a name that only starts alike', text: `${b}  etcd.tar.gz.asc\n`, found: undefined },
    { name: 'a hash that is cut', text: a.slice(0, 60), found: undefined },
    { name: 'a web page', text: '<html>log in first</html>', found: undefined },
    { name: 'nothing', text: '', found: undefined },
  ])('is found or not in $name', ({ text, found }) => {
    expect(publishedChecksum(text, 'etcd.tar.gz')).toBe(found);
  });

  it.each([
    {
      name: 'its digest',
      text: {
        assets: [
          { name: 'x', digest: `sha256:${b}` },
          { name: 'kwok', digest: `sha256:${a}` },
        ],
      },
      found: a,
    },
    { name: 'no digest', text: { assets: [{ name: 'kwok', digest: null }] }, found: undefined },
    { name: 'another algorithm', text: { assets: [{ name: 'kwok', digest: `sha512:${a}` }] }, found: undefined },
    { name: 'other assets', text: { assets: [{ name: 'x', digest: `sha256:${a}` }] }, found: undefined },
    { name: 'no assets', text: { message: 'Not Found' }, found: undefined },
  ])("is found or not in GitHub's description with $name", ({ text, found }) => {
    expect(githubChecksum(JSON.stringify(text), 'kwok')).toBe(found);
  });

  it('is not found in a web page that comes instead of the description', () => {
    expect(githubChecksum('<html>log in first</html>', 'kwok')).toBeUndefined();
  });
});

describe('the checksum of a file', () => {
  it('covers every byte of a file larger than one read', async () => {
    await using scratch = await Scratch.create();
    const content = Buffer.alloc(3_000_001, 'embedded');
    await writeFile(join(scratch.path, 'file'), content);
    expect(await sha256OfFile(join(scratch.path, 'file'))).toBe(sha256(content));
  });
});
