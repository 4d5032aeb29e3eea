// The list of kinds. Everything that installs, runs, documents or tests kinds reads it: a new kind is a folder, one
// line here, and its name in kind-name.ts, without which this file does not compile.

import type { Kind } from '../runtime/kind.ts';
import { collectorKind } from './collector/kind.ts';
import { imoocPodKind } from './imooc-pod/kind.ts';
import type { KindName } from './kind-name.ts';
import { modelBoxKind } from './model-box/kind.ts';
import { myDaemonSetKind } from './my-daemon-set/kind.ts';
import { myDeploymentKind } from './my-deployment/kind.ts';
import { rolloutPolicyKind } from './rollout-policy/kind.ts';

export const KINDS = {
  MyDeployment: myDeploymentKind,
  RolloutPolicy: rolloutPolicyKind,
  ImoocPod: imoocPodKind,
  MyDaemonSet: myDaemonSetKind,
  ModelBox: modelBoxKind,
  Collector: collectorKind,
} as const satisfies Readonly<Record<KindName, Kind>>;
