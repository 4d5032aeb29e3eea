// Parses a command line into one command with its flags, or into one line that names the mistake. Pure: each command interprets
// its own flags.

import { parseArgs } from 'node:util';
import { type Command, commands, type Flag, globalFlags } from './commands.ts';
import { parseDuration } from './duration.ts';
import { nearest } from './suggest.ts';

/** The command line is invalid; the message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Invocation {
  readonly command: Command;
  /** What follows the command's words, without the flags. */
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** A request for help: about every command, or about the commands that begin with these words. */
export interface HelpRequest {
  readonly help: readonly string[];
}

/** The flags of one invocation, by name. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** The last value given, as it was typed. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Whether a switch is on. */
  on(name: string, otherwise = false): boolean {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`--${name} is either true or false, got "${text}"`);
  }

  /** A whole number from 0 on. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} needs a whole number, got "${text}"`);
    return Number(text);
  }

  /** Milliseconds; undefined means no limit, and so does 0. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const duration = parseDuration(text);
    if (duration === undefined) throw new UsageError(`--${name} needs a duration such as 30s or 5m, got "${text}"`);
    return duration === 0 ? undefined : duration;
  }

  /** One of these words. */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const word = words.find((each) => each === text);
    if (word === undefined) throw new UsageError(`--${name} is one of ${words.join(', ')}, got "${text}"`);
    return word;
  }
}

/** The words of a command line that are neither flags nor their values. */
export function wordsOf(argv: readonly string[]): string[] {
  return tokensOf(argv).flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
}

/** Reads a command line. */
export function parseCommandLine(argv: readonly string[]): Invocation | HelpRequest {
  const words = wordsOf(argv);
  const options = tokensOf(argv).filter((token) => token.kind === 'option');
  const asked = options.some(({ name }) => name === 'help' || name === 'h');
  const isHelp = words[0] === 'help';
  const spoken = isHelp ? words.slice(1) : words;
  const command = commands.find(({ path }) => path.every((word, index) => spoken[index] === word));
  if (command === undefined) {
    if (!isHelp && !asked && spoken.length > 0) throw unknownCommand(spoken);
    collectFlags({ path: spoken, flags: [] }, options);
    return { help: spoken };
  }
  const flags = new Flags(collectFlags(command, options));
  if (isHelp || asked) return { help: command.path };
  checkValues(command, flags);
  const args = words.slice(command.path.length);
  const isSelected = command.selects && ['selector', 'filename', 'all-namespaces'].some((flag) => flags.has(flag));
  const least = isSelected ? command.least - 1 : command.least;
  if (args.length < least || args.length > command.most) throw wrongNumber(command, args);
  return { command, args, flags };
}

function tokensOf(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: parserOptions(), strict: false, tokens: true }).tokens;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function collectFlags(
  command: Pick<Command, 'path' | 'flags'>,
  options: readonly OptionToken[],
): Map<string, string[]> {
  const known = [...command.flags, ...globalFlags];
  const values = new Map<string, string[]>();
  for (const { name, rawName, value } of options) {
    const flag = known.find((each) => each.name === name || each.short === name);
    if (flag === undefined) throw unknownFlag(command, rawName, known);
    if (flag.value !== undefined && value === undefined) throw new UsageError(`flag needs an argument: ${rawName}`);
    values.set(flag.name, [...(values.get(flag.name) ?? []), value ?? flag.choices?.[0] ?? 'true']);
  }
  return values;
}

/** A value that cannot be used is named before anything is done, whether or not the command would come to read it. */
function checkValues(command: Command, flags: Flags): void {
  for (const { name, value, choices } of command.flags) {
    if (value === 'DURATION') flags.duration(name);
    else if (value === 'N') flags.count(name);
    else if (value === undefined && choices === undefined) flags.on(name);
  }
}

/** All flags of all commands: which of them take a value must be known before the command is. */
function parserOptions(): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const all = [...globalFlags, ...commands.flatMap(({ flags }) => flags)];
  return Object.fromEntries(all.map((flag) => [flag.name, parserOption(flag)]));
}

function parserOption({ value, short }: Flag): { type: 'string' | 'boolean'; short?: string } {
  return { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) };
}

function unknownCommand(words: readonly string[]): UsageError {
  const group = commands.filter(({ path }) => path.length > 1 && path[0] === words[0]);
  const [typed = '', candidates] =
    group.length > 0
      ? [words[1], group.map(({ path }) => path[1] as string)]
      : [words[0], [...new Set(commands.map(({ path }) => path[0] as string))]];
  if (typed === '') return new UsageError(`"${words[0]}" needs one of ${candidates.join(', ')}`);
  return new UsageError(`unknown command "${typed}"${guess(nearest(typed, candidates))}`);
}

function unknownFlag({ path }: Pick<Command, 'path'>, rawName: string, known: readonly Flag[]): UsageError {
  const name = nearest(
    rawName.replace(/^-+/, ''),
    known.map((flag) => flag.name),
  );
  const hint = guess(name && `--${name}`) || `; see ${['kubectl md', ...path].join(' ')} --help`;
  return new UsageError(`unknown flag ${rawName}${hint}`);
}

function wrongNumber({ path, usage, most, selects }: Command, args: readonly string[]): UsageError {
  const words = path.join(' ');
  const few = selects && args.length === 0 ? 'needs a NAME, -l LABELS or -f FILE' : 'needs more';
  const wrong = args.length > most ? `takes no "${args[most]}"` : few;
  return new UsageError(`"${words}" ${wrong}: kubectl md ${words} ${usage}`);
}

function guess(word: string | undefined): string {
  return word === undefined ? '' : `; did you mean "${word}"?`;
}
