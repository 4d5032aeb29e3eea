// Nothing survives its parent: each way in which a parent can end is tried on a real one, and the child's pid is gone.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { GuardedProcess } from '../../src/cluster/guarded-process.ts';
import { eventually } from '../support/eventually.ts';

const scratch = mkdtempSync(join(tmpdir(), 'guarded-'));
const logFile = join(scratch, 'log');

/** Ignores SIGTERM, so that only a kill can end it. */
const stubborn = {
  name: 'stubborn',
  file: '/bin/sh',
  args: ['-c', 'trap "" TERM; while :; do sleep 0.1; done'],
  logFile,
};

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process of its own that guards a stubborn child, prints its pid, and then does `ending`. */
async function parentThat(ending: string): Promise<{ parent: ChildProcess; childPid: number }> {
  const module = new URL('../../src/cluster/guarded-process.ts', import.meta.url).pathname;
  const program = `
    const { GuardedProcess } = await import(${JSON.stringify(module)});
    const child = await GuardedProcess.start(${JSON.stringify(stubborn)});
    console.log(child.pid);
    const linger = setTimeout(() => {}, 60_000);
    ${ending}
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: parent.stdout as NodeJS.ReadableStream }), 'line');
  return { parent, childPid: Number(line) };
}

describe('a guarded process', () => {
  it.each([
    { name: 'ends normally', ending: 'clearTimeout(linger);' },
    { name: 'calls process.exit', ending: 'process.exit(3);' },
    { name: 'throws', ending: "throw new Error('planted');" },
    { name: 'is interrupted with Ctrl-C', ending: "process.kill(process.pid, 'SIGINT');" },
    { name: 'is killed with SIGKILL', ending: "process.kill(process.pid, 'SIGKILL');" },
  ])('is gone after its parent $name', async ({ ending }) => {
    const { parent, childPid } = await parentThat(ending);
    expect(childPid).toBeGreaterThan(0);
    if (parent.exitCode === null && parent.signalCode === null) await once(parent, 'exit');
    await eventually(() => expect(isRunning(childPid)).toBe(false));
  });

  it('lives while its parent lives', async () => {
    const { parent, childPid } = await parentThat('');
    expect(isRunning(childPid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => expect(isRunning(childPid)).toBe(false));
  });

  it('is gone after its guard was killed', async () => {
    const child = await GuardedProcess.start(stubborn);
    const guard = Number(readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[3]);
    process.kill(guard, 'SIGKILL');
    await child.exited;
    await eventually(() => expect(isRunning(child.pid)).toBe(false));
  });

  it('is killed when it does not end within the grace period', async () => {
    const child = await GuardedProcess.start(stubborn);
    await child.stop(50);
    expect(child.running).toBe(false);
    expect(isRunning(child.pid)).toBe(false);
  });

  it('reports the exit code of a program that ends by itself, and what it printed', async () => {
    const ends = {
      name: 'ends',
      file: '/bin/sh',
      args: ['-c', 'echo out; echo err >&2; exit 7'],
      logFile: join(scratch, 'ends'),
    };
    const child = await GuardedProcess.start(ends);
    expect(await child.exited).toBe(7);
    expect(child.logTail()).toBe('out\nerr');
    child.signal('TERM'); // to nobody
  });

  it('can be frozen and woken', async () => {
    const child = await GuardedProcess.start(stubborn);
    const state = (): string => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[2] as string;
    child.signal('STOP');
    await eventually(() => expect(state()).toBe('T'));
    child.signal('CONT');
    await eventually(() => expect(state()).not.toBe('T'));
    await child.kill();
  });
});
