// Which requests are answered. The server acts with the rights of the person who started it, and every page that this person has
// open in a browser, and every user of this machine, can reach its port. So a request needs the secret in its path; it must name
// this server as its host, because a name of another site can be made to point to loopback (DNS rebinding); and it must come from
// this server's own page. Pure.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Gate {
  readonly port: number;
  readonly secret: string;
}

export interface Knock {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export type Verdict =
  /** `path` follows the secret: `/stream?view=overview`. */
  | { readonly is: 'admitted'; readonly path: string; readonly isRead: boolean }
  | { readonly is: 'refused'; readonly status: number; readonly because: string };

/** The names under which this server is reached. */
export function hostsOf({ port }: Pick<Gate, 'port'>): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Judges a request by its address and its headers. */
export function judge({ method = '', url = '/', headers }: Knock, gate: Gate): Verdict {
  const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (!hostsOf(gate).includes(host)) return refused(421, 'this server has another name');
  const isRead = method === 'GET';
  if (!isRead && method !== 'POST') return refused(405, 'only GET and POST are answered');
  const isForeign = origin === undefined ? !isRead : origin !== `http://${host}`;
  if (isForeign) return refused(403, 'only the page of this server may ask');
  // Browsers say where a request comes from. A person may follow a link to the page from anywhere, and nothing else.
  const isFromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isFromElsewhere && !(isRead && mode === 'navigate')) return refused(403, 'only the page of this server may ask');
  const slash = url.indexOf('/', 1);
  if (slash < 0 || !isSame(url.slice(1, slash), gate.secret)) {
    return refused(403, 'the address lacks the secret: open the address that kubectl md dashboard printed');
  }
  return { is: 'admitted', path: url.slice(slash), isRead };
}

/** Compares digests, so that the time it takes says nothing about the secret. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

function refused(status: number, because: string): Verdict {
  return { is: 'refused', status, because };
}
