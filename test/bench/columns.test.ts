import { describe, expect, it } from '@jest/globals';
import { aligned } from './columns.ts';

describe('aligned', () => {
  it('begins a column where its longest cell lets it, and ends lines without blanks', () => {
    expect(
      aligned([
        ['', 'rate', ''],
        ['undici', '588'],
        ['us', '1', 'x'],
      ]),
    ).toEqual(['         rate', 'undici   588', 'us       1      x']);
  });

  it('makes nothing of nothing', () => {
    expect(aligned([])).toEqual([]);
  });
});
