import { describe, expect, it } from '@jest/globals';
import { Doubts } from '../../src/workload/doubts.ts';

describe('doubts about writes', () => {
  it('are kept by owner until they are resolved one by one', () => {
    const doubts = new Doubts();
    const [create, record] = [{ of: 'create', name: 'a' } as const, { of: 'record', name: 'a' } as const];
    for (const doubt of [create, record]) doubts.raise('owner', doubt);
    doubts.raise('other', create);
    expect(doubts.of('owner')).toEqual([create, record]);
    doubts.resolve('owner', create);
    expect(doubts.of('owner')).toEqual([record]);
    expect(doubts.of('other')).toEqual([create]);
    doubts.resolve('owner', record);
    expect(doubts.of('owner')).toEqual([]);
  });

  it('about deletes are about a pod, not about its name', () => {
    const doubts = new Doubts();
    const deletes = ['one', 'two'].map((uid) => ({ of: 'delete', name: 'a', uid }) as const);
    for (const doubt of deletes) doubts.raise('owner', doubt);
    expect(doubts.of('owner')).toEqual(deletes);
  });

  it('are forgotten with their owner', () => {
    const doubts = new Doubts();
    doubts.raise('owner', { of: 'create', name: 'a' });
    doubts.forget('owner');
    expect(doubts.of('owner')).toEqual([]);
  });
});
