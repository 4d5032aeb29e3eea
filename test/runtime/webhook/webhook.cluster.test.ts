// Admission by a real API server: over TLS, with certificates that the operator makes, stores and injects itself, reached
// by URL and through a Service; what kubectl shows of a refusal; and certificates that change under load.

import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConfigMap, configMaps, secrets, services } from '../../../src/runtime/built-in.ts';
import type { KeyPair } from '../../../src/runtime/certificates/authority.ts';
import { type InjectionTarget, resourceOf } from '../../../src/runtime/certificates/injection.ts';
import { CertificateRotator } from '../../../src/runtime/certificates/rotator.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { invalid, required } from '../../../src/runtime/webhook/field-error.ts';
import { WebhookServer } from '../../../src/runtime/webhook/server.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const MINUTE = 60_000;

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();
const kubectl = (...args: readonly string[]) => cluster.kubectl(['-n', namespace, ...args]);
const validating: InjectionTarget = { kind: 'ValidatingWebhookConfiguration', name: namespace };
const mutating: InjectionTarget = { kind: 'MutatingWebhookConfiguration', name: namespace };

/** How far the rotator's wall clock is ahead of the real one. */
let aheadMs = -110 * MINUTE;
// So that each lifetime can be passed by moving the clock, with certificates that the API server's own clock accepts.
const lifetimes = { authorityMs: 180 * MINUTE, servingMs: 150 * MINUTE, propagationMs: 1_000 };

const rotator = new CertificateRotator(cluster.client, {
  secret: { namespace, name: 'webhook-certs' },
  names: { dnsNames: [`webhook.${namespace}.svc`], ipAddresses: ['127.0.0.1'] },
  inject: [validating, mutating],
  lifetimes,
  wallNow: () => Date.now() + aheadMs,
});
const served: KeyPair[] = [];
rotator.subscribe((next) => served.push(next));

const webhooks = new WebhookServer({ address: { host: '127.0.0.1', port: 0 }, certificates: rotator })
  .defaulter<ConfigMap>('/default', (map) => ({ ...map, data: { colour: 'blue', ...map.data } }))
  .validator<ConfigMap>('/validate', ({ operation, object }) => {
    if (operation === 'DELETE') return object === null ? { denied: 'this one stays' } : {};
    const { size = '1', owner = 'somebody', shape } = object?.data ?? {};
    return {
      warnings: shape === undefined ? [] : ['data.shape is deprecated'],
      errors: [
        ...(Number(size) < 0 ? [invalid('data.size', Number(size), 'must be greater than or equal to 0')] : []),
        ...(owner === '' ? [required('data.owner')] : []),
      ],
    };
  });

const stop = new AbortController();
const running = [rotator.start(stop.signal), webhooks.start(stop.signal)];

/** A webhook for ConfigMaps of this namespace only: other tests share the cluster. */
function webhook(name: string, clientConfig: object, operations: readonly string[]): object {
  return {
    name: `${name}.${namespace}.example`,
    clientConfig,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    timeoutSeconds: 10,
  };
}

