import { expect, it } from '@jest/globals';
import { durationMs, formatDuration } from '../../src/policy/duration.ts';

it.each([
  { text: '1h', ms: 3_600_000 },
  { text: '2m', ms: 120_000 },
  { text: '30s', ms: 30_000 },
  { text: '250ms', ms: 250 },
  { text: '1h30m5s', ms: 5_405_000 },
  { text: '1.5h', ms: 5_400_000 },
  { text: '0s', ms: 0 },
  { text: '', ms: undefined },
  { text: '10', ms: undefined },
  { text: '10d', ms: undefined },
  { text: '-1m', ms: undefined },
  { text: 'about 1m', ms: undefined },
  { text: '1m or so', ms: undefined },
])('the duration "$text" has $ms ms', ({ text, ms }) => {
  expect(durationMs(text)).toBe(ms);
});

it.each([
  { ms: 3_600_000, text: '1h' },
  { ms: 3_599_000, text: '59m59s' },
  { ms: 5_405_000, text: '1h30m5s' },
  { ms: 100 * 3_600_000 + 1000, text: '100h1s' },
  { ms: 45_000, text: '45s' },
  { ms: 0, text: '' },
  { ms: 1500, text: '' },
])('$ms ms are written "$text"', ({ ms, text }) => {
  expect(formatDuration(ms)).toBe(text);
  if (text !== '') expect(durationMs(text)).toBe(ms);
});
