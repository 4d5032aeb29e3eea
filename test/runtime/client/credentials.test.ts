import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '@kubernetes/client-node';
import { CredentialReader } from '../../../src/runtime/client/credentials.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterAll(() => rm(directory, { recursive: true }));

const cluster = { name: 'c', server: 'https://c.example', skipTLSVerify: false };

function reader(user: Omit<User, 'name'>, more: object = {}): CredentialReader {
  return new CredentialReader({ cluster: { ...cluster, ...more }, user: { name: 'me', ...user } });
}

describe('credentials', () => {
  it.each([
    { name: 'nothing', user: {}, headers: {} },
    { name: 'a token', user: { token: 'abc' }, headers: { authorization: 'Bearer abc' } },
    { name: 'a password', user: { username: 'ü', password: 'p' }, headers: { authorization: 'Basic w7w6cA==' } },
    {
      name: 'impersonation',
      user: { token: 'abc', impersonateUser: 'jane' },
      headers: { authorization: 'Bearer abc', 'impersonate-user': 'jane' },
    },
  ])('from $name', async ({ user, headers }) => {
    expect(await reader(user).read()).toEqual({ tls: {}, headers });
  });

  it('come inline or from files, which are read anew each time', async () => {
    const certFile = join(directory, 'me.crt');
    const tokenFile = join(directory, 'token');
    const user = { certFile, keyData: btoa('KEY'), authProvider: { name: 'tokenFile', config: { tokenFile } } };
    const credentials = reader(user, { caData: btoa('CA') });
    await writeFile(certFile, 'CERT 1');
    await writeFile(tokenFile, 'one\n');
    expect(await credentials.read()).toEqual({
      tls: { ca: 'CA', cert: 'CERT 1', key: 'KEY' },
      headers: { authorization: 'Bearer one' },
    });
    await writeFile(certFile, 'CERT 2');
    await writeFile(tokenFile, 'two\n');
    expect(await credentials.read()).toEqual({
      tls: { ca: 'CA', cert: 'CERT 2', key: 'KEY' },
      headers: { authorization: 'Bearer two' },
    });
  });

  it('are not read from a token file that is being written: nobody wants to be anonymous', async () => {
    const tokenFile = join(directory, 'empty');
    await writeFile(tokenFile, '\n');
    const user = { authProvider: { name: 'tokenFile', config: { tokenFile } } };
    await expect(reader(user).read()).rejects.toThrow(`${tokenFile} is empty`);
  });

  it('name an auth-provider that nobody knows', async () => {
    await expect(reader({ authProvider: { name: 'gcp', config: {} } }).read()).rejects.toThrow(
      'user "me": auth-provider "gcp" is unknown',
    );
  });
});

describe('an exec plug-in', () => {
  /** Counts its runs, and answers with that number and with what it was told. */
  async function plugin(name: string, status: string): Promise<{ exec: object; runs(): Promise<number> }> {
    const script = join(directory, `${name}.cjs`);
    const count = join(directory, `${name}.count`);
    await writeFile(
      script,
      `const fs = require('node:fs');
       const runs = (fs.existsSync(${JSON.stringify(count)}) ? Number(fs.readFileSync(${JSON.stringify(count)})) : 0) + 1;
       fs.writeFileSync(${JSON.stringify(count)}, String(runs));
       const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
       console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status: ${status} }));`,
    );
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [script] };
    return { exec, runs: async () => Number(await readFile(count, 'utf8')) };
  }

  it('is asked once while its answer is good, and again when told to forget it', async () => {
    const { exec, runs } = await plugin('token', '{ token: "run-" + runs }');
    const credentials = reader({ exec });
    expect((await credentials.read()).headers).toEqual({ authorization: 'Bearer run-1' });
    expect((await credentials.read()).headers).toEqual({ authorization: 'Bearer run-1' });
    expect(await runs()).toBe(1);
    credentials.forget();
    expect((await credentials.read()).headers).toEqual({ authorization: 'Bearer run-2' });
  });

  it('is asked again when its answer has expired', async () => {
    const { exec } = await plugin('expiring', '{ token: "run-" + runs, expirationTimestamp: "2020-01-01T00:00:00Z" }');
    const credentials = reader({ exec });
    await credentials.read();
    expect((await credentials.read()).headers).toEqual({ authorization: 'Bearer run-2' });
  });

  it('may answer with a client certificate, and learns which server it is for', async () => {
    const { exec } = await plugin(
      'certificate',
      '{ clientCertificateData: "CERT", clientKeyData: "KEY " + info.spec.cluster.server }',
    );
    const credentials = reader({ exec: { ...exec, provideClusterInfo: true } });
    expect(await credentials.read()).toEqual({ tls: { cert: 'CERT', key: 'KEY https://c.example' }, headers: {} });
  });
});
