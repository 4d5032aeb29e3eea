// One thread that runs tests for us (worker.ts), replaced by a new one when a run does not end, crashes or takes too
// much memory.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunRecord } from './test-program.ts';
import type { Programs, Run } from './worker.ts';

const MOST_MEMORY_MB = 1024;

export class TestThread {
  readonly #programs: Programs;
  #worker: Worker | undefined;

  constructor(programs: Programs) {
    this.#programs = programs;
  }

  /** Runs a program; undefined when it did not come to an end within this time. */
  async run(run: Run, withinMs: number): Promise<RunRecord | undefined> {
    this.#worker ??= new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#programs,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    try {
      this.#worker.postMessage(run);
      const [record] = await once(this.#worker, 'message', { signal: AbortSignal.timeout(withinMs) });
      return record as RunRecord;
    } catch {
      await this.end(); // it hangs or has crashed: both show that the mutant is noticed
      return undefined;
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
