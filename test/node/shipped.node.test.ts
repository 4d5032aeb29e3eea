// The shipped operator on a real node. One cluster for all: a test that takes the operator away comes last.

import { beforeAll, describe } from '@jest/globals';
import { operatorStories } from './stories/operator.ts';
import { workloadStories } from './stories/workloads.ts';
import { installOperatorOn } from './support/operator.ts';
import { describeOnRealNode } from './support/real-cluster.ts';

const INSTALL_WITHIN_MS = 120_000;

await describeOnRealNode('a real node with the shipped operator', (real) => {
  beforeAll(() => installOperatorOn(real), INSTALL_WITHIN_MS);

  describe('workloads with real containers', () => workloadStories(real));
  describe('the operator', () => operatorStories(real));
});
