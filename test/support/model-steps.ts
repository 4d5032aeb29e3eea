// Everything that can happen to a MyDeployment, as small steps that a property test strings together in any order.
// A step that finds nothing to act on does nothing, so every sequence makes sense and shrinks well.

import fc from 'fast-check';
import { plan } from '../../src/kinds/my-deployment/plan/plan.ts';
import { ROLLBACK_TO } from '../../src/kinds/my-deployment/plan/rollback.ts';
import type { MyDeploymentSpecStrategy } from '../../src/kinds/my-deployment/types.gen.ts';
import type { Action } from '../../src/workload/action.ts';
import { isReady, isTerminating, type Pod } from '../../src/workload/pod.ts';
import type { PodTemplate } from '../../src/workload/template-schema.ts';
import { byStage, type ModelCluster } from './model-cluster.ts';

export type Step =
  | { readonly step: 'reconcile' }
  /** The controller dies after so many writes of a plan; the pods' writes are under way in any order. */
  | { readonly step: 'crash'; readonly writes: number; readonly shuffle: number }
  | { readonly step: 'wait'; readonly seconds: number }
  | { readonly step: 'ready' | 'remove' | 'unready' | 'fail' | 'kill' | 'relabel' | 'cheapen'; readonly pick: number }
  | { readonly step: 'orphan' | 'bare' | 'stranger' | 'forget' | 'pause' | 'resume' | 'undo' }
  | { readonly step: 'roll'; readonly version: number }
  | { readonly step: 'scale'; readonly replicas: number }
  | { readonly step: 'strategy'; readonly strategy: MyDeploymentSpecStrategy };

export function versionOf(version: number): PodTemplate {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: `web:${version}` }] } };
}

const index = fc.nat(50);
const rollingUpdate = fc
  .record({ maxSurge: fc.nat(4), maxUnavailable: fc.nat(4) })
  .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0);
export const rolling = rollingUpdate.map((pace) => ({ type: 'RollingUpdate', rollingUpdate: pace }) as const);

export const strategy: fc.Arbitrary<MyDeploymentSpecStrategy> = fc.oneof(
  { weight: 3, arbitrary: rolling },
  { weight: 1, arbitrary: fc.constant({ type: 'Recreate' } as const) },
);

const onlyStep = <S extends Step['step']>(...steps: S[]) => fc.constantFrom(...steps.map((step) => ({ step })));
const picked = <S extends Step['step']>(...steps: S[]) => fc.record({ step: fc.constantFrom(...steps), pick: index });

/** What a healthy cluster and a user who only changes the template do. */
export const calmStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: onlyStep('reconcile') },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('crash'), writes: fc.nat(6), shuffle: fc.nat() }) },
  { weight: 8, arbitrary: picked('ready') },
  { weight: 3, arbitrary: picked('remove') },
  { weight: 2, arbitrary: picked('cheapen') },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('wait'), seconds: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('roll'), version: fc.nat(3) }) },
  { weight: 1, arbitrary: onlyStep('pause', 'resume', 'undo') },
);

/** The same, and everything that goes wrong or is changed in between. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: calmStep },
  { weight: 3, arbitrary: picked('unready', 'unready', 'fail', 'kill', 'relabel') },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('scale'), replicas: fc.nat(12) }) },
  { weight: 1, arbitrary: onlyStep('orphan', 'bare', 'stranger', 'forget') },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('strategy'), strategy }) },
);

type Reconcile = Step & { readonly step: 'reconcile' };

/** Steps in a row; after about every second one, the controller gets to see what happened. */
export function storyOf<S>(step: fc.Arbitrary<S>, maxLength: number): fc.Arbitrary<(S | Reconcile)[]> {
  const seen = fc
    .tuple(step, fc.boolean())
    .map(([one, isSeen]): (S | Reconcile)[] => (isSeen ? [one, { step: 'reconcile' }] : [one]));
  return fc.array(seen, { maxLength }).map((steps) => steps.flat());
}

type Look = (action: Action) => void;
type Steps = { readonly [S in Step['step']]: (cluster: ModelCluster, step: Step & { step: S }, look: Look) => void };

