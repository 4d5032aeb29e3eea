// Serves `/metrics`: to every client on loopback, otherwise to clients that RBAC allows to get it.

import type { ServerResponse } from 'node:http';
import type { AccessReviewer, Verdict } from './access.ts';
import { isRead, send, sendText, urlOf } from './http.ts';
import type { Handler } from './listener.ts';

/** What prom-client's Registry offers. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

const PATH = '/metrics';

/** Without a reviewer every client may read. */
export function metricsHandler(source: MetricsSource, reviewer?: Pick<AccessReviewer, 'review'>): Handler {
  return async (request, response) => {
    // Cheap checks first: a review is two requests to the API server.
    if (urlOf(request).pathname !== PATH) return sendText(response, 404, '404 page not found\n');
    if (!isRead(request)) return sendText(response, 405, 'method not allowed\n');
    const verdict = (await reviewer?.review(request.headers.authorization, PATH)) ?? 'allowed';
    if (verdict !== 'allowed') return refuse(response, REFUSALS[verdict]);
    send(response, 200, await source.metrics(), source.contentType);
  };
}

const REFUSALS: Readonly<Record<Exclude<Verdict, 'allowed'>, Refusal>> = {
  unauthenticated: { status: 401, text: 'Unauthorized\n', headers: { 'www-authenticate': 'Bearer' } },
  forbidden: { status: 403, text: 'Forbidden\n', headers: {} },
  busy: { status: 503, text: 'too many requests at once\n', headers: { 'retry-after': '1' } },
};

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function refuse(response: ServerResponse, { status, text, headers }: Refusal): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendText(response, status, text);
}
