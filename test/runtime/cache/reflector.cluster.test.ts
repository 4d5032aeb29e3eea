import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceAccounts } from '../../../src/runtime/built-in.ts';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Informer, InformerOptions } from '../../../src/runtime/cache/informer.ts';
import { hasReached } from '../../../src/runtime/cache/resource-version.ts';
import { type Access, readKubeconfig } from '../../../src/runtime/client/access.ts';
import { createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { type TestCluster, useOwnCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { type ConfigMap, configMaps } from '../client/fixtures.ts';
import { FaultProxy } from './fault-proxy.ts';

const roleBindings: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

const owned = await useOwnCluster({ name: 'reflector', nodes: 0 });
const admin = await readKubeconfig([owned.kubeconfig]);
let namespace: string;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => {
  rejections.push(reason);
};

beforeAll(() => {
  process.on('unhandledRejection', onRejection);
});

afterAll(() => {
  process.off('unhandledRejection', onRejection);
});

beforeEach(async () => {
  namespace = await owned.namespace();
});

afterEach(() => {
  expect(rejections).toEqual([]);
});

/** A cache of this test's ConfigMaps, that reaches the server by the given way. */
class Subject {
  readonly informer: Informer<ConfigMap>;
  readonly changes: string[] = [];
  /** Requests that the cache has made, and how many of them were lists. */
  attempts = 0;
  lists = 0;
  foundByRelist = 0;
  readonly #cluster: TestCluster;
  readonly #namespace: string;
  readonly #connection: Connection;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(access: Access, cluster: TestCluster, inNamespace: string, options: InformerOptions = {}) {
    this.#cluster = cluster;
    this.#namespace = inNamespace;
    this.#connection = new Connection(access);
    const client = createClient(this.#connection, {
      observer: {
        attempt: ({ verb }) => {
          this.attempts++;
          if (verb === 'list') this.lists++;
        },
      },
    });
    const cache = new Cache(client, { ...options, observer: { foundByRelist: () => this.foundByRelist++ } });
    this.informer = cache.informer(configMaps, { namespace: inNamespace, labelSelector: 'mine=yes' });
    this.informer.onChange(({ type, object }) => this.changes.push(`${type} ${object.metadata.name}`));
    this.#running = cache.start(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#connection.close();
  }

  /** The cache holds what the server holds, object by object. */
  async equalsServer(): Promise<void> {
    await eventually(async () => {
      const list = await this.#cluster.client.list(configMaps, {
        namespace: this.#namespace,
        labelSelector: 'mine=yes',
        omitManagedFields: true,
      });
      const items = list.items.map((item) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...item }));
      expect(byName(this.informer.list())).toEqual(byName(items));
      expect(this.informer.hasSynced).toBe(true);
    });
  }
}

