// Counts what a contender asked of the API server, from the server's own audit log: nobody can forget a request there.
// Writes, Events among them, are what the aims speak of. Reads, renewals of a Lease and dry runs, which store nothing,
// are counted apart.

import { open, stat } from 'node:fs/promises';

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

/** A policy that logs the requests of these users, once each when they are answered, and nobody else's. */
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

/** A log that a running API server appends to. */
export class AuditLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The end of the log as it is now, for `since`. */
  async mark(): Promise<number> {
    const size = await stat(this.#path).catch(() => undefined); // written with the first request
    return size?.size ?? 0;
  }

  /** What these users asked for after the mark. */
  async since(mark: number, users: readonly string[]): Promise<Requests> {
    const length = (await this.mark()) - mark;
    if (length <= 0) return countRequests('', users);
    const file = await open(this.#path);
    try {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, mark);
      return countRequests(buffer.toString('utf8'), users);
    } finally {
      await file.close();
    }
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
