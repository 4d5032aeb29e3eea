// An operator's program as its user starts it, as far as that goes without a cluster.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { USAGE } from '../../../src/runtime/operator/flags.ts';

function start(...flags: readonly string[]): { readonly code: number | null; readonly stderr: string } {
  return startWith({}, ...flags);
}

function startWith(env: NodeJS.ProcessEnv, ...flags: readonly string[]): ReturnType<typeof start> {
  const args = ['src/runtime/example/config-copy.ts', ...flags];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { code: status, stderr };
}

describe('runOperator', () => {
  it.each([
    { flag: '--workers=2', says: "Unknown option '--workers'" },
    { flag: '--log-level=loud', says: '--log-level: must be one of debug, info, warn, error, got "loud"' },
  ])('ends with the reason and the flags: $flag', ({ flag, says }) => {
    const { code, stderr } = start(flag);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).toContain(USAGE);
  });

  it.each([
    { flags: [], reads: 'kubeconfig /nowhere/a: ENOENT' },
    { flags: ['--kubeconfig=/nowhere/flag'], reads: 'kubeconfig /nowhere/flag: ENOENT' },
  ])('signs in as KUBECONFIG says, unless a flag says otherwise: $flags', ({ flags, reads }) => {
    const { code, stderr } = startWith({ KUBECONFIG: '/nowhere/a:/nowhere/b' }, ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(reads);
    expect(stderr).not.toContain(USAGE);
  });

  it('ends with the reason alone when the flags are right', () => {
    const { code, stderr } = start();
    expect(code).toBe(1);
    expect(stderr).toBe(
      'not running in a pod (KUBERNETES_SERVICE_HOST is not set): say --kubeconfig FILE, or set KUBECONFIG\n',
    );
  });
});
