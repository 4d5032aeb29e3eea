import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UsageError } from '../../../src/kubectl/arguments.ts';
import { DashboardServer, sendText } from '../../../src/kubectl/dashboard/server/dashboard-server.ts';
import { ApiError } from '../../../src/runtime/errors.ts';

let server: Server;
let page: DashboardServer;
let address: string;
let now = 0;

beforeEach(async () => {
  now = 0;
  page = new DashboardServer(
    { 'index.html': '<p>page</p>', 'page.js': '1;' },
    {
      reads: {
        yaml: (query, { response }) => sendText(response, `name: ${query.get('name')}`),
        logs: () => {
          throw new ApiError('Forbidden', 'no', { code: 403, status: { message: 'pods "a" is forbidden' } });
        },
        diff: () => Promise.reject(new UsageError('name is the name of an object')),
      },
      writes: { act: async (body) => ({ got: body }) },
    },
    'cluster:6443',
  );
  server = createServer((asked, response) => void page.handle(asked, response, now)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = page.address((server.address() as AddressInfo).port);
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> => {
  const all = { origin: new URL(address).origin, 'content-type': 'application/json', ...headers };
  return fetch(`${address}act`, { method: 'POST', body, headers: all });
};

describe('the server of the page', () => {
  it('has the files, of the types that browsers insist on, under a policy that lets nothing else in', async () => {
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([200, '<p>page</p>']);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await fetch(`${address}page.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await fetch(`${address}../../etc/passwd`)).status).toBe(403);
    expect((await fetch(`${address}constructor`)).status).toBe(404);
  });

  it('answers what is asked, and says in words of the terminal what went wrong', async () => {
    expect(await (await fetch(`${address}yaml?name=a`)).text()).toBe('name: a');
    const refused = await fetch(`${address}logs`);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { problem: 'Error from server (Forbidden): pods "a" is forbidden' },
    ]);
    expect((await fetch(`${address}diff`)).status).toBe(400);
  });

  it('takes small JSON and nothing else', async () => {
    expect(await (await post('{"a":1}')).json()).toEqual({ got: { a: 1 } });
    expect((await post('{"a":1}', { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await (await post('{')).json()).toEqual({ problem: 'error: the body is not JSON' });
    expect(await (await post(`"${'x'.repeat(70_000)}"`)).json()).toEqual({
      problem: 'error: the body has more than 65536 bytes',
    });
  });

  it('lets a browser in once with an address that is not the secret, and not after a minute', async () => {
    const redeem = (): Promise<Response> => fetch(ticket, { redirect: 'manual' });
    let ticket = page.ticket(now);
    expect(ticket).not.toContain(new URL(address).pathname);
    const first = await redeem();
    expect([first.status, first.headers.get('location')]).toEqual([303, new URL(address).pathname]);
    expect((await redeem()).status).toBe(403);
    ticket = page.ticket(now);
    now += 61_000;
    expect((await redeem()).status).toBe(403);
  });

  it('is not reached under a name of another site that leads to loopback', async () => {
    const { port, pathname } = new URL(address);
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host: `evil.example:${port}` } }).end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });
});
