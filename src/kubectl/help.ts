// What `--help` prints, from the table of commands.

import { UsageError } from './arguments.ts';
import { type Command, commands, type Flag, globalFlags } from './commands.ts';
import { table } from './terminal/text.ts';

/** Help on the commands that begin with these words; on all without any. */
export function helpText(words: readonly string[]): string {
  const chosen = commands.filter(({ path }) => words.every((word, index) => path[index] === word));
  const [only] = chosen;
  if (only === undefined) throw new UsageError(`unknown command "${words.join(' ')}"; see kubectl md --help`);
  return `${(chosen.length === 1 ? commandHelp(only) : overview(chosen)).join('\n')}\n`;
}

function overview(chosen: readonly Command[]): string[] {
  return [
    'Show and control rollouts of MyDeployments, which kubectl rollout does not support.',
    '',
    'Usage:',
    '  kubectl md COMMAND [flags]',
    '',
    'Commands:',
    ...table(chosen.map(({ path, summary }) => [`  ${path.join(' ')}`, summary])),
    '',
    'A MyDeployment is named NAME, md/NAME or mydeployment/NAME.',
    ...flagHelp('Flags of every command', globalFlags),
    '',
    'kubectl md COMMAND --help says more about one.',
  ];
}

function commandHelp({ path, summary, usage, flags, examples }: Command): string[] {
  const words = path.join(' ');
  return [
    `${summary}.`,
    '',
    'Usage:',
    `  ${['kubectl md', words, usage, '[flags]'].filter(Boolean).join(' ')}`,
    '',
    'Examples:',
    ...examples.map((example) => `  kubectl md ${example}`),
    ...flagHelp('Flags', flags),
    ...flagHelp('Flags of every command', globalFlags),
  ];
}

function flagHelp(title: string, flags: readonly Flag[]): string[] {
  if (flags.length === 0) return [];
  return ['', `${title}:`, ...table(flags.map((flag) => [`  ${spelled(flag)}`, flag.summary]))];
}

function spelled({ name, short, value, choices }: Flag): string {
  const first = short === undefined ? '    ' : `-${short}, `;
  const rest = value ?? choices?.join('|');
  return `${first}--${name}${rest === undefined ? '' : `=${rest}`}`;
}
