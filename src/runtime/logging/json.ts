// One JSON object a line, for machines: level, ts and msg first, as Go operators write them, then the fields.

import type { Entry } from './logger.ts';
import { toPlain } from './values.ts';

const RESERVED = new Set(['level', 'ts', 'msg']);

/** A field of a reserved name is kept under a name of its own, so that no field can forge a level or a message. */
export function formatJson({ level, time, message, fields }: Entry): string {
  const named = Object.entries(fields).map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, toPlain(value)]);
  return JSON.stringify({ level, ts: time.toISOString(), msg: message, ...Object.fromEntries(named) });
}
