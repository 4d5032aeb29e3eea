// The plugin as people have it: the built bundle, run in a pipe or on a terminal, against the test's cluster.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { buildPlugin } from '../../src/build/plugin.ts';
import { type KubectlResult, runKubectl } from '../../src/testing/index.ts';
import { Scene } from '../e2e/scene.ts';
import type { TestCluster } from '../support/cluster.ts';
import type { RolloutWatch } from '../support/rollout-watch.ts';
import { openTerminal, type TestTerminal } from '../support/terminal.ts';

/** What the plugin is tested with. */
export interface Stage extends TestCluster {
  /** Where the API server is. */
  readonly server: string;
  /** A test body that plays in a fresh namespace. Whether rollouts keep their promises is for test/e2e to judge. */
  scene(play: (scene: Scene) => Promise<void>): () => Promise<void>;
}

const UNJUDGED = { disturb: () => {} } as unknown as RolloutWatch;

/** The stage of these tests on a cluster with the operator on it. */
export function pluginStage(cluster: TestCluster & { readonly cluster: { readonly server: string } }): Stage {
  const { server } = cluster.cluster;
  return {
    ...cluster,
    server,
    scene: (play) => async () => play(new Scene(cluster, await cluster.namespace(), UNJUDGED)),
  };
}

/** A program that runs while the test goes on. */
export interface Running {
  stdout(): string;
  /** As if the machine had died. */
  kill(): void;
  /** The exit code; KILLED when it was killed. */
  readonly exited: Promise<number>;
}

export const KILLED = 128;

export interface TerminalSize {
  readonly columns?: number;
  readonly rows?: number;
}

export interface Plugin {
  readonly program: string;
  /** Runs a command line to its end, with both outputs in pipes. */
  run(namespace: string, ...args: readonly string[]): Promise<KubectlResult>;
  /** Starts one with its output in a pipe. */
  start(namespace: string, ...args: readonly string[]): Running;
  /** Runs it on a terminal. */
  open(namespace: string, args: readonly string[], size?: TerminalSize): Promise<TestTerminal>;
}

/** Builds the plugin for the calling test file. */
export async function usePlugin(kubeconfig: string): Promise<Plugin> {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-md-'));
  const open: TestTerminal[] = [];
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const terminal of open) terminal.close();
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await buildPlugin(folder);
  const program = join(folder, 'main.js');
  return {
    program,
    run: (namespace, ...args) => runKubectl(process.execPath, [program, ...args, '-n', namespace], { kubeconfig }),
    start: (namespace, ...args) => {
      const env = { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: kubeconfig };
      const child = spawn(process.execPath, [program, ...args, '-n', namespace], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      let stdout = '';
      child.stdout.on('data', (bytes: Buffer) => {
        stdout += bytes.toString('utf8');
      });
      return {
        stdout: () => stdout,
        kill: () => child.kill('SIGKILL'),
        exited: new Promise((resolve) => child.once('close', (code) => resolve(code ?? KILLED))),
      };
    },
    open: async (namespace, args, size = {}) => {
      const command = [process.execPath, program, ...args, '-n', namespace];
      const terminal = await openTerminal(command, { env: { KUBECONFIG: kubeconfig, HOME: '/nonexistent' }, ...size });
      open.push(terminal);
      return terminal;
    },
  };
}
