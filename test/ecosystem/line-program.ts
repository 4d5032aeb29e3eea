// Runs a program that reads a line of JSON and answers with one, over and over: kstatus and the Lua engine of Argo CD.

import { execFileSync } from 'node:child_process';

/** One answer for each input, in their order. */
export function ask<Answer>(program: string, inputs: readonly unknown[]): Answer[] {
  const input = inputs.map((each) => `${JSON.stringify(each)}\n`).join('');
  const output = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 64 << 20 });
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Answer);
}
