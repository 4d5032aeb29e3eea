// `kubectl md` against names that nobody should type, and against a cluster whose data is written to take terminals over:
// whatever is wrong is told in one line with exit code 1, and nothing that a cluster holds reaches a terminal as a code.

import { FAILED } from '../../../../src/kubectl/failure.ts';
import { run } from '../../../../src/kubectl/run.ts';
import type { Console } from '../../../../src/kubectl/terminal/console.ts';
import { isOver, type Part, shown, type Tally, type TransitionStage } from '../part.ts';

interface Heard {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function listen(argv: readonly string[], kubeconfig: string, isTerminal = false): Promise<Heard> {
  const [out, err]: [string[], string[]] = [[], []];
  const console: Console = {
    out: { write: (text) => void out.push(text), isTerminal },
    err: { write: (text) => void err.push(text), isTerminal },
    colour: isTerminal,
    interrupted: new AbortController().signal,
    size: () => ({ columns: 200, rows: 50 }),
    onResize: () => () => {},
  };
  const code = await run(argv, console, { KUBECONFIG: kubeconfig, HOME: '/nonexistent' });
  return { code, out: out.join(''), err: err.join('') };
}

/** Every command that takes a name, in a form that changes nothing. */
export const COMMANDS: readonly (readonly string[])[] = [
  ['get'],
  ['why'],
  ['rollout', 'status', '--watch=false'],
  ['rollout', 'history'],
  ['rollout', 'diff'],
  ['rollout', 'undo', '--dry-run=server'],
  ['rollout', 'pause', '--dry-run=server'],
  ['rollout', 'resume', '--dry-run=server'],
  ['rollout', 'restart', '--dry-run=server'],
  ['set', 'image', '--dry-run=server', '*=web:v2'],
  ['migrate', '--dry-run'],
];

const HOSTILE_NAMES: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  'md/../pods/web',
  'md/',
  'a b',
  '--flag',
  '-x',
  '$(reboot)',
  '`id`',
  'web;id',
  'web|cat',
  'web%2f..%00',
  'web?watch=true',
  'web#top',
  'we\u0000b',
  'web\nweb',
  'WEB',
  '名前',
  '🚀',
  '__proto__',
  'x'.repeat(300),
];

const HOSTILE_FLAGS: readonly (readonly string[])[] = [
  ['get', 'web', '--timeout=forever'],
  ['get', 'web', '-o', '$(id)'],
  ['get', 'web', '--namespace=../kube-system'],
  ['get', 'web', '--namespace=a\nb'],
  ['get', 'web', '--context=\u0000'],
  ['rollout', 'history', 'web', '--revision=-1'],
  ['rollout', 'history', 'web', '--revision=1e9'],
  ['rollout', 'undo', 'web', '--to-revision=99999999999999999999'],
  ['rollout', 'diff', 'web', '../1'],
  ['set', 'image', 'web', 'no-equals-sign'],
  ['set', 'image', 'web', '=web'],
  ['__proto__'],
  ['constructor'],
];

/** Names that are no names. */
export async function mistype({ cluster }: TransitionStage, part: Part, tally: Tally): Promise<void> {
  const named = COMMANDS.flatMap((command) => HOSTILE_NAMES.map((name) => withName(command, name)));
  for (const argv of [...named, ...HOSTILE_FLAGS]) {
    if (isOver(part)) return;
    tally.transitions += 1;
    const heard = await listen(argv, cluster.kubeconfig);
    if (!isOneLine(heard)) part.onViolation(`kubectl md ${shown(argv)}: ${shown(heard)}`);
  }
}

/** The name goes where the command's words end. */
export function withName(command: readonly string[], name: string): readonly string[] {
  const words = command.findLastIndex((word) => /^[a-z]+$/.test(word)) + 1;
  return [...command.slice(0, words), name, ...command.slice(words)];
}

function isOneLine({ code, out, err }: Heard): boolean {
  return code === FAILED && out === '' && /^(error: |Error from server)[^\n\r]+\n$/.test(err);
}
