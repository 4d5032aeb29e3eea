import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseKubeconfig, readInCluster, readKubeconfig, tokenFileOf } from '../../../src/runtime/client/access.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'access-'));
});
afterAll(() => rm(directory, { recursive: true }));

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
  - name: one
    cluster:
      server: https://one.example:6443/
      certificate-authority: pki/ca.crt
      tls-server-name: kubernetes
      proxy-url: http://proxy.example:3128
  - name: two
    cluster: { server: 'https://two.example', insecure-skip-tls-verify: true }
users:
  - name: cert
    user: { client-certificate: pki/me.crt, client-key: /keys/me.key }
  - name: file
    user: { tokenFile: token, token: stale }
contexts:
  - { name: dev, context: { cluster: one, user: cert, namespace: team } }
  - { name: other, context: { cluster: two, user: file } }
  - { name: nobody, context: { cluster: two } }
  - { name: lost, context: { cluster: three, user: cert } }
  - { name: stranger, context: { cluster: one, user: who } }
`;

describe('a kubeconfig', () => {
  it('gives the current context, with paths made absolute', async () => {
    const access = await parseKubeconfig(KUBECONFIG, '/home/me/.kube');
    expect(access).toMatchObject({
      namespace: 'team',
      cluster: {
        server: 'https://one.example:6443',
        caFile: '/home/me/.kube/pki/ca.crt',
        tlsServerName: 'kubernetes',
        proxyUrl: 'http://proxy.example:3128',
        skipTLSVerify: false,
      },
      user: { name: 'cert', certFile: '/home/me/.kube/pki/me.crt', keyFile: '/keys/me.key' },
    });
  });

  it('gives another context by name; a token file counts more than a token', async () => {
    const access = await parseKubeconfig(KUBECONFIG, '/home/me/.kube', 'other');
    expect(access.cluster.skipTLSVerify).toBe(true);
    expect(access.user.token).toBeUndefined();
    expect(tokenFileOf(access.user)).toBe('/home/me/.kube/token');
    expect(access.namespace).toBeUndefined();
  });

  it('may have a context without a user', async () => {
    expect((await parseKubeconfig(KUBECONFIG, '/', 'nobody')).user).toEqual({ name: '' });
  });

  it.each([
    { context: 'prod', message: 'kubeconfig has no context "prod"; it has dev, other, nobody, lost, stranger' },
    { context: 'lost', message: 'context "lost": kubeconfig has no cluster "three"' },
    { context: 'stranger', message: 'context "stranger": kubeconfig has no user "who"' },
  ])('says what it misses: $context', async ({ context, message }) => {
    await expect(parseKubeconfig(KUBECONFIG, '/', context)).rejects.toThrow(message);
  });

  it('may be spread over files: the first entry of a name counts, each with its own directory', async () => {
    const first = join(directory, 'first');
    const second = join(directory, 'second');
    await writeFile(first, "current-context: dev\nclusters: [{ name: one, cluster: { server: 'https://first' } }]\n");
    await writeFile(second, KUBECONFIG);
    const access = await readKubeconfig([first, second]);
    expect(access.cluster.server).toBe('https://first');
    expect(access.user.certFile).toBe(join(directory, 'pki/me.crt'));
  });
});

describe('a broken kubeconfig', () => {
  it.each([
    { name: 'YAML', text: 'clusters: [\n', says: /^kubeconfig FILE: .*line 2/ },
    {
      name: 'text',
      text: 'hello',
      says: /^kubeconfig FILE: it holds a string, not an object with clusters, users and contexts$/,
    },
    { name: 'empty', text: '', says: /^kubeconfig FILE has no contexts$/ },
    { name: 'list', text: 'users: 3', says: /^kubeconfig FILE: users is not a list$/ },
    { name: 'entry', text: 'clusters: [{ name: one }]', says: /^kubeconfig FILE: clusters\[0\]\.cluster is missing$/ },
    {
      name: 'address',
      text: KUBECONFIG.replace('https://one.example:6443/', 'one.example'),
      says: /^kubeconfig FILE: the server of cluster "one" is no URL: "one\.example"$/,
    },
    {
      name: 'current',
      text: KUBECONFIG.replace('current-context: dev', ''),
      says: /^kubeconfig FILE has no current-context; it has dev, other, nobody, lost, stranger$/,
    },
  ])('is named, with what is wrong: $name', async ({ name, text, says }) => {
    const file = join(directory, name);
    await writeFile(file, text);
    const message = await readKubeconfig([file]).then(String, (error: Error) => error.message);
    expect(message.replaceAll(file, 'FILE')).toMatch(says);
  });

  it('is named without what stands in it, which may be a credential', async () => {
    const file = join(directory, 'leaky');
    await writeFile(file, 'users:\n  - token: "secret" secret\n');
    const message = await readKubeconfig([file]).then(String, (error: Error) => error.message);
    expect(message).toMatch(/ at line 2, column \d+$/);
    expect(message).not.toContain('secret');
  });

  it('is the first of several, whichever is read sooner', async () => {
    const long = join(directory, 'long');
    await writeFile(long, 'clusters: [\n'.padEnd(1_000_000, '#'));
    await expect(readKubeconfig([long, '/nowhere'])).rejects.toThrow(`kubeconfig ${long}`);
  });

  it('may be one that cannot be read', async () => {
    await expect(readKubeconfig([directory])).rejects.toThrow(`kubeconfig ${directory}: EISDIR`);
  });
});

describe('in a pod', () => {
  it.each([
    { host: '10.0.0.1', server: 'https://10.0.0.1:443' },
    { host: 'fd00::1', server: 'https://[fd00::1]:443' },
  ])('the server is at $server, and the files are those of the ServiceAccount', async ({ host, server }) => {
    await writeFile(join(directory, 'namespace'), 'system\n');
    const access = await readInCluster({ host, port: '443', directory });
    expect(access.cluster.server).toBe(server);
    expect(access.cluster.caFile).toBe(join(directory, 'ca.crt'));
    expect(tokenFileOf(access.user)).toBe(join(directory, 'token'));
    expect(access.namespace).toBe('system');
  });
});
