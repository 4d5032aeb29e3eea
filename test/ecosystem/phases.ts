// Every phase that tools tell apart, for every kind: how to bring an object there, and what kstatus has to call it. A phase
// lasts until something changes, so an object in it can be read at leisure.

import { expect } from '@jest/globals';
import { collectors } from '../../src/kinds/collector/names.ts';
import { imoocPods } from '../../src/kinds/imooc-pod/schema.ts';
import type { KindName } from '../../src/kinds/kind-name.ts';
import { modelBoxes } from '../../src/kinds/model-box/names.ts';
import { myDaemonSets } from '../../src/kinds/my-daemon-set/names.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { rolloutPolicies } from '../../src/policy/resource.ts';
import type { RolloutPolicySpec } from '../../src/policy/types.gen.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { BEHAVIOUR } from '../../src/testing/index.ts';
import { minimalSpec, version } from '../e2e/scene.ts';
import { KindScene } from '../kinds/kind-scene.ts';
import type { TestCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import type { Verdict } from '../support/kstatus.ts';
import { type Json, merged } from '../support/merge-patch.ts';

type Owning = KubeObject & { readonly spec: object; readonly status?: object };
type Spec = Readonly<Record<string, Json>>;

export interface Phase {
  readonly kind: KindName;
  /** Also the name of the recording. */
  readonly phase: string;
  readonly kstatus: Verdict;
  /** What the object says of itself in the end. */
  readonly spec: Spec;
  /** The object as it was created is enough: the operator has not looked at it. */
  readonly isNew?: boolean;
  /** The spec that it is complete with first. */
  readonly from?: Spec;
  readonly before?: (scene: KindScene<Owning>) => Promise<unknown>;
  /** What happens once the object is as asked for. */
  readonly after?: (scene: KindScene<Owning>) => Promise<unknown>;
}

const web: Spec = merged(minimalSpec(), { replicas: 2 }) as Spec;
const broken: Spec = merged(web, version('v1', { [BEHAVIOUR]: 'not-ready' })) as Spec;
const nap: Spec = { replicas: 2 };
const agent: Spec = { image: 'agent:v1' };
const box: Spec = { name: 'model', image: 'model:v1', replicas: 2, ports: [{ port: 80 }] };
const counter: Spec = { target: { kind: 'MyDeployment', name: 'web' } };

/** The first pod stops being ready. */
async function breakPod(scene: KindScene<Owning>): Promise<void> {
  const [pod] = [...(await scene.allPods())].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  await scene.behave(pod as KubeObject, 'not-ready');
}

const canary: Spec = { targetRef: { name: 'web' }, steps: [{ replicas: 1, pause: { until: 'Promoted' } }] };
const cautious: Spec = { ...canary, rollback: {} };
const next: Spec = merged(web, version('v2')) as Spec;
const unpullable: Spec = merged(web, version('v2', { [BEHAVIOUR]: 'image-pull-error' })) as Spec;

const govern = (scene: KindScene<Owning>) =>
  scene.client.create(rolloutPolicies, {
    metadata: { namespace: scene.namespace, name: 'web' },
    spec: cautious as unknown as RolloutPolicySpec,
  });
const changeTarget = ({ client, namespace }: KindScene<Owning>, spec: Spec) =>
  client.patch(myDeployments, { namespace, name: 'web' }, { type: 'merge', body: { spec } });
const takeName = (scene: KindScene<Owning>) => scene.kubectl('create', 'service', 'clusterip', 'web', '--tcp=80');
const createTarget = (scene: KindScene<Owning>, spec = web) =>
  scene.client.create(myDeployments, { metadata: { namespace: scene.namespace, name: 'web' }, spec } as never);
const createRecreated = (scene: KindScene<Owning>) => createTarget(scene, { ...web, strategy: { type: 'Recreate' } });

export const PHASES: readonly Phase[] = [
  { kind: 'MyDeployment', phase: 'new', kstatus: 'InProgress', spec: web, isNew: true },
  { kind: 'MyDeployment', phase: 'progressing', kstatus: 'InProgress', spec: broken },
  { kind: 'MyDeployment', phase: 'healthy', kstatus: 'Current', spec: web },
  { kind: 'MyDeployment', phase: 'unready', kstatus: 'InProgress', spec: web, after: breakPod },
  { kind: 'MyDeployment', phase: 'suspended', kstatus: 'InProgress', spec: { ...web, paused: true }, from: web },
  { kind: 'MyDeployment', phase: 'degraded', kstatus: 'Failed', spec: { ...broken, progressDeadlineSeconds: 1 } },
  {
    kind: 'MyDeployment',
    phase: 'awaiting-promotion',
    kstatus: 'InProgress',
    spec: next,
    before: govern,
    from: web,
  },
  { kind: 'MyDeployment', phase: 'rejected', kstatus: 'Failed', spec: unpullable, before: govern, from: web },
  { kind: 'RolloutPolicy', phase: 'new', kstatus: 'InProgress', spec: canary, isNew: true },
  { kind: 'RolloutPolicy', phase: 'without-target', kstatus: 'InProgress', spec: canary },
  {
    kind: 'RolloutPolicy',
    phase: 'healthy',
    kstatus: 'Current',
    spec: canary,
    before: (scene) => createTarget(scene),
  },
  { kind: 'RolloutPolicy', phase: 'degraded', kstatus: 'Failed', spec: canary, before: createRecreated },
  {
    kind: 'RolloutPolicy',
    phase: 'suspended',
    kstatus: 'InProgress',
    spec: canary,
    before: (scene) => createTarget(scene),
    after: (scene) => changeTarget(scene, next),
  },
  {
    kind: 'RolloutPolicy',
    phase: 'rejected',
    kstatus: 'Failed',
    spec: cautious,
    before: (scene) => createTarget(scene),
    after: (scene) => changeTarget(scene, unpullable),
  },
  { kind: 'ImoocPod', phase: 'new', kstatus: 'InProgress', spec: nap, isNew: true },
  { kind: 'ImoocPod', phase: 'healthy', kstatus: 'Current', spec: nap },
  { kind: 'ImoocPod', phase: 'unready', kstatus: 'InProgress', spec: nap, after: breakPod },
  { kind: 'MyDaemonSet', phase: 'new', kstatus: 'InProgress', spec: agent, isNew: true },
  { kind: 'MyDaemonSet', phase: 'healthy', kstatus: 'Current', spec: agent },
  { kind: 'MyDaemonSet', phase: 'unready', kstatus: 'InProgress', spec: agent, after: breakPod },
  { kind: 'ModelBox', phase: 'new', kstatus: 'InProgress', spec: box, isNew: true },
  { kind: 'ModelBox', phase: 'healthy', kstatus: 'Current', spec: box },
  { kind: 'ModelBox', phase: 'unready', kstatus: 'InProgress', spec: box, after: breakPod },
  { kind: 'ModelBox', phase: 'degraded', kstatus: 'Failed', spec: box, before: takeName },
  { kind: 'Collector', phase: 'new', kstatus: 'InProgress', spec: counter, isNew: true },
  { kind: 'Collector', phase: 'healthy', kstatus: 'Current', spec: counter, before: (scene) => createTarget(scene) },
  { kind: 'Collector', phase: 'without-target', kstatus: 'InProgress', spec: counter },
];

const RESOURCES: Readonly<Record<KindName, Resource>> = {
  MyDeployment: myDeployments,
  RolloutPolicy: rolloutPolicies,
  ImoocPod: imoocPods,
  MyDaemonSet: myDaemonSets,
  ModelBox: modelBoxes,
  Collector: collectors,
};

/** Brings an object into the phase, in a namespace of its own, and returns how to read it. */
export async function enter(
  { kind, spec, isNew, before, from, after }: Phase,
  cluster: TestCluster,
): Promise<() => Promise<KubeObject>> {
  const scene = await KindScene.set(cluster, RESOURCES[kind] as Resource<Owning>);
  await before?.(scene);
  const created = await scene.create('web', from ?? spec);
  if (isNew) return async () => created;
  if (from !== undefined || after !== undefined) {
    await eventually(async () => expect(isComplete(await scene.get('web'))).toBe(true));
  }
  if (from !== undefined) await scene.change('web', spec);
  await after?.(scene);
  return () => scene.get('web');
}

/** True when everything that it asks for is there and ready. */
function isComplete({ status }: Owning): boolean {
  const {
    conditions = [],
    availableReplicas,
    numberReady,
  } = (status ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly availableReplicas?: number;
    readonly numberReady?: number;
  };
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready === undefined ? (numberReady ?? availableReplicas ?? 0) === 2 : ready.status === 'True';
}
