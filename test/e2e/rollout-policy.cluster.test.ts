// A RolloutPolicy on a real cluster, used as a person would: with kubectl alone. A canary waits for somebody, a broken one
// goes back by itself, and where there is no policy, the API server's audit log shows no difference.

import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { INSTALLATION } from '../../src/operator/names.ts';
import { PROMOTE } from '../../src/policy/requests.ts';
import { READY_AFTER } from '../../src/testing/index.ts';
import { AuditLog, type Requests } from '../bench/audit-log.ts';
import { eventually } from '../support/eventually.ts';
import { conditionOf, type FullPod, rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const stage = await useStage({ name: 'rollout-policy-stories', audit: true });
const { scene } = stage;
const audit = new AuditLog(join(stage.cluster.home, 'logs', 'audit.log'));
const OPERATOR = `system:serviceaccount:${INSTALLATION.namespace}:${INSTALLATION.serviceAccount}`;

const POLICY = `apiVersion: kubebuilder.zq.com/v1alpha1
kind: RolloutPolicy
metadata: {name: web}
spec:
  targetRef: {name: web}
  steps:
    - {replicas: 1, pause: {until: Promoted}}
    - {replicas: 50%, pause: {until: Promoted}}
  rollback: {}
`;

async function apply(web: Scene, manifest: string): Promise<string> {
  const { code, stdout, stderr } = await web.tryKubectl(['apply', '-f', '-'], manifest);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** What kubectl md rollout promote writes, also while the operator has not removed the last request yet. */
async function promote(web: Scene, number: number, step: number): Promise<void> {
  await web.kubectl('annotate', 'rop', 'web', '--overwrite', `${PROMOTE}=${JSON.stringify({ number, step })}`);
}

describe('a canary', () => {
  it.concurrent(
    'has exactly one new pod until a user promotes it, then half of them, then all',
    scene(async (web) => {
      await apply(web, POLICY);
      await web.create({ replicas: 10 });
      await web.complete();
      await web.change(version('v2'));
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      expect(await web.images()).toEqual({ 'web:v1': 9, 'web:v2': 1 });
      await promote(web, 2, 1);
      await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 5, 'web:v2': 5 }));
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      await promote(web, 2, 2);
      const { status } = await web.complete();
      expect(status?.currentRevision).toBe(status?.updateRevision);
      const made = web.watch.history.flatMap(({ kind, type, object }) =>
        kind === 'Pod' && type === 'ADDED' ? [(object as FullPod).spec?.containers[0]?.image] : [],
      );
      expect(made.toSorted()).toEqual([...Array(10).fill('web:v1'), ...Array(10).fill('web:v2')]);
    }),
  );

  it.concurrent(
    'that crashes is taken back; the spec stays, applied again it changes nothing, and a mended one rolls out',
    scene(async (web) => {
      await apply(web, POLICY);
      await web.create({ replicas: 10 });
      await web.complete();
      await web.change(version('v2', { 'cluster.mydeployment/behaviour': 'crash' }));
      const rejected = await web.condition('Stalled', 'True', 'RevisionRejected');
      expect(conditionOf(rejected, 'Progressing')).toMatchObject({ status: 'False', reason: 'RevisionRejected' });
      await web.reach({ replicas: 10, readyReplicas: 10, updatedReplicas: 0 });
      expect(await web.images()).toEqual({ 'web:v1': 10 });
      const { spec } = await web.get();
      expect(spec.template.spec.containers[0]?.image).toBe('web:v2');

      const made = web.watch.history.length;
      await web.change(version('v2', { 'cluster.mydeployment/behaviour': 'crash' }));
      await web.patch({ metadata: { annotations: { touched: 'true' } } });
      await eventually(() => expect(web.watch.history.length).toBeGreaterThan(made));
      expect(await web.images()).toEqual({ 'web:v1': 10 });

      await web.change(version('v3'));
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      expect(await web.images()).toEqual({ 'web:v1': 9, 'web:v3': 1 });
    }),
  );
});

describe('without a policy', () => {
  /** The same story for everybody: one pod after the other, so that no write depends on the timing of another. */
  async function play(web: Scene): Promise<void> {
    const calm = { [READY_AFTER]: '300ms' };
    await web.create({ replicas: 1, ...rolling(1, 0), ...version('v1', calm) });
    await web.complete();
    await web.change(version('v2', calm));
    await web.complete();
    await web.change({ replicas: 2 });
    await web.complete();
    await web.change({ replicas: 0 });
    await web.complete();
    await web.delete();
    await web.gone();
  }

  /**
   * How often an operator that runs these kinds used each verb to write. Statuses are coalesced by time, so their number
   * varies from run to run; what they say is compared on the model cluster.
   */
  async function writesOf(kinds: string): Promise<Requests['byVerb']> {
    await stage.operator.stop();
    const mark = await audit.mark();
    await scene(async (web) => {
      await stage.startOperator({ flags: [`--kinds=${kinds}`, `--namespaces=${web.namespace}`] });
      await play(web);
      await stage.operator.stop();
    })();
    const { byVerb } = await audit.since(mark, [OPERATOR]);
    return Object.fromEntries(
      Object.entries(byVerb).filter(([what]) => !/^(get|list|watch) |tokenreviews|\/status$/.test(what)),
    );
  }

  it('the operator writes what it writes when it does not know the kind', async () => {
    const native = await writesOf('mydeployment');
    expect(native).toMatchObject({ 'create pods': 3, 'create controllerrevisions': 2 });
    expect(await writesOf('mydeployment,rolloutpolicy')).toEqual(native);
  });
});
