import { describe, expect, it } from '@jest/globals';
import { Doubts } from '../../src/workload/doubts.ts';

describe('doubts about writes', () => {
  it('are kept until they are resolved one by one', () => {
    const doubts = new Doubts();
    const [create, record] = [{ of: 'create', name: 'a' } as const, { of: 'record', name: 'a' } as const];
    for (const doubt of [create, record]) doubts.raise(doubt);
    expect(doubts.all).toEqual([create, record]);
    doubts.resolve(create);
    expect(doubts.all).toEqual([record]);
    doubts.resolve(record);
    expect(doubts.all).toEqual([]);
  });

  it('about deletes are about a pod, not about its name', () => {
    const doubts = new Doubts();
    const deletes = ['one', 'two'].map((uid) => ({ of: 'delete', name: 'a', uid }) as const);
    for (const doubt of deletes) doubts.raise(doubt);
    expect(doubts.all).toEqual(deletes);
  });
});
