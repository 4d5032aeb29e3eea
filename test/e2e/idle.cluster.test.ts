// All kinds together, three hundred objects, one operator: when everything is as asked, it writes nothing at all, by the
// API server's own account. Only the Lease of leader election is renewed, which the audit log counts apart.
//   IDLE_SECONDS=60 npm test -- test/e2e/idle --selectProjects cluster

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectors } from '../../src/kinds/collector/names.ts';
import { imoocPods } from '../../src/kinds/imooc-pod/schema.ts';
import { modelBoxes } from '../../src/kinds/model-box/names.ts';
import { myDaemonSets } from '../../src/kinds/my-daemon-set/names.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { INSTALLATION } from '../../src/operator/names.ts';
import { type Condition, isConditionTrue } from '../../src/runtime/conditions.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { AuditLog, type Requests } from '../bench/audit-log.ts';
import { eventually } from '../support/eventually.ts';
import { minimalSpec } from './scene.ts';
import { useStage } from './stage.ts';

const OF_EACH_KIND = 60;
/** How long nothing may be written. */
const IDLE_SECONDS = Number(process.env.IDLE_SECONDS ?? 20);
const PATIENCE_MS = 100_000;
const OPERATOR = `system:serviceaccount:${INSTALLATION.namespace}:${INSTALLATION.serviceAccount}`;

const stage = await useStage({ name: 'idle', nodes: 3, audit: true, operator: { flags: ['--leader-elect'] } });
const { client } = stage;
const audit = new AuditLog(join(stage.cluster.home, 'logs', 'audit.log'));

interface Reporting extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly changes?: readonly { readonly state: string }[];
  };
}

interface Cast {
  readonly resource: Resource;
  spec(name: string, index: number): object;
  isAtRest(object: Reporting): boolean;
}

const isReady = ({ status }: Reporting): boolean => isConditionTrue(status?.conditions, 'Ready');

const CAST: readonly Cast[] = [
  {
    resource: myDeployments as Resource,
    spec: (name, index) => ({ ...minimalSpec(name), replicas: index % 4 }),
    isAtRest: ({ spec, status }) =>
      [status?.updatedReplicas, status?.availableReplicas].every((count) => count === spec.replicas),
  },
  { resource: imoocPods as Resource, spec: (_, index) => ({ replicas: index % 3 }), isAtRest: isReady },
  { resource: myDaemonSets as Resource, spec: () => ({ image: 'agent:v1' }), isAtRest: isReady },
  {
    resource: modelBoxes as Resource,
    spec: () => ({ image: 'web:1', replicas: 1, minReadySeconds: 0, ports: [{ port: 80 }] }),
    isAtRest: isReady,
  },
  {
    resource: collectors as Resource,
    spec: (name) => ({ target: { kind: 'MyDeployment', name }, quietSeconds: 1 }),
    isAtRest: ({ status }) =>
      isConditionTrue(status?.conditions, 'Ready') && status?.changes?.every(({ state }) => state !== 'Open') === true,
  },
];

async function createAll(namespace: string, { resource, spec }: Cast): Promise<void> {
  for (let index = 0; index < OF_EACH_KIND; index++) {
    // Each kind has names of its own, but a Collector bears the name of whom it observes.
    const observed = resource === collectors ? myDeployments : resource;
    const name = `${observed.plural}-${index}`;
    await client.create(resource, { metadata: { namespace, name }, spec: spec(name, index) } as Manifest<KubeObject>);
  }
}

/** Throws while one of them is not as asked, or does not say so. */
async function atRest(namespace: string, { resource, isAtRest }: Cast): Promise<void> {
  const { items } = await client.list(resource as Resource<Reporting>, { namespace });
  const restless = items.filter(
    (object) => object.status?.observedGeneration !== object.metadata.generation || !isAtRest(object),
  );
  expect(restless.map(({ metadata, status }) => ({ name: metadata.name, status }))).toEqual([]);
  expect(items).toHaveLength(OF_EACH_KIND);
}

async function requestsWithin(seconds: number): Promise<Requests> {
  const mark = await audit.mark();
  await delay(seconds * 1000);
  return audit.since(mark, [OPERATOR]);
}

it(
  `${CAST.length * OF_EACH_KIND} objects at rest cost no write in ${IDLE_SECONDS} seconds`,
  async () => {
    const namespace = await stage.namespace();
    await Promise.all(CAST.map((cast) => createAll(namespace, cast)));
    await eventually(() => Promise.all(CAST.map((cast) => atRest(namespace, cast))), PATIENCE_MS, 500);
    // What was counted meanwhile may still have to be told.
    await eventually(async () => expect(await requestsWithin(3)).toMatchObject({ writes: 0 }), PATIENCE_MS);

    const { writes, dryRuns, leaseWrites, byVerb } = await requestsWithin(IDLE_SECONDS);
    expect({ writes, dryRuns, byVerb }).toEqual({ writes: 0, dryRuns: 0, byVerb: expect.anything() });
    expect(leaseWrites).toBeGreaterThan(0); // it is alive, and the log shows it
    await Promise.all(CAST.map((cast) => atRest(namespace, cast)));
  },
  IDLE_SECONDS * 1000 + 3 * PATIENCE_MS,
);
