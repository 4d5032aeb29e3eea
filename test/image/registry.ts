// An npm registry on loopback that shows a certificate of a private authority and passes every request on to the registry
// that npm is set up with: what an organisation's own registry looks like to `npm ci`.

import { execFileSync } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { localhostCertificate } from '../support/certificates.ts';

export interface PrivateRegistry extends AsyncDisposable {
  readonly url: string;
  /** The certificate of its authority. */
  readonly ca: string;
  /** How many requests came in. */
  requests(): number;
}

export async function startPrivateRegistry(): Promise<PrivateRegistry> {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/+$/, '');
  const { ca, serving } = await localhostCertificate();
  let requests = 0;
  const server = createServer({ key: serving.key, cert: serving.cert }, (request, response) => {
    requests++;
    passOn(`${upstream}${request.url}`, request, response).catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ca,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers: { accept: request.headers.accept ?? '*/*' },
  });
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
  });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
