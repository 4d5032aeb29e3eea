import { describe, expect, it } from '@jest/globals';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';

const pair = { cert: 'cert', key: 'key' };

describe('the certificate of the moment', () => {
  it('is told to those who come later, and every other one that follows', () => {
    const current = new CurrentCertificate();
    const told: unknown[] = [];
    current.set(pair);
    const stop = current.subscribe((next) => told.push(next));
    const others = [
      { ...pair, key: 'other' },
      { cert: 'other', key: 'other' },
    ];
    for (const next of [{ ...pair }, ...others]) current.set(next);
    stop();
    current.set(pair);
    expect(told).toEqual([pair, ...others]);
  });
});
