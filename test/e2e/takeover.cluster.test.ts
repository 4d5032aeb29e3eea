// A standby takes over although its own watch of pods has gone silent, as that of a half-open connection does, while its
// other watches live. What its predecessor created it learns of by asking, before it plans anything.

import { expect, it } from '@jest/globals';
import { startOperator } from '../../src/local/operator.ts';
import { isWatchOfPods } from '../chaos/cluster/election-faults.ts';
import { WriteProxy } from '../chaos/cluster/write-proxy.ts';
import { eventually } from '../support/eventually.ts';
import type { Scene } from './scene.ts';
import { useStage } from './stage.ts';

const REPLICAS = 10;
const SETUP = { webhooks: false, flags: ['--leader-elect'] };

const stage = await useStage({ name: 'takeover', operator: SETUP });

it(
  'creates no pod too many when it takes over with a stale cache',
  stage.scene(async (web) => {
    const proxy = await WriteProxy.to(stage.cluster);
    const standby = await startOperator(stage.cluster, { ...SETUP, name: 'standby', server: proxy.url });
    try {
      proxy.isHeld = isWatchOfPods;
      await web.create({ replicas: REPLICAS });
      await web.complete();
      await stage.operator.process.kill();
      // Something for the standby to do, by which it shows that it leads.
      const [victim] = await web.active();
      if (victim !== undefined) await web.deletePods(victim);
      await replaced(web);
      proxy.isHeld = () => false;
      await web.complete();
      await eventually(async () => expect(await web.active()).toHaveLength(REPLICAS));
    } finally {
      await standby.stop();
      await proxy.close();
    }
  }),
);

async function replaced(web: Scene): Promise<void> {
  const created = (): number => web.watch.history.filter(({ kind, type }) => kind === 'Pod' && type === 'ADDED').length;
  await eventually(() => expect(created()).toBeGreaterThan(REPLICAS));
}
