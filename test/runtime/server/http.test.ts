import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { isRead, sendText, urlOf } from '../../../src/runtime/server/http.ts';

const asking = (method: string, url?: string): IncomingMessage => ({ method, url }) as IncomingMessage;

describe('a request', () => {
  it.each([
    { url: '/metrics?x=1', path: '/metrics' },
    { url: 'http://[', path: '/' },
    { url: undefined, path: '/' },
  ])('for $url is for $path', ({ url, path }) => {
    expect(urlOf(asking('GET', url)).pathname).toBe(path);
  });

  it.each([
    { method: 'GET', reads: true },
    { method: 'HEAD', reads: true },
    { method: 'POST', reads: false },
  ])('with $method reads: $reads', ({ method, reads }) => {
    expect(isRead(asking(method))).toBe(reads);
  });
});

it('an answer says how long it is in bytes, and that it is nothing else than it says', () => {
  const sent: unknown[] = [];
  const writeHead = (...head: readonly unknown[]) => sent.push(...head);
  sendText({ writeHead, end: (body: string) => sent.push(body) } as unknown as ServerResponse, 404, 'größer');
  expect(sent).toEqual([
    404,
    { 'content-type': 'text/plain; charset=utf-8', 'content-length': 8, 'x-content-type-options': 'nosniff' },
    'größer',
  ]);
});
