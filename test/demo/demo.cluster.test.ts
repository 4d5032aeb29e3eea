// `make demo` as a CI job and as a person run it: in a pipe to its end, and on a terminal until Ctrl-C.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { CHAPTERS } from '../../src/demo/chapters.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { openTerminal } from '../support/terminal.ts';

const DEMO_MS = 300_000;

const { place } = await useSharedCluster();

/** The command line of a demo on a cluster of this name, and where that cluster lives. */
function demoOn(name: string): { readonly args: readonly string[]; readonly home: string } {
  const cluster = `${place.name}-${name}`;
  return { args: ['src/demo.ts', '--name', cluster], home: resolve('.cluster', cluster) };
}

/** Every process that was started for the cluster at `home`: the path is among its arguments or in its environment. */
function processesOf(home: string): string[] {
  const about = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // gone, or somebody else's
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => ['cmdline', 'environ'].some((file) => about(pid, file).includes(`${home}/`)));
}

describe('the demo', () => {
  it(
    'shows every chapter in a pipe, without colours, and leaves nothing running',
    async () => {
      const { args, home } = demoOn('demo');
      const { stdout } = await promisify(execFile)(process.execPath, args);
      for (const { title, story } of CHAPTERS) {
        expect(stdout).toContain(`\n== ${title}\n${story}\n`);
        expect(stdout).toMatch(new RegExp(`^ {2}${title} +\\d+\\.\\d s$`, 'm'));
      }
      expect(stdout).toMatch(/\n {2}all of it +\d+\.\d s\n$/);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).not.toContain('✗');
      expect(processesOf(home)).toEqual([]);
    },
    DEMO_MS,
  );

  it(
    'has colours on a terminal, stops at Ctrl-C in the middle, and leaves nothing running',
    async () => {
      const { args, home } = demoOn('interrupted');
      const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
      const terminal = await openTerminal([process.execPath, ...args], {
        env: { ...env, TERM: 'xterm', NO_COLOR: '' },
      });
      try {
        await eventually(() => expect(terminal.raw).toContain('$ kubectl apply -f web.yaml'), DEMO_MS);
        expect(terminal.raw).toContain('\u001b[1m== Create\u001b[22m');
        expect(processesOf(home).length).toBeGreaterThan(5);
        terminal.type('\u0003');
        expect(await terminal.exited).toBe(130);
        expect(terminal.screen().at(-1)).toBe('Stopped; nothing is left running.');
        expect(terminal.raw).not.toContain('== What you saw');
        expect(processesOf(home)).toEqual([]);
      } finally {
        terminal.close();
      }
    },
    DEMO_MS,
  );
});
