import { describe, expect, it } from '@jest/globals';
import { fillIn, hasUnknownVariable } from '../../src/policy/variables.ts';

describe('the variables of a query', () => {
  const values = { namespace: 'shop', pods: 'a|b', stablePods: 'c' };

  it.each([
    {
      query: 'up{namespace="{{namespace}}",pod=~"{{pods}}"}',
      filled: 'up{namespace="shop",pod=~"a|b"}',
      unknown: false,
    },
    { query: 'x{pod=~"{{stablePods}}"} / x{pod=~"{{pods}}"}', filled: 'x{pod=~"c"} / x{pod=~"a|b"}', unknown: false },
    { query: 'up{{pod}} {{constructor}} {{ pods }}', filled: 'up{{pod}} {{constructor}} {{ pods }}', unknown: true },
    { query: 'vector(1)', filled: 'vector(1)', unknown: false },
  ])('of $query', ({ query, filled, unknown }) => {
    expect(fillIn(query, values)).toBe(filled);
    expect(hasUnknownVariable(query)).toBe(unknown);
  });

  it('are not looked for in what was filled in', () => {
    expect(fillIn('{{pods}}', { ...values, pods: '{{namespace}}' })).toBe('{{namespace}}');
    expect(fillIn('{{pods}}', { ...values, pods: '$&' })).toBe('$&');
  });
});
