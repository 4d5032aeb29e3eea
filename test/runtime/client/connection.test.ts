import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate } from '../../../src/runtime/certificates/authority.ts';
import { createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { json, ScriptedServer, status } from './scripted-server.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'connection-'));
});
afterAll(() => rm(directory, { recursive: true }));

function withTokenFile(server: string, tokenFile: string, clock: FakeClock): Connection {
  const user = { name: 'me', authProvider: { name: 'tokenFile', config: { tokenFile } } };
  return new Connection({ cluster: { name: 'c', server, skipTLSVerify: false }, user }, { clock });
}

describe('a rotating token', () => {
  it('is read again after a minute, and its sockets stay', async () => {
    const clock = new FakeClock();
    const file = join(directory, 'minute');
    await writeFile(file, 'one');
    const connection = withTokenFile('http://127.0.0.1', file, clock);
    const first = await connection.current();
    await writeFile(file, 'two');
    await clock.advance(59_999);
    expect(await connection.current()).toBe(first);
    await clock.advance(1);
    const second = await connection.current();
    expect(second.headers.authorization).toBe('Bearer two');
    expect(second.requests).toBe(first.requests);
    await connection.close();
  });

  it('that cannot be read leaves the last good one in use', async () => {
    const clock = new FakeClock();
    const file = join(directory, 'vanishing');
    await writeFile(file, 'one');
    const connection = withTokenFile('http://127.0.0.1', file, clock);
    const first = await connection.current();
    await rm(file);
    await clock.advance(60_000);
    expect(await connection.current()).toBe(first);
    await connection.close();
  });

  it('that was never there is an error that names the user', async () => {
    const connection = withTokenFile('http://127.0.0.1', join(directory, 'missing'), new FakeClock());
    await expect(connection.current()).rejects.toThrow('cannot read the credentials of user "me"');
  });

  it('is read at once when the server refuses the old one, and the request repeated, a create too', async () => {
    const server = await ScriptedServer.start();
    const file = join(directory, 'refused');
    await writeFile(file, 'one');
    const connection = withTokenFile(server.url, file, new FakeClock());
    const client = createClient(connection, { clock: new FakeClock() });
    server.script(json(200, {}), status(401, 'Unauthorized', 'expired'), json(201, {}));
    await client.raw('GET', '/version');
    await writeFile(file, 'two');
    await client.raw('POST', '/anything', { body: '{}' });
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer one',
      'Bearer one',
      'Bearer two',
    ]);
    await connection.close();
    await server.close();
  });

  it('that is refused and has not changed is not tried again', async () => {
    const server = await ScriptedServer.start();
    const client = createClient(server.connection());
    server.script(status(401, 'Unauthorized', 'no such user'));
    await expect(client.raw('GET', '/version')).rejects.toThrow('GET /version: Unauthorized 401: no such user');
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  it('is looked for once when many requests are refused together', async () => {
    const file = join(directory, 'many');
    await writeFile(file, 'one');
    const clock = new FakeClock();
    const connection = withTokenFile('http://127.0.0.1', file, clock);
    const refused = await connection.current();
    expect(await connection.renew(refused)).toBe(false);
    await writeFile(file, 'two');
    expect(await connection.renew(refused)).toBe(false); // not again within a second
    await clock.advance(1_000);
    expect(await Promise.all([connection.renew(refused), connection.renew(refused)])).toEqual([true, true]);
    await connection.close();
  });
});

describe('a rotating CA', () => {
  it('is read at once when the server shows a certificate that the old one did not sign', async () => {
    const validity = { notBefore: new Date(Date.now() - 1_000), notAfter: new Date(Date.now() + 3_600_000) };
    const purpose = { for: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] } as const;
    const pairs = [];
    for (const name of ['old', 'new']) {
      const ca = await createAuthority(name, validity);
      pairs.push({ ca: ca.cert, ...(await issueCertificate(ca, { commonName: 'server' }, purpose, validity)) });
    }
    const [old, next] = pairs as [(typeof pairs)[0], (typeof pairs)[0]];
    const server = createServer(old, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const caFile = join(directory, 'ca.crt');
    await writeFile(caFile, old.ca);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = new FakeClock();
    const cluster = { name: 'c', server: url, caFile, skipTLSVerify: false };
    const connection = new Connection({ cluster, user: { name: 'me' } }, { clock });
    const client = createClient(connection, { retry: { attempts: 1 } });
    const before = await connection.current();
    expect((await client.raw('GET', '/')).status).toBe(200);

    server.setSecureContext({ cert: next.cert, key: next.key });
    server.closeAllConnections();
    await expect(client.raw('GET', '/')).rejects.toMatchObject({ reason: 'Connection' });
    await writeFile(caFile, next.ca);
    await clock.advance(1_000); // files are looked at once a second at most
    expect((await client.raw('POST', '/', { body: '{}' })).status).toBe(200);
    expect((await connection.current()).requests).not.toBe(before.requests);

    await connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('closing', () => {
  it('ends requests on their way and refuses new ones', async () => {
    const server = await ScriptedServer.start();
    const connection = server.connection();
    const client = createClient(connection, { retry: { firstDelayMs: 1 } });
    server.script(() => void connection.close());
    await expect(client.raw('GET', '/slow')).rejects.toMatchObject({ reason: 'Aborted' });
    await expect(client.raw('GET', '/late')).rejects.toThrow('is closed');
    expect(server.requests).toHaveLength(1);
    await server.close();
  });
});
