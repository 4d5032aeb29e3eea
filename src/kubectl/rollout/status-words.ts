// How far a rollout is, in the words of `kubectl rollout status`: people's scripts match on them.

import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { findCondition } from '../../runtime/conditions.ts';

export type RolloutState =
  | { readonly is: 'moving'; readonly line: string }
  | { readonly is: 'done'; readonly line: string }
  | { readonly is: 'failed'; readonly line: string };

/** How far the rollout of this object is. */
export function rolloutState({ metadata, spec, status }: MyDeployment): RolloutState {
  const name = `mydeployment "${metadata.name}"`;
  const { replicas = 1 } = spec;
  const { observedGeneration = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status ?? {};
  const waiting = (what: string): RolloutState => ({
    is: 'moving',
    line: `Waiting for ${name} rollout to finish: ${what}...`,
  });
  if ((metadata.generation ?? 0) > observedGeneration) {
    return { is: 'moving', line: 'Waiting for mydeployment spec update to be observed...' };
  }
  if (findCondition(status?.conditions ?? [], 'Progressing')?.reason === 'ProgressDeadlineExceeded') {
    return { is: 'failed', line: `${name} exceeded its progress deadline` };
  }
  if (updated < replicas) return waiting(`${updated} out of ${replicas} new replicas have been updated`);
  const old = (status?.replicas ?? 0) - updated;
  if (old > 0) return waiting(`${old} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return { is: 'done', line: `${name} successfully rolled out` };
}

/** What to say when another revision rolls out than the one that was asked for; undefined when it is that one. */
export function wrongRevision(asked: number, running: number | undefined): string | undefined {
  if (asked === 0 || asked === running) return undefined;
  return `desired revision (${asked}) is different from the running revision (${running ?? 'none'})`;
}