describe('an API server with our webhooks', () => {
  beforeAll(async () => {
    const port = await webhooks.ready();
    await cluster.client.create(services, {
      metadata: { namespace, name: 'webhook' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    } as object as KubeObject);
    const service = { namespace, name: 'webhook', port, path: '/default' };
    await cluster.client.create(resourceOf(mutating), {
      metadata: { name: mutating.name },
      webhooks: [webhook('default', { service }, ['CREATE'])],
    } as never);
    await cluster.client.create(resourceOf(validating), {
      metadata: { name: validating.name },
      webhooks: [webhook('validate', { url: `https://127.0.0.1:${port}/validate` }, ['CREATE', 'UPDATE', 'DELETE'])],
    } as never);
    await eventually(async () => {
      await cluster.client.create(configMaps, { metadata: { namespace, generateName: 'probe-' } }, { dryRun: true });
    });
  });

  afterAll(async () => {
    await Promise.all([validating, mutating].map((target) => cluster.client.delete(resourceOf(target), target)));
    stop.abort();
    await Promise.all(running);
  });

  it('defaults through a Service and validates by URL', async () => {
    const stored = await cluster.client.create(configMaps, { metadata: { namespace, name: 'good' }, data: { a: 'b' } });
    expect(stored.data).toEqual({ a: 'b', colour: 'blue' });
  });

  it('refuses with the Status of an invalid object', async () => {
    const manifest = { metadata: { namespace, name: 'bad' }, data: { size: '-1', owner: '' } };
    const refusal = await cluster.client.create(configMaps, manifest).catch((error) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({
      reason: 'Invalid',
      code: 422,
      causes: [
        {
          reason: 'FieldValueInvalid',
          field: 'data.size',
          message: 'Invalid value: -1: must be greater than or equal to 0',
        },
        { reason: 'FieldValueRequired', field: 'data.owner', message: 'Required value' },
      ],
    });
  });

  const bad = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'bad' },
    data: { size: '-1' },
  });

  it.each([
    { args: ['create', '-f', '-'] },
    { args: ['create', '-f', '-', '--dry-run=server'] },
    { args: ['apply', '-f', '-'] },
    { args: ['apply', '-f', '-', '--server-side'] },
  ])('refuses kubectl $args with the words of a native kind', async ({ args }) => {
    expect(await cluster.kubectl(['-n', namespace, ...args], { input: bad })).toMatchObject({
      code: 1,
      stderr: 'The ConfigMap "bad" is invalid: data.size: Invalid value: -1: must be greater than or equal to 0\n',
    });
  });

  it('lists several errors in kubectl', async () => {
    const patch = JSON.stringify({ data: { size: '-1', owner: '' } });
    expect((await kubectl('patch', 'configmap', 'good', '-p', patch)).stderr).toBe(
      [
        'The ConfigMap "good" is invalid: ',
        '* data.size: Invalid value: -1: must be greater than or equal to 0',
        '* data.owner: Required value\n',
      ].join('\n'),
    );
  });

  it('warns in kubectl and lets the request pass', async () => {
    const patch = JSON.stringify({ data: { shape: 'round' } });
    expect(await kubectl('patch', 'configmap', 'good', '-p', patch)).toMatchObject({
      code: 0,
      stderr: 'Warning: data.shape is deprecated\n',
    });
  });

  it('denies for a reason that no field is to blame for', async () => {
    const { code, stderr } = await kubectl('delete', 'configmap', 'good');
    expect([code, stderr]).toEqual([
      1,
      `Error from server (Forbidden): admission webhook "validate.${namespace}.example" denied the request: this one stays\n`,
    ]);
  });

  it('trusts us again after somebody has applied the configuration without the CA', async () => {
    const strip = JSON.stringify([{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }]);
    const stripped = await cluster.kubectl(['patch', validating.kind, validating.name, '--type=json', '-p', strip]);
    expect(stripped.code).toBe(0);
    await eventually(async () => {
      const { webhooks: repaired } = await cluster.client.get(resourceOf(validating), validating);
      expect(repaired?.[0]?.clientConfig.caBundle).toBeDefined();
    });
    await eventually(() => admit());
  });

  it('admits every request while serving certificate and CA are replaced', async () => {
    const authorities = async (): Promise<string[]> => {
      const secret = await cluster.client.get(secrets, { namespace, name: 'webhook-certs' });
      return Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64')
        .toString()
        .split(/(?<=-----END CERTIFICATE-----\n)/);
    };
    const [firstAuthority] = await authorities();
    const before = served.length;
    const load = new Load();

    await moveClock(105 * MINUTE); // two thirds of the serving certificate's life
    await eventually(() => expect(served.length).toBe(before + 1));
    await moveClock(20 * MINUTE); // two thirds of the CA's life
    await eventually(async () => expect(await authorities()).not.toContain(firstAuthority));
    await load.more();

    expect(served.length).toBeGreaterThanOrEqual(before + 2);
    expect(await load.stop()).toEqual([]);
  });

  /** Moves the rotator's clock; touching the Secret makes it look at it. */
  async function moveClock(byMs: number): Promise<void> {
    aheadMs += byMs;
    const touch = { metadata: { annotations: { moved: String(aheadMs) } } };
    await cluster.client.patch(secrets, { namespace, name: 'webhook-certs' }, { type: 'merge', body: touch });
  }
});

/** One request through both webhooks, of which nothing is stored. */
async function admit(): Promise<void> {
  await cluster.client.create(
    configMaps,
    { metadata: { namespace, generateName: 'load-' } },
    { dryRun: true, attempts: 1 },
  );
}

/** A new connection, trusted for what the configuration says: the API server keeps its connections for long. */
async function shakeHands(): Promise<void> {
  const { webhooks: configured } = await cluster.client.get(resourceOf(mutating), mutating);
  const ca = Buffer.from(configured?.[0]?.clientConfig.caBundle ?? '', 'base64').toString();
  const servername = `webhook.${namespace}.svc`;
  const socket = connect({ port: await webhooks.ready(), host: '127.0.0.1', ca, servername });
  await once(socket, 'secureConnect');
  socket.destroy();
}

/** Some who keep asking, and what went wrong for them. */
class Load {
  answered = 0;
  #stopped = false;
  readonly #failures: string[] = [];
  readonly #users = [admit, admit, admit, shakeHands].map((ask) => this.#keep(ask));

  /** Resolves when many more have been answered, so that there are some after the last change. */
  async more(): Promise<void> {
    const until = this.answered + 100;
    await eventually(() => expect(this.answered).toBeGreaterThan(until));
  }

  async stop(): Promise<readonly string[]> {
    this.#stopped = true;
    await Promise.all(this.#users);
    return this.#failures;
  }

  async #keep(ask: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await ask().then(
        () => this.answered++,
        (error) => this.#failures.push(error.message),
      );
    }
  }
}
