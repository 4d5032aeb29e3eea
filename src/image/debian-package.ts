// Reads a Debian package: an `ar` archive that holds, among others, a compressed tar archive with the package's files.

import xz from 'xz-decompress';
import { readTar } from '../oci/tar.ts';
import type { Entry } from '../oci/tree.ts';

const MAGIC = '!<arch>\n';
const HEADER = 60;

/** The files that the package installs. */
export async function debianFiles(archive: Buffer): Promise<Entry[]> {
  const data = membersOf(archive).get('data.tar.xz');
  if (data === undefined) throw new Error('a Debian package without data.tar.xz');
  const stream = new xz.XzReadableStream(new Blob([new Uint8Array(data)]).stream());
  return readTar(Buffer.from(await new Response(stream).arrayBuffer()));
}

function membersOf(archive: Buffer): Map<string, Buffer> {
  if (archive.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('not a Debian package: no ar archive');
  const members = new Map<string, Buffer>();
  for (let at = MAGIC.length; at + HEADER <= archive.length; ) {
    const name = archive
      .toString('latin1', at, at + 16)
      .trim()
      .replace(/\/$/, '');
    const size = Number(archive.toString('latin1', at + 48, at + 58));
    members.set(name, archive.subarray(at + HEADER, at + HEADER + size));
    at += HEADER + size + (size % 2);
  }
  return members;
}
