// Running a command with real processes: what it says, and that nothing of it stays behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { run } from '../../../src/cluster/binaries/run.ts';
import { eventually } from '../../support/eventually.ts';
import { Scratch } from './fixture.ts';

const environment = { PATH: process.env.PATH };

/** Starts a grandchild, writes its pid to the file named by the first argument, and does not end by itself. */
const FAMILY = 'sleep 600 & echo $! > "$1.new"; mv "$1.new" "$1"; wait';

async function grandchild(pidFile: string): Promise<number> {
  await eventually(() => expect(existsSync(pidFile)).toBe(true));
  return Number(readFileSync(pidFile, 'utf8'));
}

async function expectGone(pid: number): Promise<void> {
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
}

describe('a command that is run', () => {
  it('gives its output, and its error lines one by one', async () => {
    const lines: string[] = [];
    const script = 'echo out; echo "$GREETING" >&2; echo two >&2';
    const output = await run('sh', ['-c', script], {
      environment: { ...environment, GREETING: 'one' },
      onLine: (line) => lines.push(line),
    });
    expect(output).toBe('out\n');
    expect(lines).toEqual(['one', 'two']);
  });

  it('gets its arguments as they are', async () => {
    const args = ['two words', '$HOME', "it's", ''];
    expect(await run('printf', ['%s|', ...args], { environment })).toBe(`${args.join('|')}|`);
  });

  it('runs where it is told to', async () => {
    await using scratch = await Scratch.create();
    expect(await run('pwd', [], { environment, cwd: scratch.path })).toBe(`${scratch.path}\n`);
  });

  it('that fails is quoted with the last of what it said', async () => {
    const script = 'for i in $(seq 100); do echo line $i >&2; done; exit 3';
    const failing = run('sh', ['-c', script], { environment });
    await expect(failing).rejects.toThrow(/ended with 3:\nline 89\n(line \d+\n)*line 100$/);
  });

  it('that does not exist is named', async () => {
    await expect(run('/no/such/go', ['build'], { environment })).rejects.toThrow('there is no command /no/such/go');
  });

  it('takes along what it left running in the background', async () => {
    const pid = Number(await run('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], { environment }));
    await expectGone(pid);
  });

  it('is not started once aborted', async () => {
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    await expect(run('/no/such/go', [], { environment, signal })).rejects.toThrow('Ctrl-C');
  });

  it('ends with everything it started when aborted', async () => {
    await using scratch = await Scratch.create();
    const abort = new AbortController();
    const pidFile = join(scratch.path, 'pid');
    const running = run('sh', ['-c', FAMILY, 'sh', pidFile], { environment, signal: abort.signal });
    const outcome = expect(running).rejects.toThrow('Ctrl-C');
    const pid = await grandchild(pidFile);
    abort.abort(new Error('Ctrl-C'));
    await outcome;
    await expectGone(pid);
  });

  it('ends with everything it started when this process is killed', async () => {
    await using scratch = await Scratch.create();
    const pidFile = join(scratch.path, 'pid');
    const module = new URL('../../../src/cluster/binaries/run.ts', import.meta.url).href;
    const program = `
      const { run } = await import(${JSON.stringify(module)});
      const args = ${JSON.stringify(['-c', FAMILY, 'sh', pidFile])};
      await run('sh', args, { environment: process.env });`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    const pid = await grandchild(pidFile);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expectGone(pid);
  });
});
