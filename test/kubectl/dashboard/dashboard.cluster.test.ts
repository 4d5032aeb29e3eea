// `kubectl md dashboard` on a real cluster, in a real browser: each view and verb, a caller who may only look, names and annotations
// that want to be scripts, connections that are cut, a thousand pods.

import { afterAll, describe, it } from '@jest/globals';
import { useStage } from '../../e2e/stage.ts';
import { MisbehavingServer } from '../../kinds/rollout-policy/misbehaving-server.ts';
import { ensureBrowser, useBrowser } from '../../support/browser.ts';
import { describeWith } from '../../support/system-packages.ts';
import { pluginStage, usePlugin } from '../plugin.ts';
import { useDashboards } from './dashboard.ts';
import { actionScenes } from './scenes/actions.ts';
import { connectionScenes } from './scenes/connections.ts';
import { rightsScenes } from './scenes/rights.ts';
import { stepScenes } from './scenes/steps.ts';
import { viewScenes } from './scenes/views.ts';

const browser = await useBrowser();
const support = await ensureBrowser();
/** What gates ask. */
const prometheus = await MisbehavingServer.start();
// Before the cluster goes, whose own clean-up is registered next.
afterAll(() => prometheus.stop());
const operator = { flags: [`--prometheus=default=${prometheus.url}`] };
const own = support.ok ? await useStage({ name: 'dashboard', operator }) : undefined;

if (own === undefined) describeWith(support, 'kubectl md dashboard', () => it('is shown by a browser', () => {}));
else {
  const stage = pluginStage(own);
  const plugin = await usePlugin(stage.kubeconfig);
  const dashboards = useDashboards(plugin.program, stage.kubeconfig, browser);
  // One block for all: scenes of different blocks would wait for each other.
  describe('kubectl md dashboard', () => {
    viewScenes(stage, dashboards, plugin);
    actionScenes(stage, dashboards);
    rightsScenes(stage, dashboards);
    connectionScenes(stage, dashboards);
    stepScenes(stage, dashboards, prometheus);
  });
}
