import { beforeEach, describe, expect, it } from '@jest/globals';
import { RefusedWrites } from '../../../src/runtime/consistency/refused-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const refusal = { reason: 'FailedAdopt', message: 'no' } as const;

let clock: FakeClock;
let claims: RefusedWrites;

beforeEach(() => {
  clock = new FakeClock();
  claims = new RefusedWrites(clock);
});

const waiting = () => [...claims.refusals].map(([uid, { forMs }]) => `${uid} ${forMs}`);

describe('a refused claim', () => {
  it('is not tried for two seconds, then for twice as long each time, up to half a minute', async () => {
    for (const ms of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      claims.note('a', refusal);
      expect(waiting()).toEqual([`a ${ms}`]);
      await clock.advance(ms - 1);
      expect(waiting()).toEqual(['a 1']);
      await clock.advance(1);
      expect(waiting()).toEqual([]);
    }
  });

  it('says why it was refused', () => {
    claims.note('a', refusal);
    expect(claims.refusals.get('a')).toEqual({ ...refusal, forMs: 2_000 });
  });

  it('that was not tried when its time came begins anew: by then nobody wanted it', async () => {
    claims.note('a', refusal);
    claims.note('a', refusal);
    await clock.advance(4_000 + 30_001);
    expect(waiting()).toEqual([]);
    claims.note('a', refusal);
    expect(waiting()).toEqual(['a 2000']);
  });

  it('that is tried as late as that goes on', async () => {
    claims.note('a', refusal);
    claims.note('a', refusal);
    await clock.advance(4_000 + 30_000);
    expect(waiting()).toEqual([]);
    claims.note('a', refusal);
    expect(waiting()).toEqual(['a 8000']);
  });

  it('that was granted meanwhile begins anew', () => {
    claims.note('a', refusal);
    claims.note('a', refusal);
    claims.clear('a');
    expect(waiting()).toEqual([]);
    claims.note('a', refusal);
    expect(waiting()).toEqual(['a 2000']);
  });
});
