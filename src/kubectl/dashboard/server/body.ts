// Reads what the page sends: small JSON objects. Bytes without that content type are refused, because a form of another site could
// send them without being asked first.

import type { IncomingMessage } from 'node:http';
import { UsageError } from '../../arguments.ts';

const LONGEST = 64 * 1024;

export async function collectingJson(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type'] !== 'application/json') throw new UsageError('the body must be application/json');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > LONGEST) throw new UsageError(`the body has more than ${LONGEST} bytes`);
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new UsageError('the body is not JSON');
  }
}
