// A slice of the campaign for every run of the tests: the operator is killed around single writes. `make chaos` takes every
// write of every scenario, and besides lets faults befall the operator while people work.

import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { buildBundle } from '../../../src/build/bundle.ts';
import { useOwnCluster } from '../../support/cluster.ts';
import { crashAt } from './crash-points.ts';
import { Lane } from './lane.ts';
import { installWithoutWebhooks } from './real-cluster.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const { cluster } = await useOwnCluster({ name: 'crash' });
const program = join(cluster.home, 'operator.mjs');
await Promise.all([installWithoutWebhooks(cluster), buildBundle('src/main.ts', program)]);
const lane = await Lane.open({ cluster, program }, 'crash');
afterAll(() => lane.close());

it.each([
  { name: 'MyDeployment create', write: 3, moment: 'before' },
  { name: 'MyDeployment roll', write: 3, moment: 'after' },
  { name: 'MyDeployment recreate', write: 2, moment: 'after' },
  { name: 'RolloutPolicy canary', write: 4, moment: 'before' },
  { name: 'RolloutPolicy go back', write: 5, moment: 'after' },
  { name: 'in place image', write: 6, moment: 'after' },
  { name: 'in place image and size', write: 6, moment: 'before' },
  { name: 'ImoocPod create', write: 2, moment: 'after' },
  { name: 'MyDaemonSet roll', write: 2, moment: 'before' },
  { name: 'ModelBox create', write: 1, moment: 'after' },
  { name: 'Collector create', write: 1, moment: 'before' },
] as const)('$name, killed $moment write $write', async ({ name, write, moment }) => {
  const scenario = scenarios.find((each) => each.name === name) as Scenario;
  expect(await crashAt(lane, { scenario, write, moment })).toEqual({ crashed: true, broken: [] });
});
