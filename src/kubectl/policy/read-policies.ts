// Reads RolloutPolicies. They are optional: where the kind is not installed, or the user may not read it, every command works as
// if there were no policy. Only a command that is about policies says what it cannot read.

import { governing, isAbout } from '../../policy/governing.ts';
import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Reach } from '../context.ts';

type Reader = Pick<Reach, 'client' | 'console'>;

/** The policies of a namespace; none when they cannot be read. */
export async function readPolicies(reader: Reader, namespace: string): Promise<readonly RolloutPolicy[]> {
  try {
    return await requirePolicies(reader, namespace);
  } catch (error) {
    if (isApiError(error, 'NotFound', 'Forbidden')) return [];
    throw error;
  }
}

/** The policies of a namespace; throws when they cannot be read. */
export async function requirePolicies(
  { client, console }: Reader,
  namespace: string,
): Promise<readonly RolloutPolicy[]> {
  return (await client.list(rolloutPolicies, { namespace, signal: console.interrupted })).items;
}

/** The policy that governs this MyDeployment, among those of its namespace. */
export function policyFor(
  { metadata }: Pick<KubeObject, 'metadata'>,
  policies: readonly RolloutPolicy[],
): RolloutPolicy | undefined {
  return governing(policies.filter((policy) => isAbout(policy, metadata)));
}
