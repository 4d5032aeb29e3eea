// Counts what a contender asked of the API server, from the server's own audit log, which has every request.
// Writes, Events among them, are what the aims speak of. Reads, renewals of a Lease and dry runs, which store nothing,
// are counted apart.

import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join, parse as parsePath } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

export interface Requests {
  /** Everything that may change stored objects, Events included, refused attempts too; but no Leases and no dry runs. */
  readonly writes: number;
  /** The Events among the writes. */
  readonly events: number;
  readonly reads: number;
  readonly leaseWrites: number;
  readonly dryRuns: number;
  /** How often each verb was used on each resource, e.g. `create pods`. */
  readonly byVerb: Readonly<Record<string, number>>;
}

/** The fields of an audit.k8s.io/v1 Event that are read here. */
interface AuditEvent {
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
}

type Class = 'write' | 'event' | 'read' | 'lease' | 'dryRun';

const READS = ['get', 'list', 'watch'];

/** A policy that logs the requests of these users, once each when they are answered, and no others. */
export function auditPolicy(users: readonly string[]): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [{ level: 'Metadata', users }, { level: 'None' }],
  };
}

/** Counts the requests of these users in the text of an audit log. */
export function countRequests(log: string, users: readonly string[]): Requests {
  const byClass: Record<Class, number> = { write: 0, event: 0, read: 0, lease: 0, dryRun: 0 };
  const byVerb: Record<string, number> = {};
  for (const request of parse(log)) {
    if (request.stage !== 'ResponseComplete' || !users.includes(request.user.username)) continue;
    byClass[classOf(request)]++;
    const what = `${request.verb} ${targetOf(request)}`;
    byVerb[what] = (byVerb[what] ?? 0) + 1;
  }
  return {
    writes: byClass.write + byClass.event,
    events: byClass.event,
    reads: byClass.read,
    leaseWrites: byClass.lease,
    dryRuns: byClass.dryRun,
    byVerb,
  };
}

/**
 * A log that a running API server appends to. When a file has grown to a hundred megabytes, the server gives it a name
 * with the time in it and begins another: all of them together are the log, and a mark is a place in the whole.
 */
export class AuditLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The end of the log as it is now, for `since`. */
  async mark(): Promise<number> {
    await using files = await this.#open();
    return files.parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** What these users asked for after the mark. */
  async since(mark: number, users: readonly string[]): Promise<Requests> {
    await using files = await this.#open();
    const texts: Buffer[] = [];
    let begins = 0;
    for (const { file, size } of files.parts) {
      const skipped = Math.min(size, Math.max(0, mark - begins));
      texts.push((await file.read(Buffer.alloc(size - skipped), 0, size - skipped, skipped)).buffer);
      begins += size;
    }
    return countRequests(Buffer.concat(texts).toString('utf8'), users);
  }

  /** Every file, oldest first. Open files stay what they are when the server renames them. */
  async #open(): Promise<OpenLog> {
    for (;;) {
      const names = await this.#names();
      const files = await Promise.all(names.map((name) => open(name)));
      const sizes = await Promise.all(files.map((file) => file.stat()));
      const log = new OpenLog(files.map((file, index) => ({ file, size: sizes[index]?.size ?? 0 })));
      if (isDeepStrictEqual(names, await this.#names())) return log;
      await log[Symbol.asyncDispose](); // renamed while we opened them
    }
  }

  async #names(): Promise<readonly string[]> {
    const { dir, name, ext } = parsePath(this.#path);
    const files = await readdir(dir);
    const older = files.filter((each) => each.startsWith(`${name}-`) && each.endsWith(ext)).toSorted();
    const present = files.includes(`${name}${ext}`) ? [this.#path] : []; // written with the first request
    return [...older.map((each) => join(dir, each)), ...present];
  }
}

interface Part {
  readonly file: FileHandle;
  readonly size: number;
}

class OpenLog {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.parts.map(({ file }) => file.close()));
  }
}

function parse(log: string): AuditEvent[] {
  const lines = log.split('\n');
  lines.pop(); // what follows the last line feed is empty, or a line that is still being written
  return lines.map((line) => JSON.parse(line) as AuditEvent);
}

function classOf({ verb, objectRef, requestURI }: AuditEvent): Class {
  if (READS.includes(verb)) return 'read';
  if (/[?&]dryRun=/.test(requestURI)) return 'dryRun';
  if (objectRef?.resource === 'leases') return 'lease';
  return objectRef?.resource === 'events' ? 'event' : 'write';
}

function targetOf({ objectRef, requestURI }: AuditEvent): string {
  const { resource = requestURI, subresource } = objectRef ?? {};
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}
