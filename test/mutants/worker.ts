// A thread that runs the programs of test files, one task after the other. It is a thread of its own so that a mutant
// which never comes to an end, or takes the whole memory, can be stopped from outside.

import { parentPort, workerData } from 'node:worker_threads';
import { type RunRecord, type Task, TestProgram } from './test-program.ts';

/** Texts of the programs, by test file. */
export type Programs = ReadonlyMap<string, string>;

export interface Run extends Task {
  readonly testFile: string;
}

const programs = new Map<string, TestProgram>();

function programOf(testFile: string): TestProgram {
  const text = (workerData as Programs).get(testFile);
  if (text === undefined) throw new Error(`no program of ${testFile}`);
  const program = programs.get(testFile) ?? new TestProgram(testFile, text);
  programs.set(testFile, program);
  return program;
}

parentPort?.on('message', async ({ testFile, ...task }: Run) => {
  const record: RunRecord = await programOf(testFile).run(task);
  parentPort?.postMessage(record);
});
