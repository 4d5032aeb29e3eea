// Serves `/metrics`: to everybody where only this machine can ask, otherwise to those whom RBAC allows to get it.

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

/** Without a reviewer everybody may read. */
export function metricsHandler(source: MetricsSource, reviewer?: Pick<AccessReviewer, 'review'>): Handler {
  return async (request, response) => {
    const verdict = (await reviewer?.review(request.headers.authorization, PATH)) ?? 'allowed';
    if (verdict !== 'allowed') return refuse(response, verdict);
    if (urlOf(request).pathname !== PATH) return sendText(response, 404, '404 page not found\n');
    if (!isRead(request)) return sendText(response, 405, 'method not allowed\n');
    send(response, 200, await source.metrics(), source.contentType);
  };
}

function refuse(response: ServerResponse, verdict: Exclude<Verdict, 'allowed'>): void {
  const unknown = verdict === 'unauthenticated';
  if (unknown) response.setHeader('www-authenticate', 'Bearer');
  sendText(response, unknown ? 401 : 403, unknown ? 'Unauthorized\n' : 'Forbidden\n');
}
