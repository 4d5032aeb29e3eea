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
  expect(await zones.spread()).toBe('nodes');
  expect(asked).toEqual([expect.objectContaining({ labelSelector: 'topology.kubernetes.io/zone', limit: 1 })]);
  found = [{}];
  await clock.advance(60_000);
  expect(await zones.spread()).toBe('nodes and zones');
});

it('asks once a minute, however many want to know', async () => {
  found = [{}];
  const answers = await Promise.all([zones.spread(), zones.spread()]);
  await clock.advance(59_999);
  expect([...answers, await zones.spread()]).toEqual(Array(3).fill('nodes and zones'));
  expect(asked).toHaveLength(1);
});

it('goes by what it knew last when it cannot ask', async () => {
  found = new ApiError('Forbidden', 'no');
  expect(await zones.spread()).toBe('nodes');
  found = [{}];
  await clock.advance(60_000);
  expect(await zones.spread()).toBe('nodes and zones');
  found = new ApiError('Timeout', 'slow');
  await clock.advance(60_000);
  expect(await zones.spread()).toBe('nodes and zones');
});
