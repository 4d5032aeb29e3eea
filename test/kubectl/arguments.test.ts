import { describe, expect, it } from '@jest/globals';
import { type Invocation, parseCommandLine, UsageError } from '../../src/kubectl/arguments.ts';

function parsed(line: string): Invocation {
  const result = parseCommandLine(line.split(' ').filter(Boolean));
  if ('help' in result) throw new Error(`asked for help about ${result.help.join(' ')}`);
  return result;
}

describe('a command line', () => {
  it.each([
    { line: 'get web', path: 'get', args: ['web'] },
    { line: '-n shop get web', path: 'get', args: ['web'] },
    { line: 'rollout status -w web', path: 'rollout status', args: ['web'] },
    { line: 'rollout undo web --to-revision 3', path: 'rollout undo', args: ['web'] },
    { line: 'why web shop', path: 'why', args: ['web', 'shop'] },
    { line: 'why -A', path: 'why', args: [] },
    { line: 'rollout restart -l app=web', path: 'rollout restart', args: [] },
    { line: 'rollout promote web --full', path: 'rollout promote', args: ['web'] },
    { line: 'rollout abort -l app=web', path: 'rollout abort', args: [] },
    { line: 'set image -f web.yaml a=b', path: 'set image', args: ['a=b'] },
    { line: 'set image web a=b c=d', path: 'set image', args: ['web', 'a=b', 'c=d'] },
    { line: 'rollout diff web 1 2', path: 'rollout diff', args: ['web', '1', '2'] },
  ])('"$line" is $path', ({ line, path, args }) => {
    const { command, args: rest } = parsed(line);
    expect({ path: command.path.join(' '), args: rest }).toEqual({ path, args });
  });

  it('reads flags wherever they stand, in every spelling', () => {
    const { flags } = parsed(
      '-nshop rollout status web --timeout=1m30s --revision 4 --watch=false --as-group a --as-group=b',
    );
    expect(flags.text('namespace')).toBe('shop');
    expect(flags.duration('timeout')).toBe(90_000);
    expect(flags.count('revision')).toBe(4);
    expect(flags.on('watch', true)).toBe(false);
    expect(flags.all('as-group')).toEqual(['a', 'b']);
    expect(flags.text('context')).toBeUndefined();
  });

  it.each([
    { line: 'rollout undo web --dry-run', dryRun: 'client' },
    { line: 'rollout undo web --dry-run=server', dryRun: 'server' },
    { line: 'rollout undo web', dryRun: undefined },
  ])('"$line" has --dry-run=$dryRun', ({ line, dryRun }) => {
    expect(parsed(line).flags.choice('dry-run', ['client', 'server', 'none'])).toBe(dryRun);
  });

  it.each([
    { line: '', help: [] },
    { line: '--help', help: [] },
    { line: 'help rollout', help: ['rollout'] },
    { line: 'rollout -h', help: ['rollout'] },
    { line: 'rollout status --help', help: ['rollout', 'status'] },
  ])('"$line" asks for help', ({ line, help }) => {
    expect(parseCommandLine(line.split(' ').filter(Boolean))).toEqual({ help });
  });

  it.each([
    { line: 'gte web', says: 'unknown command "gte"; did you mean "get"?' },
    { line: 'rollout stauts web', says: 'unknown command "stauts"; did you mean "status"?' },
    { line: 'frobnicate', says: 'unknown command "frobnicate"' },
    {
      line: 'rollout',
      says: '"rollout" needs one of status, history, diff, undo, pause, resume, restart, promote, abort, retry',
    },
    { line: 'get web --wacth', says: 'unknown flag --wacth; did you mean "--watch"?' },
    { line: 'why web -w', says: 'unknown flag -w; see kubectl md why --help' },
    { line: '--frobnicate', says: 'unknown flag --frobnicate; see kubectl md --help' },
    { line: '-x', says: 'unknown flag -x; see kubectl md --help' },
    { line: '--watch', says: 'unknown flag --watch; see kubectl md --help' },
    { line: '--kubeconfg=x', says: 'unknown flag --kubeconfg; did you mean "--kubeconfig"?' },
    { line: 'rollout --frobnicate --help', says: 'unknown flag --frobnicate; see kubectl md rollout --help' },
    { line: 'get web --frobnicate --help', says: 'unknown flag --frobnicate; see kubectl md get --help' },
    { line: 'help get --frobnicate', says: 'unknown flag --frobnicate; see kubectl md get --help' },
    { line: 'get web -n', says: 'flag needs an argument: -n' },
    { line: 'why', says: '"why" needs a NAME, -l LABELS or -f FILE: kubectl md why NAME...' },
    {
      line: 'rollout restart',
      says: '"rollout restart" needs a NAME, -l LABELS or -f FILE: kubectl md rollout restart NAME...',
    },
    { line: 'rollout restart -A', says: 'unknown flag -A; see kubectl md rollout restart --help' },
    { line: 'set image web', says: '"set image" needs more: kubectl md set image NAME... CONTAINER=IMAGE...' },
    {
      line: 'migrate md/web md/shop',
      says: '"migrate" takes no "md/shop": kubectl md migrate deployment/NAME | md/NAME',
    },
  ])('"$line" is refused: $says', ({ line, says }) => {
    expect(() => parsed(line)).toThrow(new UsageError(says));
  });

  it.each([
    { line: 'rollout status web --timeout=soon', says: '--timeout needs a duration such as 30s or 5m, got "soon"' },
    { line: 'rollout status web --revision=-1', says: '--revision needs a whole number, got "-1"' },
    { line: 'get web --watch=maybe', says: '--watch is either true or false, got "maybe"' },
  ])('"$line" is refused before anything is done: $says', ({ line, says }) => {
    expect(() => parsed(line)).toThrow(new UsageError(says));
  });
});
