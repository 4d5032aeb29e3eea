import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { writeTar } from '../../src/oci/tar.ts';
import { type Entry, file } from '../../src/oci/tree.ts';
import { packedEntries } from '../../src/release/packed.ts';

const files = (text: number, program: number): Entry[] => [
  file('package/README.md', 'read me', text),
  file('package/main.js', '#!/usr/bin/env node', program),
];
const packed = (text: number, program: number): Entry[] => packedEntries(gzipSync(writeTar(files(text, program))));

it.each([
  { umask: '022', text: 0o644, program: 0o755 },
  { umask: '002', text: 0o664, program: 0o775 },
  { umask: '077', text: 0o600, program: 0o700 },
])('a tarball is the same for who works with umask $umask', ({ text, program }) => {
  expect(packed(text, program).filter(({ type }) => type === 'file')).toEqual(files(0o644, 0o755));
});
