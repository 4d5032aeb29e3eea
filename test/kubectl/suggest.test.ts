import { describe, expect, it } from '@jest/globals';
import { editDistance, nearest } from '../../src/kubectl/suggest.ts';

describe('a guess at what was meant', () => {
  it.each([
    ['status', 'status', 0],
    ['stauts', 'status', 1],
    ['statu', 'status', 1],
    ['', 'get', 3],
    ['kitten', 'sitting', 3],
  ])('%s and %s are %d apart', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  it.each([
    ['undp', 'undo'],
    ['hsitory', 'history'],
    ['banana', undefined],
  ])('%s means %s', (typed, meant) => {
    expect(nearest(typed, ['undo', 'history', 'status'])).toBe(meant);
  });
});
