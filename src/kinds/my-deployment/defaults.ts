// The defaults of a MyDeployment, which are those of apps/v1 Deployment. The webhook writes them into the object;
// planning applies them again, so that an object admitted without the webhook behaves the same.

import { resolveFenceposts } from '../../workload/fenceposts.ts';
import type { MyDeploymentSpec, MyDeploymentSpecStrategy } from './types.gen.ts';

/** In progressDeadlineSeconds and revisionHistoryLimit: no limit. */
const UNLIMITED = 2 ** 31 - 1;

export type ResolvedSpec = Required<MyDeploymentSpec> & { readonly strategy: ResolvedStrategy };

type ResolvedStrategy = MyDeploymentSpecStrategy & Required<Pick<MyDeploymentSpecStrategy, 'type'>>;

/** The bounds of a rollout, in pods. */
export interface Limits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The spec with every field filled in. */
export function withDefaults(spec: MyDeploymentSpec): ResolvedSpec {
  return {
    ...spec,
    replicas: spec.replicas ?? 1,
    minReadySeconds: spec.minReadySeconds ?? 0,
    paused: spec.paused ?? false,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
    strategy: strategyWithDefaults(spec.strategy ?? {}),
  };
}

function strategyWithDefaults(strategy: MyDeploymentSpecStrategy): ResolvedStrategy {
  const { type = 'RollingUpdate', rollingUpdate } = strategy;
  if (type === 'Recreate') return { ...strategy, type };
  return { type, rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%', ...rollingUpdate } };
}

/** Surge and unavailability in pods. Recreate has neither, and at most all replicas can be unavailable. */
export function limitsOf({ replicas, strategy }: ResolvedSpec): Limits {
  if (strategy.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate ?? {};
  const posts = resolveFenceposts(maxSurge, maxUnavailable, replicas);
  return { replicas, maxSurge: posts.maxSurge, maxUnavailable: Math.min(posts.maxUnavailable, replicas) };
}

/** The most pods that may be active at once. With 0 replicas there is no surge. */
export function maxTotalPods({ replicas, maxSurge }: Limits): number {
  return replicas === 0 ? 0 : replicas + maxSurge;
}

/** The fewest pods that have to be available. */
export function minAvailable({ replicas, maxUnavailable }: Limits): number {
  return replicas - maxUnavailable;
}

/** How many available pods a scale-down has to leave. Recreate leaves none. */
export function minAvailableFor({ strategy }: Pick<ResolvedSpec, 'strategy'>, limits: Limits): number {
  return strategy.type === 'Recreate' ? 0 : minAvailable(limits);
}

/** How long a rollout may make no progress before it has failed, in milliseconds; undefined for no deadline. */
export function progressDeadline({ progressDeadlineSeconds }: ResolvedSpec): number | undefined {
  return progressDeadlineSeconds === UNLIMITED ? undefined : progressDeadlineSeconds * 1000;
}

/** How many old revisions are kept; Infinity for all. */
export function historyLimit({ revisionHistoryLimit }: ResolvedSpec): number {
  return revisionHistoryLimit === UNLIMITED ? Number.POSITIVE_INFINITY : revisionHistoryLimit;
}