function byName(objects: readonly ConfigMap[]): ConfigMap[] {
  return [...objects].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

async function put(name: string, value: string): Promise<ConfigMap> {
  const body = { metadata: { name, labels: { mine: 'yes' } }, data: { value } };
  return owned.client.patch(
    configMaps,
    { namespace, name },
    { type: 'apply', fieldManager: 'test', force: true, body },
  );
}

/** One of each: created, changed, deleted, gone and come back. */
async function churn(round: string): Promise<void> {
  await put(`new-${round}`, 'new');
  await put('changed', round);
  await put('short', round);
  await owned.client.delete(configMaps, { namespace, name: 'short' });
  await owned.client.delete(configMaps, { namespace, name: 'reborn' });
  await put('reborn', round);
}

async function seed(): Promise<void> {
  for (const name of ['changed', 'reborn', 'still']) await put(name, 'first');
}

const secondsSince = (began: number): number => (performance.now() - began) / 1_000;

describe('over a network that fails', () => {
  let proxy: TcpProxy;
  let subject: Subject;

  beforeEach(async () => {
    await seed();
    proxy = await TcpProxy.to(admin.cluster.server);
    subject = through(proxy);
    await subject.equalsServer();
  });

  const through = ({ url }: TcpProxy, options: InformerOptions = {}): Subject =>
    new Subject({ ...admin, cluster: { ...admin.cluster, server: url } }, owned, namespace, options);

  afterEach(async () => {
    await subject.stop();
    await eventually(() => expect(proxy.open).toBe(0));
    await proxy.close();
  });

  it('follows every change', async () => {
    await churn('one');
    await subject.equalsServer();
    expect(subject.changes).toContain('deleted short');
    expect(subject.foundByRelist).toBe(0);
  });

  it('reaches the version of our own writes', async () => {
    const written = await put('changed', 'mine');
    await eventually(() => {
      expect(hasReached(subject.informer.lastSyncedResourceVersion(), written.metadata.resourceVersion)).toBe(true);
    });
    expect(subject.informer.get(`${namespace}/changed`)?.data).toEqual({ value: 'mine' });
  });

  it('knows by one read that nothing is missing, though the server has moved on', async () => {
    await owned.client.create(configMaps, { metadata: { namespace: await owned.namespace(), name: 'elsewhere' } });
    for (const left of ['something', 'nothing']) {
      const { attempts, lists } = subject;
      await subject.informer.catchUp();
      expect([left, subject.lists]).toEqual([left, lists + 1]);
      // The server may have ended the watch in order, as it does every half minute.
      expect(subject.attempts).toBeLessThanOrEqual(attempts + 2);
      await owned.client.deleteCollection(configMaps, { namespace });
      await subject.equalsServer();
    }
  });

  it.each(['close', 'reset'] as const)('heals when it is cut (%s), without listing anew', async (how) => {
    for (const round of ['one', 'two', 'three']) {
      proxy.cut(how);
      await churn(round);
      await subject.equalsServer();
    }
    expect(subject.foundByRelist).toBe(0);
    expect(subject.changes.filter((change) => change === 'deleted short')).toHaveLength(3);
    expect(subject.attempts).toBeLessThan(20);
  });

  it('notices silence on a half-open socket', async () => {
    await subject.stop();
    subject = through(proxy, { silenceMs: 3_000 });
    await subject.equalsServer();
    proxy.stall();
    await churn('unheard');
    await eventually(() => expect(subject.informer.health[0]?.failures).toBeGreaterThan(0));
    proxy.heal();
    await subject.equalsServer();
    expect(subject.attempts).toBeLessThan(20);
  });

  it('finds what it missed when the server was restarted, with another certificate, and forgot', async () => {
    proxy.refuse();
    proxy.cut();
    await churn('missed');
    await owned.cluster.pki.rotateServing();
    await owned.cluster.restart('kube-apiserver');
    await churn('missed-again');
    proxy.heal();
    await subject.equalsServer();
    expect(subject.foundByRelist).toBeGreaterThan(0);
    expect(subject.changes).toContain('deleted reborn');
    const restarted = subject.attempts;
    await churn('after');
    await subject.equalsServer();
    // The server may have ended the watch in order, as it does every half minute; otherwise nothing is asked again.
    expect(subject.attempts - restarted).toBeLessThanOrEqual(1);
  });
});

describe('behind a server that refuses', () => {
  let proxy: FaultProxy;
  let subject: Subject;

  beforeEach(async () => {
    await seed();
    proxy = await FaultProxy.to(admin);
  });

  afterEach(async () => {
    await subject.stop();
    await proxy.close();
  });

  it.each([
    { name: 'a storm of 429', fault: { kind: 'refuse', code: 429, retryAfterSeconds: 1 }, most: 1 },
    { name: '500s', fault: { kind: 'refuse', code: 500 }, most: 8 },
  ] as const)('fills after $name, and asked no more than $most times and once a second', async ({ fault, most }) => {
    proxy.fault = fault;
    const beganAt = performance.now();
    subject = new Subject(proxy.access, owned, namespace);
    await eventually(() => expect(proxy.requests).toBeGreaterThanOrEqual(3));
    await delay(2_000);
    expect(proxy.requests).toBeLessThanOrEqual(most + secondsSince(beganAt));
    expect(subject.informer.hasSynced).toBe(false);
    proxy.fault = undefined;
    await subject.equalsServer();
  });

  it('stays calm when every watch ends at once', async () => {
    subject = new Subject(proxy.access, owned, namespace);
    await subject.equalsServer();
    proxy.fault = { kind: 'endWatches' };
    const beganAt = performance.now();
    proxy.cut();
    await delay(3_000);
    expect(proxy.requests).toBeLessThanOrEqual(9 + secondsSince(beganAt));
    proxy.fault = undefined;
    await churn('later');
    await subject.equalsServer();
  });
});

describe('with a token that rotates', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'token-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('signs in again when the server no longer knows the old one', async () => {
    const tokenFile = join(directory, 'token');
    const account = { namespace, name: 'reader' };
    const renew = async (): Promise<void> => {
      await owned.client.create(serviceAccounts, { metadata: account });
      await writeFile(tokenFile, await owned.token(namespace, 'reader'));
    };
    await renew();
    await owned.client.create(roleBindings, {
      metadata: account,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    } as never);
    await seed();
    const proxy = await TcpProxy.to(admin.cluster.server);
    const user = { name: 'reader', authProvider: { name: 'tokenFile', config: { tokenFile } } };
    const subject = new Subject({ cluster: { ...admin.cluster, server: proxy.url }, user }, owned, namespace);
    await subject.equalsServer();

    await owned.client.delete(serviceAccounts, account);
    await renew();
    proxy.cut();
    await churn('new-token');
    await subject.equalsServer();
    await subject.stop();
    await proxy.close();
  });
});
