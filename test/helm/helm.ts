// Runs Helm as a person would, with nothing of the machine's own Helm settings.

import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const CHART = 'charts/mydeployment';

export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Helm with its data in a folder of its own. */
export function helmAt(program: string, kubeconfig?: string): (...args: string[]) => Promise<HelmResult> {
  const home = mkdtempSync(join(tmpdir(), 'helm-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }),
  };
  return (...args) =>
    new Promise((resolve) => {
      execFile(program, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
}
