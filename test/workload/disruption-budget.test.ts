// What is kept of a PodDisruptionBudget, and which of its changes matter.

import { describe, expect, it } from '@jest/globals';
import { Cache } from '../../src/runtime/cache/cache.ts';
import {
  budgetMatters,
  type DisruptionBudget,
  disruptionBudgetInformer,
  trimBudget,
} from '../../src/workload/disruption-budget.ts';
import { FakeApi } from '../runtime/cache/fake-api.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' };
const selector = { matchLabels: { app: 'web' } };
const kept: DisruptionBudget = { metadata, spec: { selector }, status: { desiredHealthy: 2 } };
const whole = {
  metadata: { ...metadata, labels: { app: 'web' } },
  spec: { selector, maxUnavailable: 0 },
  status: { desiredHealthy: 2, disruptionsAllowed: 0 },
} as DisruptionBudget;

describe('a budget in the cache', () => {
  it('has what the type names', () => {
    expect(trimBudget(whole)).toEqual(kept);
  });

  it('has nothing made up', () => {
    const { namespace: _, ...bare } = metadata;
    expect(trimBudget({ metadata: bare })).toStrictEqual({ metadata: bare, spec: {}, status: {} });
    expect(trimBudget({ metadata, status: { desiredHealthy: 0 } }).status).toEqual({ desiredHealthy: 0 });
  });

  it('is trimmed', async () => {
    const api = new FakeApi();
    const cache = new Cache(api.client, { clock: new FakeClock() });
    const informer = disruptionBudgetInformer(cache);
    const stop = new AbortController();
    const running = cache.start(stop.signal);
    await settle();
    await api.last.fill('7', whole);
    expect(informer.list()).toEqual([kept]);
    stop.abort();
    await running;
  });
});

describe('a change of a budget', () => {
  const updated = (object: DisruptionBudget) => budgetMatters({ type: 'updated', old: kept, object, initial: false });

  it.each([
    { name: 'its version', to: { ...kept, metadata: { ...metadata, resourceVersion: '8' } }, matters: false },
    { name: 'its selector', to: { ...kept, spec: { selector: { matchLabels: { app: 'api' } } } }, matters: true },
    { name: 'how many have to be healthy', to: { ...kept, status: { desiredHealthy: 1 } }, matters: true },
  ])('matters, or not: $name', ({ to, matters }) => {
    expect(updated(to)).toBe(matters);
  });

  it('matters when it comes or goes', () => {
    expect(budgetMatters({ type: 'added', object: kept, initial: false })).toBe(true);
    expect(budgetMatters({ type: 'deleted', object: kept, initial: false })).toBe(true);
  });
});
