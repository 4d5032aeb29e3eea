import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';

const SIGNALS = resolve('src/runtime/manager/signals.ts');

/** A process that says what its signal says, and ends when its last line of input is closed. */
const PROGRAM = `
  const { stopOnSignals } = await import(${JSON.stringify(SIGNALS)});
  const signal = stopOnSignals();
  signal.addEventListener('abort', () => console.log(signal.reason.message));
  process.stdin.on('end', () => process.exit(0)).resume();
  console.log('started');
`;

const children: ChildProcess[] = [];

async function started(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  expect(await said(child)).toBe('started');
  return child;
}

async function said(child: ChildProcess): Promise<string> {
  const [data] = await once(child.stdout as NodeJS.EventEmitter, 'data');
  return String(data).trim();
}

describe('a process that is told to stop', () => {
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('knows it from the first %s, and goes on', async (name) => {
    const child = await started();
    child.kill(name);
    expect(await said(child)).toBe(`received ${name}`);
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends at once with the second signal', async () => {
    const child = await started();
    child.kill('SIGINT');
    await said(child);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
