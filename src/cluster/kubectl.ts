// Runs kubectl and returns its output. A failure is a result, not an exception: tests of invalid input read the exit code and
// standard error.

import { spawn } from 'node:child_process';

/** How to run kubectl. */
export interface KubectlOptions {
  readonly kubeconfig?: string;
  /** Standard input, for `apply -f -`. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What kubectl has said. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl to its end. */
export function runKubectl(program: string, args: readonly string[], options: KubectlOptions): Promise<KubectlResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: options.kubeconfig, ...options.env },
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({
        code: code ?? 128,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
    child.stdin.on('error', () => {}); // kubectl may refuse before it has read everything
    child.stdin.end(options.input ?? '');
  });
}

/** Whatever has a kubectl. */
export interface HasKubectl {
  kubectl(args: readonly string[]): Promise<KubectlResult>;
}

/** What kubectl prints; a failure is thrown with what it complains about. */
export async function kubectlOrThrow(cluster: HasKubectl, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}