const STEPS: Steps = {
  reconcile: (cluster, _, look) => reconcile(cluster, look),
  crash: (cluster, step, look) => crash(cluster, step, look),
  wait: (cluster, { seconds }) => {
    cluster.now += seconds * 1000;
  },
  ready: (cluster, { pick }) =>
    act(
      cluster.active.filter((pod) => !isReady(pod)),
      pick,
      (pod) => cluster.makeReady(pod),
    ),
  unready: (cluster, { pick }) => act(cluster.ready, pick, (pod) => cluster.makeUnready(pod)),
  fail: (cluster, { pick }) => act(cluster.active, pick, (pod) => cluster.fail(pod)),
  kill: (cluster, { pick }) => act(cluster.active, pick, (pod) => cluster.terminate(pod)),
  relabel: (cluster, { pick }) =>
    act(cluster.active, pick, (pod) => cluster.patchPod(pod, { labels: { app: 'debug' } })),
  cheapen: (cluster, { pick }) => act(cluster.active, pick, (pod) => cluster.patchPod(pod, { annotations: CHEAP })),
  remove: (cluster, { pick }) => act(terminating(cluster), pick, (pod) => cluster.remove(pod)),
  orphan: (cluster) =>
    act(cluster.active, 0, ({ metadata: { labels = {} } }) => {
      cluster.addPod({ name: `orphan-${cluster.pods.size}`, labels });
    }),
  bare: (cluster) => {
    cluster.addPod({ name: `bare-${cluster.pods.size}`, labels: { app: 'web' } });
  },
  stranger: (cluster) => {
    cluster.addPod({ name: `stranger-${cluster.pods.size}`, labels: { app: 'web' }, ownerReferences: [STRANGER] });
  },
  forget: (cluster) => {
    cluster.revisions.delete([...cluster.revisions.keys()][0] ?? '');
  },
  pause: (cluster) => cluster.edit({ paused: true }),
  resume: (cluster) => cluster.edit({ paused: false }),
  undo: (cluster) => cluster.annotate({ [ROLLBACK_TO]: '0' }),
  roll: (cluster, { version }) => cluster.edit({ template: versionOf(version) }),
  scale: (cluster, { replicas }) => cluster.edit({ replicas }),
  strategy: (cluster, { strategy }) => cluster.edit({ strategy }),
};

/** Takes the step; `look` is called after each single write of the controller. */
export function take(cluster: ModelCluster, step: Step, look: Look = () => {}): void {
  (STEPS[step.step] as (cluster: ModelCluster, step: Step, look: Look) => void)(cluster, step, look);
}

const CHEAP = { 'controller.kubernetes.io/pod-deletion-cost': '-5' };
const STRANGER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'other', uid: 'other', controller: true };

function reconcile(cluster: ModelCluster, look: Look): void {
  const planned = plan(cluster.snapshot(), cluster.now);
  for (const action of planned.actions) applyAndLook(cluster, action, look);
  cluster.storeStatus(planned);
}

/** Some writes of a plan: a stage at a time, within the pods' stage in any order, and no status. */
function crash(cluster: ModelCluster, { writes, shuffle }: Step & { step: 'crash' }, look: Look) {
  const [claims = [], records = [], pods = [], forgets = []] = byStage(plan(cluster.snapshot(), cluster.now));
  const anyOrder = pods.flatMap(oneByOne).toSorted((one, other) => scramble(one, shuffle) - scramble(other, shuffle));
  for (const action of [...claims, ...records, ...anyOrder, ...forgets].slice(0, writes)) {
    applyAndLook(cluster, action, look);
  }
}

/** A batch of creates as the single creates it is made of. */
export function oneByOne(action: Action): Action[] {
  return action.do === 'createPods' ? Array.from({ length: action.count }, () => ({ ...action, count: 1 })) : [action];
}

function applyAndLook(cluster: ModelCluster, action: Action, look: Look): void {
  for (const single of oneByOne(action)) {
    cluster.apply(single);
    look(single);
  }
}

function scramble(action: Action, salt: number): number {
  const text = JSON.stringify(action);
  return [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0) + salt) % 65537, 7);
}

function terminating(cluster: ModelCluster): Pod[] {
  return [...cluster.pods.values()].filter(isTerminating);
}

function act(pods: readonly Pod[], pick: number, effect: (pod: Pod) => void): void {
  const pod = pods[pick % Math.max(1, pods.length)];
  if (pod !== undefined) effect(pod);
}

/** Lets a healthy cluster run until nothing is left to do. Time passes only where a plan asks to be woken. */
export function runToRest(cluster: ModelCluster): void {
  for (let round = 0; round < 200; round++) {
    const { checkAgainAt } = cluster.settle();
    const leaving = terminating(cluster);
    const starting = cluster.active.filter((pod) => !isReady(pod));
    for (const pod of leaving) cluster.remove(pod);
    for (const pod of starting) cluster.makeReady(pod);
    if (leaving.length + starting.length > 0) continue;
    if (checkAgainAt === undefined) return;
    cluster.now = checkAgainAt;
  }
  throw new Error('no rest after 200 rounds');
}
