// Asks the server for something once. An answer that is a problem is thrown, in the words of the terminal.

import type { ActRequest, DiffLineRow, Done, Preview, Problem } from '../protocol.ts';

export function preview(request: ActRequest, signal: AbortSignal): Promise<Preview> {
  return post<Preview>('preview', request, signal);
}

export function act(request: ActRequest): Promise<Done> {
  return post<Done>('act', request);
}

export async function diff(
  namespace: string,
  name: string,
  from: number,
  to?: number,
): Promise<readonly DiffLineRow[]> {
  const query = new URLSearchParams({
    namespace,
    name,
    from: String(from),
    ...(to !== undefined && { to: String(to) }),
  });
  return (await checked(await fetch(`diff?${query}`))).json();
}

export async function text(
  what: 'yaml' | 'logs',
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  return checked(await fetch(`${what}?${new URLSearchParams(query)}`, { signal }));
}

async function post<Answer>(path: string, body: object, signal?: AbortSignal): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) };
  return (await checked(await fetch(path, options))).json();
}

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const { problem } = (await answer.json().catch(() => ({ problem: answer.statusText }))) as Problem;
  throw new Error(problem);
}

/** What to show of an error. The error of a fetch without an answer says only that it failed. */
export function problemOf(error: unknown): string {
  if (error instanceof TypeError) return 'kubectl md dashboard does not answer: it has ended.';
  return error instanceof Error ? error.message : String(error);
}
