// A slice of the campaign for every run of the tests: the operator is killed around single writes. `make chaos` takes every
// write of every scenario, and besides lets faults hit the operator while people work.

import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { buildBundle } from '../../../src/build/bundle.ts';
import { useOwnCluster } from '../../support/cluster.ts';
import { type CrashStage, crashAt } from './crash-points.ts';
import { installWithoutWebhooks } from './real-cluster.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { WriteProxy } from './write-proxy.ts';

const { cluster } = await useOwnCluster({ name: 'crash' });
await Promise.all([installWithoutWebhooks(cluster), buildBundle('src/main.ts', join(cluster.home, 'operator.mjs'))]);
const proxy = await WriteProxy.to(cluster);
const stage: CrashStage = { cluster, proxy, program: join(cluster.home, 'operator.mjs'), operator: undefined };
afterAll(async () => {
  await stage.operator?.stop();
  await proxy.close();
});

it.each([
  { name: 'create', write: 1, moment: 'after' },
  { name: 'create', write: 3, moment: 'before' },
  { name: 'roll', write: 2, moment: 'before' },
  { name: 'roll', write: 3, moment: 'after' },
  { name: 'recreate', write: 2, moment: 'after' },
  { name: 'adopt', write: 1, moment: 'after' },
] as const)('$name, killed $moment write $write', async ({ name, write, moment }) => {
  const scenario = scenarios.find((each) => each.name === name) as Scenario;
  expect(await crashAt(stage, { scenario, write, moment })).toEqual({ crashed: true, broken: [] });
});
