import { describe, expect, it } from '@jest/globals';
import {
  formatSelector,
  type LabelSelector,
  matcherOf,
  selectedKeys,
  selectorMatches,
  selectsEverything,
  unmetPart,
} from '../../src/workload/selector.ts';

const labels = { app: 'web', tier: 'front' };

describe('a selector', () => {
  it.each<{ name: string; selector: LabelSelector; matches: boolean }>([
    { name: 'nothing asked for', selector: {}, matches: true },
    { name: 'label present', selector: { matchLabels: { app: 'web' } }, matches: true },
    { name: 'label with another value', selector: { matchLabels: { app: 'api' } }, matches: false },
    { name: 'label missing', selector: { matchLabels: { app: 'web', zone: 'a' } }, matches: false },
    { name: 'In', selector: expressed('tier', 'In', ['back', 'front']), matches: true },
    { name: 'In, not listed', selector: expressed('tier', 'In', ['back']), matches: false },
    { name: 'In, label missing', selector: expressed('zone', 'In', ['a']), matches: false },
    { name: 'NotIn', selector: expressed('tier', 'NotIn', ['back']), matches: true },
    { name: 'NotIn, listed', selector: expressed('tier', 'NotIn', ['front']), matches: false },
    { name: 'NotIn, label missing', selector: expressed('zone', 'NotIn', ['a']), matches: true },
    { name: 'Exists', selector: expressed('tier', 'Exists'), matches: true },
    { name: 'Exists, label missing', selector: expressed('zone', 'Exists'), matches: false },
    { name: 'DoesNotExist', selector: expressed('zone', 'DoesNotExist'), matches: true },
    { name: 'DoesNotExist, label present', selector: expressed('tier', 'DoesNotExist'), matches: false },
    // Every object of JavaScript has a member of this name.
    { name: 'Exists, constructor', selector: expressed('constructor', 'Exists'), matches: false },
    { name: 'DoesNotExist, constructor', selector: expressed('constructor', 'DoesNotExist'), matches: true },
    { name: 'In, constructor', selector: expressed('constructor', 'In', ['a']), matches: false },
    { name: 'NotIn, constructor', selector: expressed('constructor', 'NotIn', ['a']), matches: true },
    {
      name: 'labels match, expression does not',
      selector: { matchLabels: { app: 'web' }, ...expressed('tier', 'In', ['back']) },
      matches: false,
    },
  ])('$name: $matches', ({ selector, matches }) => {
    expect(selectorMatches(selector, labels)).toBe(matches);
  });

  it('treats an object without labels as one with none', () => {
    expect(selectorMatches({ matchLabels: { app: 'web' } })).toBe(false);
    expect(selectorMatches(expressed('app', 'DoesNotExist'))).toBe(true);
  });

  it('is asked anew for other labels, however often the same ones come', () => {
    const matches = matcherOf({ matchLabels: { app: 'web' } });
    const [web, api] = [{ app: 'web' }, { app: 'api' }];
    const answers = [web, web, api, api, web, undefined].map((labels) => matches(labels));
    expect(answers).toEqual([true, true, false, false, true, false]);
  });

  it.each([
    { selector: undefined, everything: true },
    { selector: {}, everything: true },
    { selector: { matchLabels: {}, matchExpressions: [] }, everything: true },
    { selector: { matchLabels: { app: 'web' } }, everything: false },
    { selector: expressed('app', 'Exists'), everything: false },
    { selector: { matchLabels: { app: 'web' }, ...expressed('tier', 'Exists') }, everything: false },
  ])('$selector selects everything: $everything', ({ selector, everything }) => {
    expect(selectsEverything(selector)).toBe(everything);
  });

  it('refuses an operator that does not exist', () => {
    const selector = expressed('app', 'Maybe' as 'In');
    expect(() => selectorMatches(selector, labels)).toThrow('unknown operator: Maybe');
    expect(() => formatSelector(selector)).toThrow('unknown operator: Maybe');
  });
});

describe('a selector as text', () => {
  it.each<{ selector: LabelSelector; text: string }>([
    { selector: { matchLabels: { app: 'web' } }, text: 'app=web' },
    { selector: { matchLabels: { tier: 'front', app: 'web' } }, text: 'app=web,tier=front' },
    { selector: expressed('tier', 'In', ['front', 'back']), text: 'tier in (back,front)' },
    { selector: expressed('tier', 'NotIn', ['front']), text: 'tier notin (front)' },
    { selector: expressed('tier', 'Exists'), text: 'tier' },
    { selector: expressed('tier', 'DoesNotExist'), text: '!tier' },
    {
      selector: {
        matchLabels: { b: '1' },
        matchExpressions: [requirement('c', 'Exists'), requirement('a', 'In', ['x'])],
      },
      text: 'a in (x),b=1,c',
    },
    {
      selector: { matchExpressions: [requirement('a', 'NotIn', ['x']), requirement('a', 'Exists')] },
      text: 'a notin (x),a',
    },
  ])('$text', ({ selector, text }) => {
    expect(formatSelector(selector)).toBe(text);
  });
});

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

function requirement(key: string, operator: Operator, values?: string[]) {
  return { key, operator, ...(values && { values }) };
}

function expressed(key: string, operator: Operator, values?: string[]): LabelSelector {
  return { matchExpressions: [requirement(key, operator, values)] };
}

describe('the part of a selector that labels do not meet', () => {
  const exists = { key: 'tier', operator: 'Exists' } as const;
  const selector = { matchLabels: { app: 'web', team: 'a' }, matchExpressions: [exists] };

  it.each([
    { name: 'none of it', labels: undefined, unmet: selector },
    {
      name: 'some',
      labels: { app: 'web', team: 'b', tier: 'x' },
      unmet: { matchLabels: { team: 'a' }, matchExpressions: [] },
    },
    { name: 'all', labels: { app: 'web', team: 'a', tier: 'x' }, unmet: { matchLabels: {}, matchExpressions: [] } },
  ])('$name', ({ labels, unmet }) => {
    expect(unmetPart(selector, labels)).toEqual(unmet);
  });
});

it('speaks of the labels that it names in either way', () => {
  expect(
    selectedKeys({ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }),
  ).toEqual(['app', 'tier']);
  expect(selectedKeys({})).toEqual([]);
});
