// The lock, with other real processes holding, releasing and dying with it.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { withLock } from '../../../src/cluster/binaries/lock.ts';
import { monotonicClock } from '../../../src/runtime/clock.ts';
import { Scratch } from './fixture.ts';

const HOLDER = fileURLToPath(new URL('lock-holder.ts', import.meta.url));

/** Another process that wants the lock. */
class Contender {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(lock: string) {
    this.#child = spawn(process.execPath, [HOLDER, lock], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async says(): Promise<string> {
    return (await this.#lines.next()).value ?? 'nothing more';
  }

  async letsGo(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }

  async isKilled(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

const free = { clock: monotonicClock };

describe('the lock between processes', () => {
  it('lets the second in when the first is done, and names the first while waiting', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    const first = new Contender(lock);
    expect(await first.says()).toBe('holding');
    const second = new Contender(lock);
    expect(await second.says()).toBe(`waiting ${first.pid}`);
    await first.letsGo();
    let said = await second.says();
    while (said.startsWith('waiting')) said = await second.says();
    expect(said).toBe('holding');
    await second.letsGo();
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('of a killed process is taken over', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    const first = new Contender(lock);
    expect(await first.says()).toBe('holding');
    await first.isKilled();
    expect(existsSync(lock)).toBe(true);
    const waited: number[] = [];
    await withLock(lock, { ...free, onWait: (pid) => waited.push(pid) }, async () => {});
    expect(waited).toEqual([]);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('left by a process whose number another one has now is taken over', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    await writeFile(lock, JSON.stringify({ pid: process.pid, incarnation: '1', token: 'of another time' }));
    expect(await withLock(lock, free, async () => 'mine')).toBe('mine');
  });

  it('left behind is broken by one of many, and each has it alone', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    const killed = new Contender(lock);
    await killed.says();
    await killed.isKilled();

    const journal = join(scratch.path, 'journal');
    const visit = async (): Promise<void> => {
      await appendFile(journal, 'in ');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await appendFile(journal, 'out\n');
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(lock, free, visit)));
    expect(readFileSync(journal, 'utf8')).toBe('in out\n'.repeat(8));
  });

  it('is given back when the work fails', async () => {
    await using scratch = await Scratch.create();
    const failing = withLock(join(scratch.path, 'lock'), free, async () => {
      throw new Error('no disk');
    });
    await expect(failing).rejects.toThrow('no disk');
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('is waited for until aborted', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    const abort = new AbortController();
    const onWait = (): void => abort.abort(new Error('Ctrl-C'));
    await withLock(lock, free, async () => {
      const second = withLock(lock, { ...free, signal: abort.signal, onWait }, async () => {});
      await expect(second).rejects.toThrow('Ctrl-C');
      expect(await readdir(scratch.path)).toEqual(['lock']);
    });
  });

  it('is not confused with a file of another kind', async () => {
    await using scratch = await Scratch.create();
    const lock = join(scratch.path, 'lock');
    await writeFile(lock, 'notes');
    await expect(withLock(lock, free, async () => {})).rejects.toThrow(`${lock} is not a lock file; remove it`);
  });
});
