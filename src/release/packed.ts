// What npm packed, without what depends on the machine: npm keeps the modes of the files, and these follow the umask under which they
// were cloned and built.

import { gunzipSync } from 'node:zlib';
import { readTar } from '../oci/tar.ts';
import type { Entry } from '../oci/tree.ts';

/** The entries of a tarball of npm; every user may read a file, and run it if its owner could. */
export function packedEntries(tarball: Buffer): Entry[] {
  return readTar(gunzipSync(tarball)).map((entry) =>
    entry.type === 'file' ? { ...entry, mode: entry.mode & 0o100 ? 0o755 : 0o644 } : entry,
  );
}
