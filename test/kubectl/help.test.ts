import { describe, expect, it } from '@jest/globals';
import { candidatesFor } from '../../src/kubectl/candidates.ts';
import { commands } from '../../src/kubectl/commands.ts';
import { completionScript, shells } from '../../src/kubectl/completion-script.ts';
import { helpText } from '../../src/kubectl/help.ts';

describe('help', () => {
  it('names every command, and explains each with its flags', () => {
    const all = helpText([]);
    for (const { path, summary, flags } of commands) {
      expect(all).toContain(path.join(' '));
      const one = helpText(path);
      expect(one).toContain(`${summary}.`);
      for (const flag of flags) expect(one).toContain(`--${flag.name}`);
    }
  });

  it('on a group lists its commands only', () => {
    expect(helpText(['rollout'])).toContain('rollout undo');
    expect(helpText(['rollout'])).not.toContain('set image');
  });

  it('on something unknown says so', () => {
    expect(() => helpText(['rolout'])).toThrow('unknown command "rolout"; see kubectl md --help');
  });
});

describe('completion', () => {
  const words = (...line: string[]) => {
    const answer = candidatesFor(line);
    if (answer.from === 'files') return ['files'];
    return answer.from === 'table' ? answer.candidates.map(({ word }) => word) : answer.prefixes;
  };

  it.each([
    { line: [''], words: ['get', 'why', 'rollout', 'set', 'dashboard', 'migrate', 'version', 'completion'] },
    { line: ['roll'], words: ['rollout'] },
    { line: ['rollout', 're'], words: ['resume', 'restart', 'retry'] },
    { line: ['rollout', 'promote', ''], words: [''] },
    { line: ['rollout', 'promote', 'web', '--f'], words: ['--full', '--filename='] },
    { line: ['rollout', 'undo', 'web', '--to'], words: ['--to-revision='] },
    { line: ['-w', 'get', '--wa'], words: ['--watch'] },
    { line: ['-n', 'shop', 'rollout', 'st'], words: ['status'] },
    { line: ['completion', 'b'], words: ['bash'] },
    { line: ['why', 'web', ''], words: [''] },
    { line: ['rollout', 'diff', 'web', ''], words: [] },
    { line: ['get', '-n', ''], words: [] },
    { line: ['get', '-l', 'ap'], words: [] },
    { line: ['get', '-f', ''], words: ['files'] },
    { line: ['get', '--kubeconfig', ''], words: ['files'] },
    { line: ['get', '-w', ''], words: [''] },
    { line: ['get', ''], words: [''] },
    { line: ['get', 'md/'], words: ['md/'] },
    { line: ['migrate', ''], words: ['deployment/', 'md/'] },
  ])('of $line is $words', ({ line, words: wanted }) => {
    expect(words(...line)).toEqual(wanted);
  });

  it('has a script for each shell, which asks the program', () => {
    for (const shell of shells) expect(completionScript(shell)).toContain('__complete');
    expect(() => completionScript('tcsh')).toThrow('no completion for "tcsh": there is bash, zsh, fish');
  });
});
