// What people do to a MyDeployment while faults befall its operator. Whatever they take away is owned up to, so that the
// watch does not blame the operator.

import { controllerOf } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { isActive } from '../../support/pod-facts.ts';
import type { Chance } from '../simulation/chance.ts';
import { image, Web } from './kinds/my-deployment.ts';
import { unlessGone, unlessThere } from './persistence.ts';

export type Deed = (web: Web, chance: Chance) => Promise<unknown>;

const RELEASED = 'released';
/** More than an operator works on at once. */
const CROWD = 24;

export const DEEDS: Readonly<Record<string, Deed>> = {
  scale: (web, chance) => web.change({ replicas: chance.between(0, 6) }),
  roll: (web, chance) => web.change(image(`v${chance.between(1, 4)}`)),
  undo: (web) => web.undo(),
  pause: (web) => web.change({ paused: true }),
  resume: (web) => web.change({ paused: false }),
  'delete a pod': async (web, chance) => {
    const victim = await pickPod(web, chance);
    if (victim !== undefined) await web.client.delete(pods, victim.metadata, { uid: victim.metadata.uid });
  },
  'take a pod out': async (web, chance) => {
    const victim = await pickPod(web, chance);
    if (victim !== undefined) await relabel(web, victim, RELEASED);
  },
  'bring in an orphan': async (web, chance) => {
    const outside = (await web.list(pods)).find(({ metadata }) => metadata.labels?.app === RELEASED);
    if (outside !== undefined) return relabel(web, outside, web.ref.name);
    const [twin] = await web.owned(pods);
    if (twin !== undefined) await unlessThere(web.addPod(`orphan-${chance.between(0, 1e9)}`, twin.metadata.labels));
  },
  'run a bare pod': (web, chance) => {
    const labels = chance.pick([{}, { 'pod-template-hash': '5d4f8c7b9' }]);
    return unlessThere(web.addPod(`bare-${chance.between(0, 1e9)}`, labels));
  },
  'remove a bare pod': async (web) => {
    const bare = (await web.list(pods)).find(({ metadata }) => metadata.name.startsWith('bare-'));
    if (bare === undefined) return;
    web.watch.disturb(bare.metadata.name);
    await unlessGone(web.client.delete(pods, bare.metadata, { uid: bare.metadata.uid }));
  },
  'delete and create anew': async (web, chance) => {
    await unlessGone(web.delete(chance.pick(['Foreground', 'Background', 'Orphan'])));
    await web.until(() => web.create(chance.between(1, 4)));
  },
  crowd: async (web) => {
    const names = Array.from({ length: CROWD }, (_, index) => `crowd-${index}`);
    await Promise.all(names.map((name) => unlessThere(new Web(web, web.watch, name).create(1))));
  },
};

async function pickPod(web: Web, chance: Chance): Promise<Pod | undefined> {
  const { metadata } = await web.get();
  const ours = (await web.list(pods)).filter((pod) => isActive(pod) && controllerOf(pod)?.uid === metadata.uid);
  if (ours.length === 0) return undefined;
  const victim = chance.pick(ours);
  web.watch.disturb(victim.metadata.name);
  return victim;
}

async function relabel(web: Web, { metadata }: Pod, app: string): Promise<void> {
  await web.client.patch(pods, metadata, { type: 'merge', body: { metadata: { labels: { app } } } });
}
