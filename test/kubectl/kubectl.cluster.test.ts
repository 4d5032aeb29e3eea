// `kubectl md` on a real cluster: every subcommand, in a pipe and on a terminal whose screen is read back. One stage for
// all; each scene has a namespace of its own.

import { useStage } from '../e2e/stage.ts';
import { pluginStage, usePlugin } from './plugin.ts';
import { completionScenes } from './scenes/completion.ts';
import { getScenes } from './scenes/get.ts';
import { migrateScenes } from './scenes/migrate.ts';
import { policyScenes } from './scenes/policy.ts';
import { refusalScenes } from './scenes/refusals.ts';
import { rolloutScenes } from './scenes/rollout.ts';
import { selectionScenes } from './scenes/selection.ts';
import { whyScenes } from './scenes/why.ts';

const stage = pluginStage(await useStage({ name: 'kubectl' }));
const plugin = await usePlugin(stage.kubeconfig);

rolloutScenes(stage, plugin);
getScenes(stage, plugin);
selectionScenes(stage, plugin);
whyScenes(stage, plugin);
policyScenes(stage, plugin);
migrateScenes(stage, plugin);
completionScenes(stage, plugin);
await refusalScenes(stage, plugin);
