// A MyDeployment that was stored before selectors on the operator's own labels were refused: the API server still takes
// changes and statuses of it, and the operator makes no pod that the selector could not match.

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { eventually } from '../support/eventually.ts';
import { type Change, conditionOf, type Scene } from './scene.ts';
import { useStage } from './stage.ts';

const { scene, kubectl } = await useStage({ name: 'stored-selector', operator: { webhooks: false } });

const CRD = 'mydeployments.kubebuilder.zq.com';
const HASH = 'pod-template-hash';
const labelled = { metadata: { labels: { [HASH]: 'mine' } } };

/** Has the API server take an object as it did before there were rules about the operator's labels. */
async function store(web: Scene, change: Change): Promise<MyDeployment> {
  const { stdout } = await kubectl(['get', 'crd', CRD, '-o', 'json']);
  const isOlder = (rule: object): boolean => !JSON.stringify(rule).includes(HASH);
  const older = JSON.parse(stdout, (key, value) =>
    key === 'x-kubernetes-validations' ? (value as object[]).filter(isOlder) : value,
  );
  await kubectl(['replace', '-f', '-'], { input: JSON.stringify(older) });
  const object = await eventually(() => web.create(change));
  await kubectl(['replace', '-f', 'crds/mydeployments.yaml']);
  await eventually(() => expect(web.create(change, 'another')).rejects.toThrow('the operator sets these labels'));
  return object;
}

it.each([
  { name: 'a value of its own', selector: { matchLabels: { [HASH]: 'mine' } }, unmet: 'pod-template-hash=mine' },
  {
    name: 'none at all',
    selector: { matchExpressions: [{ key: 'controller-revision-hash', operator: 'DoesNotExist' }] },
    unmet: '!controller-revision-hash',
  },
])('that selects $name makes no pods, says why, and can be changed', ({ selector, unmet }) =>
  scene(async (web) => {
    await store(web, { replicas: 3, selector, ...(HASH in (selector.matchLabels ?? {}) && { template: labelled }) });
    const failed = await web.condition('ReplicaFailure', 'True', 'FailedCreate');
    expect(conditionOf(failed, 'ReplicaFailure')?.message).toBe(`no pod of this template can match ${unmet}`);
    await delay(5_000);
    expect(await web.allPods()).toEqual([]);
    await web.change({ replicas: 4 });
    await web.reach({ replicas: 0, unavailableReplicas: 4 });
    await web.delete();
    await web.gone();
    expect(await web.allPods()).toEqual([]);
  })(),
);

it(
  'that selects what every pod of ours has works as before',
  scene(async (web) => {
    await store(web, {
      replicas: 2,
      selector: { matchExpressions: [{ key: HASH, operator: 'Exists' }] },
      template: labelled,
    });
    await web.complete();
    await web.change({ replicas: 3 });
    await web.complete();
  }),
);
