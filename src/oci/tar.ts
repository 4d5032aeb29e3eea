// Tar archives as bytes: reads those that Debian and npm make, writes one that depends on nothing but its entries.
// Every written entry belongs to root and has the time 0, so the same tree is always the same archive.

import { type Entry, treeOf } from './tree.ts';

const BLOCK = 512;
const TYPES = { file: '0', symlink: '2', directory: '5' } as const;

/** The archive of a tree, its entries sorted and its folders complete. */
export function writeTar(entries: readonly Entry[]): Buffer {
  const blocks = treeOf(entries).flatMap((entry) => {
    const content = entry.type === 'file' ? entry.content : Buffer.alloc(0);
    return [header(entry, content.length), content, Buffer.alloc(padding(content.length))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The files, folders and symbolic links of an archive; other kinds of entries are left out. */
export function readTar(archive: Buffer): Entry[] {
  const entries: Entry[] = [];
  let long: LongNames = {};
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const block = archive.subarray(at, at + BLOCK);
    const size = octal(block, 124, 12);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + size + padding(size);
    const type = String.fromCharCode(block[156] ?? 0);
    const names = longNames(type, content);
    if (names === undefined) {
      entries.push(...entryOf(type, block, content, long));
      long = {};
    } else {
      long = { ...long, ...names };
    }
  }
  return entries;
}

/** Names that do not fit into a header; they come in an entry of their own before the entry that they belong to. */
interface LongNames {
  readonly path?: string;
  readonly target?: string;
}

function longNames(type: string, content: Buffer): LongNames | undefined {
  switch (type) {
    case 'L': // As GNU tar writes it.
      return { path: text(content, 0, content.length) };
    case 'K':
      return { target: text(content, 0, content.length) };
    case 'x': // As POSIX has it: records such as `19 path=some/thing\n`.
      return paxNames(content.toString());
    case 'g': // For all entries: times and comments, never a name.
      return {};
    default:
      return undefined;
  }
}

function paxNames(records: string): LongNames {
  const path = /^\d+ path=(.*)$/m.exec(records)?.[1];
  const target = /^\d+ linkpath=(.*)$/m.exec(records)?.[1];
  return { ...(path === undefined ? {} : { path }), ...(target === undefined ? {} : { target }) };
}

function entryOf(type: string, block: Buffer, content: Buffer, long: LongNames): Entry[] {
  const prefix = text(block, 345, 155);
  const name = long.path ?? (prefix === '' ? text(block, 0, 100) : `${prefix}/${text(block, 0, 100)}`);
  const path = name.replace(/^\.?\/+|^\.$/, '').replace(/\/+$/, '');
  if (path === '') return []; // The root itself.
  switch (type) {
    case '0':
    case '\0':
      return [{ type: 'file', path, mode: octal(block, 100, 8) & 0o777, content }];
    case '2':
      return [{ type: 'symlink', path, target: long.target ?? text(block, 157, 100) }];
    case '5':
      return [{ type: 'directory', path }];
    default:
      return [];
  }
}

function header(entry: Entry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const put = (value: string, at: number, length: number): void => {
    if (Buffer.byteLength(value) > length)
      throw new Error(`${value} is longer than the ${length} bytes a tar entry has`);
    block.write(value, at);
  };
  put(entry.type === 'directory' ? `${entry.path}/` : entry.path, 0, 100);
  put(digits(entry.type === 'file' ? entry.mode : entry.type === 'symlink' ? 0o777 : 0o755, 7), 100, 8);
  put(digits(0, 7), 108, 8); // Owner and group: root.
  put(digits(0, 7), 116, 8);
  put(digits(size, 11), 124, 12);
  put(digits(0, 11), 136, 12); // Time of change.
  put(TYPES[entry.type], 156, 1);
  if (entry.type === 'symlink') put(entry.target, 157, 100);
  put('ustar\x0000', 257, 8);
  // The checksum counts its own eight bytes as blanks.
  block.fill(' ', 148, 156);
  put(
    `${digits(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
    8,
  );
  return block;
}

function digits(value: number, length: number): string {
  return value.toString(8).padStart(length, '0');
}

function octal(block: Buffer, at: number, length: number): number {
  return Number.parseInt(text(block, at, length).trim() || '0', 8);
}

function text(bytes: Buffer, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
