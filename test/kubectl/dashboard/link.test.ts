import { describe, expect, it } from '@jest/globals';
import { Link } from '../../../src/kubectl/dashboard/cluster/link.ts';
import type { ReflectorHealth } from '../../../src/runtime/cache/reflector.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import { toInstant } from '../../../src/runtime/instant.ts';

const refused = new ApiError('Connection', 'list pods: Connection', {
  cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
});
const watching = (heardAt: number): ReflectorHealth => ({
  phase: 'watching',
  lastActivityAt: toInstant(heardAt),
  failures: 0,
  lastError: undefined,
});
const waiting: ReflectorHealth = { phase: 'waiting', lastActivityAt: toInstant(0), failures: 1, lastError: refused };
const trying: ReflectorHealth = { ...waiting, phase: 'watching' };

/** The state after the watch of pods was in these states, a fifth of a second apart. */
function rowAfter(...states: readonly ReflectorHealth[]): Link['row'] {
  const link = new Link('cluster:6443');
  states.forEach((health, index) => void link.look([['pods', health]], toInstant(index * 200), index * 200));
  return link.row;
}

describe('the state of the watches', () => {
  it('is live while they are heard, and through a short interruption', () => {
    expect(rowAfter(watching(0))).toEqual({ is: 'live' });
    expect(rowAfter(watching(0), waiting, watching(300))).toEqual({ is: 'live' });
  });

  it('is away when a watch cannot be resumed, also while the next attempt has begun and is not answered', () => {
    const away = { is: 'away', because: expect.stringContaining('cluster:6443 was refused'), since: 600 };
    expect(rowAfter(watching(0), waiting, waiting, waiting)).toEqual(away);
    expect(rowAfter(watching(0), waiting, trying, waiting, trying)).toEqual(away);
  });

  it('is live again with the first answer', () => {
    expect(rowAfter(watching(0), waiting, waiting, waiting, watching(790))).toEqual({ is: 'live' });
  });

  it('is not a matter of rights or of kinds that are not installed', () => {
    const forbidden = { ...waiting, lastError: new ApiError('Forbidden', 'no') };
    expect(rowAfter(forbidden, forbidden, forbidden, forbidden)).toEqual({ is: 'live' });
  });
});
