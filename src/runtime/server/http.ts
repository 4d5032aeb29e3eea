// HTTP helpers that all servers share.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** The URL of a request; its host means nothing. One that cannot be read is `/`. */
export function urlOf(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://localhost') ?? new URL('http://localhost/');
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, text, 'text/plain; charset=utf-8');
}

export function send(response: ServerResponse, status: number, body: string, contentType: string): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
