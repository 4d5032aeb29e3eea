// Runs the program of a test file (bundle.ts) with one mutant switched on, or with none to see which test reaches which
// mutant. Jest's own runner (jest-circus) and matchers run the tests, without Jest's start for each of them.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { constants, Script } from 'node:vm';
import { expect } from 'expect';
import fc from 'fast-check';
import {
  addEventHandler,
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  getState,
  it,
  removeEventHandler,
  resetState,
  run,
  test,
} from 'jest-circus';

/** The same values in every run, and no search for the smallest one: a mutant is killed by the first. */
const PROPERTIES = { seed: 1, endOnFailure: true };

/** Switches for one run of a program. */
export interface Task {
  /** The mutant that is switched on. */
  readonly mutant?: number;
  /** The tests to run by their number in the file; all if undefined. */
  readonly only?: ReadonlySet<number>;
  /** How often switches may be asked before the run counts as endless. */
  readonly mostSwitches?: number;
  /** How long an asynchronous test may take. */
  readonly testTimeoutMs: number;
}

export interface TestRecord {
  readonly name: string;
  readonly ms: number;
  /** Mutants that the test reaches. */
  readonly reached: readonly number[];
  readonly error: string | undefined;
}

export interface RunRecord {
  readonly tests: readonly TestRecord[];
  /** Mutants that are reached while the program loads, or between tests. */
  readonly reachedOutside: readonly number[];
  /** How often switches were asked. */
  readonly switches: number;
  /** Why it failed; undefined if it did not. */
  readonly error: string | undefined;
}

const packages = createRequire(resolve('package.json'));

export class TestProgram {
  readonly #body: Script;

  constructor(testFile: string, text: string) {
    const parameters = 'require, module, exports, __filename, __dirname, __mutant';
    this.#body = new Script(`(function (${parameters}) {${text}\n})`, {
      filename: testFile,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
  }

  /** Runs the tests, until the first that fails if a mutant is switched on. */
  async run(task: Task): Promise<RunRecord> {
    const watch = new Watch(task);
    resetState();
    Object.assign(getState(), { testTimeout: task.testTimeoutMs });
    const handler = (event: CircusEvent): void => watch.handle(event);
    addEventHandler(handler);
    try {
      this.#load(watch);
      const { unhandledErrors } = await run();
      return watch.record(unhandledErrors[0]);
    } catch (error) {
      return watch.record(String(error));
    } finally {
      removeEventHandler(handler);
    }
  }

  #load(watch: Watch): void {
    fc.configureGlobal(PROPERTIES);
    const module = { exports: {} };
    const load = (name: string): unknown => (name === '@jest/globals' ? GLOBALS : packages(name));
    this.#body.runInThisContext()(load, module, module.exports, '', '', watch.asked);
  }
}

/** What we read of the events of jest-circus, and write: the mode. */
interface CircusEvent {
  readonly name: string;
  readonly test?: TestEntry;
  readonly error?: unknown;
}

interface TestEntry {
  readonly name: string;
  readonly duration?: number | null;
  readonly errors: readonly unknown[];
  mode: unknown;
}

const GLOBALS = { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test };

/** Follows one run: which test is under way, what it reaches, and whether one has failed. */
class Watch {
  readonly #task: Task;
  readonly #tests: TestRecord[] = [];
  readonly #outside = new Set<number>();
  #reached = this.#outside;
  #switches = 0;
  #started = 0;
  #error: string | undefined;

  constructor(task: Task) {
    this.#task = task;
  }

  /** What a program asks at each of its switches, millions of times: with a mutant on, what is reached is not noted. */
  get asked(): (mutant: number) => boolean {
    const { mutant, mostSwitches = Number.POSITIVE_INFINITY } = this.#task;
    if (mutant === undefined) {
      return (each) => {
        this.#switches += 1;
        this.#reached.add(each);
        return false;
      };
    }
    let left = mostSwitches;
    return (each) => {
      left -= 1;
      if (left < 0) throw new Error('endless');
      return each === mutant;
    };
  }

  handle({ name, test: entry, error }: CircusEvent): void {
    if (name === 'test_start' && entry !== undefined) this.#start(entry);
    if (name === 'test_done' && entry !== undefined) this.#done(entry);
    if (name === 'hook_failure') this.#error ??= String(error);
  }

  record(error: string | undefined): RunRecord {
    return {
      tests: this.#tests,
      reachedOutside: [...this.#outside],
      switches: this.#switches,
      error: error ?? this.#error,
    };
  }

  #start(entry: TestEntry): void {
    const number = this.#started++;
    const isOver = this.#task.mutant !== undefined && this.#error !== undefined;
    if (isOver || this.#task.only?.has(number) === false) entry.mode = 'skip';
    this.#reached = new Set();
  }

  #done({ name, duration, errors }: TestEntry): void {
    const [first] = errors.flat();
    const error = first === undefined || first === null ? undefined : String(first);
    this.#error ??= error;
    this.#tests.push({ name, ms: duration ?? 0, reached: [...this.#reached], error });
    this.#reached = this.#outside;
  }
}
