// Runs the commands of a chapter as a user types them, and polls the cluster until a promise of the chapter holds or its time is
// up, which fails the demo.

import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Narrator } from './narrator.ts';

export interface Place {
  /** Where commands run; the files they name are here. */
  readonly directory: string;
  /** With a PATH that has kubectl and kubectl-md, and a KUBECONFIG. */
  readonly env: Readonly<Record<string, string>>;
}

export interface StageOptions extends Place {
  readonly narrator: Narrator;
  /** Ends the demo early. */
  readonly signal: AbortSignal;
  /** How long something may take to become true. @default one minute */
  readonly patienceMs?: number;
}

export interface Printed {
  readonly code: number;
  /** Standard output and standard error as they came. */
  readonly text: string;
}

/** A promise of the demo that did not come true. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

const LOOK_AGAIN_MS = 100;

export class Stage {
  readonly #options: StageOptions;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** Types a command and shows what it prints; it must succeed. */
  async run(command: string): Promise<string> {
    const { code, text } = await this.#show(command);
    if (code !== 0) throw new BrokenPromise(`expected exit code 0 of "${command}", got ${code}`);
    return text;
  }

  /** Types a command that must be refused. */
  async runRefused(command: string): Promise<string> {
    const { code, text } = await this.#show(command);
    if (code === 0) throw new BrokenPromise(`expected "${command}" to be refused, got exit code 0`);
    return text;
  }

  /** Reads objects from the cluster without showing it. */
  async read<T>(command: string): Promise<T> {
    const { code, text } = await this.#start(command, () => {});
    if (code !== 0) throw new Error(`${command}: ${text.trim()}`);
    return JSON.parse(text) as T;
  }

  /** Waits until `look` finds nothing that differs from what is promised; says so, or ends the demo. */
  async becomesTrue(promise: string, look: () => Promise<string | undefined>): Promise<void> {
    const { narrator, signal, patienceMs = 60_000 } = this.#options;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const difference = await look();
      if (difference === undefined) return narrator.holds(promise);
      if (performance.now() > deadline) throw new BrokenPromise(`expected: ${promise}; but ${difference}`);
      await delay(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  /** Says what holds now, or ends the demo. */
  async isTrue(promise: string, look: () => Promise<string | undefined>): Promise<void> {
    const difference = await look();
    if (difference !== undefined) throw new BrokenPromise(`expected: ${promise}; but ${difference}`);
    this.#options.narrator.holds(promise);
  }

  #show(command: string): Promise<Printed> {
    const { narrator } = this.#options;
    narrator.command(command);
    return this.#start(command, (text) => narrator.output(text));
  }

  #start(command: string, hear: (text: string) => void): Promise<Printed> {
    const { directory, env, signal } = this.#options;
    const [program = '', ...args] = command.split(' ');
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: directory, env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          hear(piece);
        });
      }
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 128, text }));
    });
  }
}
