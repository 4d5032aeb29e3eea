import { describe, expect, it } from '@jest/globals';
import { formatDuration, parseDuration } from '../../src/kubectl/duration.ts';

describe('a duration', () => {
  it.each([
    ['30', 30_000],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['1h30m', 5_400_000],
    ['100ms', 100],
    ['0', 0],
    ['', undefined],
    ['s', undefined],
    ['5 m', undefined],
    ['-3s', undefined],
  ])('"%s" is read as %s ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [135, '2m15s'],
    [11 * 60, '11m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [9 * 3600, '9h'],
    [49 * 3600, '2d1h'],
    [10 * 86_400, '10d'],
    [800 * 86_400, '2y70d'],
    [-5, '0s'],
  ])('%d seconds are written "%s"', (seconds, text) => {
    expect(formatDuration(seconds * 1_000)).toBe(text);
  });
});
