import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { processConsole } from '../../../src/kubectl/terminal/console.ts';

it.each([
  { columns: 120, rows: 50, size: { columns: 120, rows: 50 } },
  { columns: undefined, rows: undefined, size: { columns: 80, rows: 24 } },
  { columns: 0, rows: 0, size: { columns: 80, rows: 24 } }, // `script -qc` opens a terminal that has no size
])('a terminal that says $columns x $rows has the size $size', ({ columns, rows, size }) => {
  const stream = Object.assign(new EventEmitter(), { isTTY: true, columns, rows, write: () => true });
  const process = { stdout: stream, stderr: stream, env: {} } as unknown as NodeJS.Process;
  expect(processConsole(process, new AbortController().signal).size()).toEqual(size);
});
