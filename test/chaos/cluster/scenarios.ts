// Every reference scenario of every kind.

import { collectorScenarios } from './kinds/collector.ts';
import { imoocPodScenarios } from './kinds/imooc-pod.ts';
import { inPlaceScenarios } from './kinds/in-place.ts';
import { modelBoxScenarios } from './kinds/model-box.ts';
import { myDaemonSetScenarios } from './kinds/my-daemon-set.ts';
import { myDeploymentScenarios } from './kinds/my-deployment.ts';
import { rolloutPolicyScenarios } from './kinds/rollout-policy.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [
  ...myDeploymentScenarios,
  ...rolloutPolicyScenarios,
  ...inPlaceScenarios,
  ...imoocPodScenarios,
  ...myDaemonSetScenarios,
  ...modelBoxScenarios,
  ...collectorScenarios,
];
