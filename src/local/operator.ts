// This project's operator as a process of this machine, on an embedded cluster (cluster/hosted-operator.ts), as the image runs it.

import { type Host, type HostedOperator, type HostedSetup, hostOperator } from '../cluster/hosted-operator.ts';
import { kubectlOrThrow } from '../cluster/kubectl.ts';
import { INSTALLATION } from '../operator/names.ts';

/** As the image has it, which says why. */
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--single-threaded-gc',
  '--heap-growing-percent=20',
  '--no-turbofan',
  '--liftoff-only',
];
/** As the image has it, which says why. */
export const MALLOC = { MALLOC_ARENA_MAX: '1' };

export interface OperatorSetup extends Omit<HostedSetup, 'program' | 'installation' | 'env'> {
  /** @default that of the image */
  readonly malloc?: NodeJS.ProcessEnv;
  /** Runs this bundle instead of the sources. */
  readonly program?: string;
}

export type LocalOperator = HostedOperator;

/** Applies the CRDs and manifests, as a user does. */
export async function installOperator(cluster: Host): Promise<void> {
  for (const folder of ['crds/', 'manifests/']) await kubectlOrThrow(cluster, ['apply', '-f', folder]);
}

/** Starts the operator on a cluster where it is installed, and waits until it is ready. */
export function startOperator(cluster: Host, setup: OperatorSetup = {}): Promise<LocalOperator> {
  const { program = 'src/main.ts', nodeFlags = NODE_FLAGS, malloc = MALLOC, ...rest } = setup;
  return hostOperator(cluster, { ...rest, program, nodeFlags, env: malloc, installation: INSTALLATION });
}
