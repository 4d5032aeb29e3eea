import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it('measures the usual works of everybody, three times, with a thousand pods', () => {
    expect(parseOptions([])).toEqual({
      pods: 1000,
      rounds: 3,
      works: ['create', 'roll', 'heal', 'reaction', 'zero', 'freshness', 'many'],
      contenders: ['limit', 'native', 'ours'],
    });
  });

  it('takes what a person chooses, in the order in which it is done', () => {
    const args = ['--pods', '50', '--rounds=1', '--only', 'idle, roll', '--contenders', 'ours,native'];
    expect(parseOptions(args)).toEqual({
      pods: 50,
      rounds: 1,
      works: ['roll', 'idle'],
      contenders: ['native', 'ours'],
    });
  });

  it('knows everything', () => {
    expect(parseOptions(['--only', 'all']).works).toEqual(
      expect.arrayContaining(['surge', 'growth', 'idle', 'daemon']),
    );
  });

  it.each([
    { args: ['--pods', '0'], message: '--pods: must be a whole number from 1, got "0"' },
    { args: ['--rounds', '1.5'], message: '--rounds: must be a whole number from 1, got "1.5"' },
    { args: ['--only', 'roll,fly'], message: '--only: there is no "fly"' },
    { args: ['--contenders', ''], message: '--contenders: there is no ""' },
    { args: ['--fast'], message: "Unknown option '--fast'" },
  ])('refuses $args', ({ args, message }) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
