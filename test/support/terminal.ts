// A real terminal for tests: the program runs on a pseudo-terminal, and an emulator shows what a person would see there.
// The pseudo-terminal is a small Go program (pty/), built once and kept beside the cluster's programs.

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import xterm from '@xterm/headless';
import { binarySettings } from '../../src/cluster/binaries/settings.ts';

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Builds the pseudo-terminal unless it was built before from the same source; resolves with its path. */
export async function ptyProgram(): Promise<string> {
  const settings = binarySettings(process.env);
  const folder = 'test/support/pty';
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'main.go')))
    .digest('hex');
  const path = join(settings.cacheDir, `pty-${hash.slice(0, 12)}`);
  if (existsSync(path)) return path;
  mkdirSync(settings.cacheDir, { recursive: true });
  const building = `${path}.${process.pid}`;
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  await promisify(execFile)(settings.go, ['build', '-o', building, '.'], { cwd: folder, env });
  renameSync(building, path);
  return path;
}

export class TestTerminal {
  readonly #emulator: InstanceType<typeof xterm.Terminal>;
  readonly #child;
  readonly #raw: string[] = [];
  /** The exit code, once the program has ended and all that it wrote is on the screen. */
  readonly exited: Promise<number>;

  /** Use `openTerminal`. */
  constructor(program: string, command: readonly string[], { env, columns = 100, rows = 40 }: TerminalOptions) {
    this.#emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#child = spawn(program, command, {
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    this.resize(columns, rows);
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#raw.push(bytes.toString('utf8'));
      this.#emulator.write(bytes);
    });
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => this.#emulator.write('', () => resolve(code ?? 128)));
    });
  }

  /** Every line that is on the screen now, without the empty ones at the end. */
  screen(): string[] {
    const { active } = this.#emulator.buffer;
    const lines = Array.from({ length: this.#emulator.rows }, (_, row) => {
      return (
        active
          .getLine(active.viewportY + row)
          ?.translateToString(false, 0, this.#emulator.cols)
          .trimEnd() ?? ''
      );
    });
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  /** True while the program has the other screen of the terminal, as editors do. */
  get isOnOtherScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  /** All that the program wrote, codes included. */
  get raw(): string {
    return this.#raw.join('');
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    (this.#child.stdio[3] as Writable).write(`${columns} ${rows}\n`);
  }

  /** Ends the program if it still runs. */
  close(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Runs a command on a terminal of its own. */
export async function openTerminal(command: readonly string[], options: TerminalOptions): Promise<TestTerminal> {
  return new TestTerminal(await ptyProgram(), command, options);
}
