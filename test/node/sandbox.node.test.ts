// Namespaces that end with the process that made them, in whatever way it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { describeWith } from '../support/system-packages.ts';
import { prepareRealNode } from './support/prepare.ts';

const cgroup = `mydeployment-sandbox-${process.pid}`;

describeWith(await prepareRealNode(), 'the namespaces of a real node', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('are gone after %s to the process that made them', async (signal) => {
    const maker = spawn(
      process.execPath,
      [join(import.meta.dirname, 'support', 'sandbox-maker.ts'), cgroup, join(tmpdir(), `${cgroup}.log`)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(maker.stdout, 'data')) as [Buffer];
    const { first, sleeper } = JSON.parse(line.toString()) as { readonly first: number; readonly sleeper: number };
    expect([first, sleeper].map(isRunning)).toEqual([true, true]);
    expect(cgroups()).not.toEqual([]);
    maker.kill(signal);
    await eventually(() => {
      expect([first, sleeper].map(isRunning)).toEqual([false, false]);
      expect(cgroups()).toEqual([]);
    }, 10_000);
  });
});

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function cgroups(): string[] {
  const folders = ['.', ...readdirSync('/sys/fs/cgroup')].map((name) => join('/sys/fs/cgroup', name, cgroup));
  return folders.filter((folder) => existsSync(folder));
}
