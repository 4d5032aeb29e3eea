// Runs a command to its end and keeps its output, for error messages.
// Guarantee: the command and its children end with an abort or with this process, even after kill -9.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunOptions {
  readonly cwd?: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** Called with each line of the standard error stream. */
  readonly onLine?: (line: string) => void;
}

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The shell answers 127 when there is no such command. */
const NOT_FOUND = 127;
const TAIL_LINES = 12;

// This process holds the other end of the standard input open while the command may run. When it closes, the shell kills its
// process group.
const LEASHED = [
  'exec 3<&0 </dev/null', // A background job of sh loses descriptor 0, not 3.
  '{ cat <&3; kill -s KILL -- -$$; } >/dev/null 2>&1 &',
  'exec 3<&-',
  '"$@" &',
  'wait $!',
].join('\n');

/** Runs a command and resolves with its standard output. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  options.signal?.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', LEASHED, 'sh', command, ...args], {
    cwd: options.cwd,
    env: options.environment,
    detached: true,
  });
  const letGo = (): void => void child.stdin.destroy();
  options.signal?.addEventListener('abort', letGo, { once: true });

  const tail: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    options.onLine?.(line);
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });

  const status = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signalName) => resolve(code ?? signalName ?? 'unknown'));
  });
  options.signal?.removeEventListener('abort', letGo);
  options.signal?.throwIfAborted();
  if (status === 0) return output;
  if (status === NOT_FOUND) throw new CommandFailed(`there is no command ${command}`);
  throw new CommandFailed(`${[command, ...args].join(' ')} ended with ${status}:\n${tail.join('\n')}`);
}
