import { describe, expect, it } from '@jest/globals';
import { isAmount } from '../../src/runtime/quantity.ts';

describe('an amount of a resource', () => {
  it.each(['0', '1', 2, '500m', '1.5', '.5', '1.', '128Mi', '2Gi', '1e3', '1E-3', '5k', '10n', '+1'])(
    'is %j',
    (value) => {
      expect(isAmount(value)).toBe(true);
    },
  );

  it.each(['', 'lots', '1 Gi', '1gi', '128MB', '-1', '1e', '1.2.3', 'Mi', Number.NaN])('is not %j', (value) => {
    expect(isAmount(value)).toBe(false);
  });
});
