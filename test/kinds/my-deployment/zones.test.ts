import { beforeEach, expect, it } from '@jest/globals';
import { Zones } from '../../../src/kinds/my-deployment/zones.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { ListOptions } from '../../../src/runtime/client/options.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let asked: ListOptions[];
/** Nodes with a zone, or why they cannot be listed. */
let found: readonly object[] | ApiError;
let zones: Zones;

beforeEach(() => {
  clock = new FakeClock();
  asked = [];
  found = [];
  const list = async (_: unknown, options: ListOptions) => {
    asked.push(options);
    if (found instanceof ApiError) throw found;
    return { metadata: {}, items: found };
  };
  zones = new Zones({ list } as unknown as Client, clock);
});

it('spreads over zones where there is a node with one', async () => {
  await zones.look();
  expect(zones.spread()).toBe('nodes');
  expect(asked).toEqual([expect.objectContaining({ labelSelector: 'topology.kubernetes.io/zone', limit: 1 })]);
  found = [{}];
  await zones.look();
  expect(zones.spread()).toBe('nodes and zones');
});

it('asks again after a minute, and goes by the last answer until the next one is there', async () => {
  await zones.look();
  found = [{}];
  await clock.advance(59_999);
  expect(zones.spread()).toBe('nodes');
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  expect([zones.spread(), zones.spread()]).toEqual(['nodes', 'nodes']);
  expect(asked).toHaveLength(2);
  await clock.advance(0);
  expect(zones.spread()).toBe('nodes and zones');
});

it('goes by what it knew last when it cannot ask', async () => {
  found = new ApiError('Forbidden', 'no');
  await zones.look();
  expect(zones.spread()).toBe('nodes');
  found = [{}];
  await zones.look();
  found = new ApiError('Timeout', 'slow');
  await zones.look();
  expect(zones.spread()).toBe('nodes and zones');
});
