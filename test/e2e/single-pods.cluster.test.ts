// What a RolloutPolicy says about single pods, on a real cluster: drains that end, room only when a pod has ended, and zones that
// stay even. Everybody who looks at pods and nodes is real: kubectl drain, the disruption controller, the scheduler.

import { describe, expect, it } from '@jest/globals';
import { rolloutPolicies } from '../../src/policy/resource.ts';
import type { RolloutPolicySpecPods } from '../../src/policy/types.gen.ts';
import { TERMINATE_AFTER } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { type FullPod, rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const ZONE = 'topology.kubernetes.io/zone';
const stage = await useStage({ name: 'single-pods', nodes: 3 });
const { scene } = stage;
// Two nodes in one zone, and one in another: natively, pods are kept even over nodes.
const ZONES = { 'node-0': 'a', 'node-1': 'a', 'node-2': 'b' } as const;
for (const [node, zone] of Object.entries(ZONES)) await stage.kubectl(['label', 'node', node, `${ZONE}=${zone}`]);

async function apply(web: Scene, manifest: object): Promise<void> {
  expect(await web.tryKubectl(['apply', '-f', '-'], JSON.stringify(manifest))).toMatchObject({ code: 0, stderr: '' });
}

async function govern(web: Scene, pods: RolloutPolicySpecPods): Promise<void> {
  await web.client.create(rolloutPolicies, { metadata: web.ref('web'), spec: { targetRef: { name: 'web' }, pods } });
}

describe('surgeOnDrain', () => {
  /** Drains the node of the first pod; its pods are then evicted, which is not held against the operator. */
  async function drain(
    web: Scene,
    timeout: string,
  ): Promise<{ readonly code: number; readonly gone: readonly FullPod[] }> {
    const before = await web.active();
    const node = before[0]?.spec?.nodeName as string;
    const gone = before.filter(({ spec }) => spec?.nodeName === node);
    web.watch.disturb(...gone.map(({ metadata }) => metadata.name));
    const { code } = await web.tryKubectl(['drain', node, '--pod-selector=app=web', `--timeout=${timeout}`]);
    await web.kubectl('uncordon', node);
    return { code, gone };
  }

  /** A budget that allows no disruption, however healthy all are. */
  async function withBudget(web: Scene): Promise<void> {
    const spec = { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } };
    await apply(web, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec });
    await web.create({ replicas: 4, ...rolling(1, 0) });
    await web.complete();
    const healthy = ['get', 'pdb', 'web', '-o', 'jsonpath={.status.currentHealthy}/{.status.desiredHealthy}'];
    await eventually(async () => expect(await web.kubectl(...healthy)).toBe('4/4'));
  }

  it(
    'lets the drain of a node end whose budget allows nothing, with never fewer available pods than replicas',
    scene(async (web) => {
      await govern(web, { surgeOnDrain: true });
      await withBudget(web);
      const from = web.watch.history.length;
      const { code, gone } = await drain(web, '120s');
      expect(code).toBe(0);
      expect(gone.length).toBeGreaterThan(0);
      await web.complete();
      const told = web.watch.history
        .slice(from)
        .flatMap((event) => (event.kind === 'MyDeployment' ? [event.object.status?.availableReplicas ?? 0] : []));
      expect(Math.min(...told)).toBe(4);
      const left = new Set((await web.active()).map(({ metadata }) => metadata.uid));
      expect(gone.filter(({ metadata }) => left.has(metadata.uid))).toEqual([]);
    }),
  );

  it(
    'is what it takes: without it the same drain does not end',
    scene(async (web) => {
      await withBudget(web);
      expect(await drain(web, '6s')).toMatchObject({ code: 1 });
      await web.complete();
    }),
  );
});

it(
  'podReplacementPolicy: TerminationComplete makes room only when a pod has ended',
  scene(async (web) => {
    await govern(web, { podReplacementPolicy: 'TerminationComplete' });
    const slowly = { [TERMINATE_AFTER]: '1s' };
    await web.create({ replicas: 4, ...rolling(1, 1), ...version('v1', slowly) });
    await web.complete();
    await web.change(version('v2', slowly));
    await web.complete();
    const present = new Set<string>();
    const counts = web.watch.history.flatMap((event) => {
      if (event.kind !== 'Pod') return [];
      if (event.type === 'DELETED') present.delete(event.object.metadata.uid);
      else present.add(event.object.metadata.uid);
      return [present.size];
    });
    expect(Math.max(...counts)).toBe(5);
  }),
);

it(
  'scaleDown.spreadBy keeps the zones even',
  scene(async (web) => {
    await govern(web, { scaleDown: { spreadBy: ZONE } });
    await web.create({ replicas: 12 });
    await web.complete();
    await web.change({ replicas: 6 });
    await web.complete();
    const zones = (await web.active()).map(({ spec }) => ZONES[spec?.nodeName as keyof typeof ZONES]);
    expect(zones.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  }),
);
