// The Job of a gate: its name, how it is made from a CronJob, and what its status means. Pure.

import type { Place } from '../../../policy/gates.ts';
import { rolloutPolicies } from '../../../policy/resource.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import * as builtIn from '../../../runtime/built-in.ts';
import { findCondition } from '../../../runtime/conditions.ts';
import type { KubeObject, Manifest, ObjectMeta } from '../../../runtime/object.ts';
import { asOwner, controllerReference } from '../../../runtime/owner.ts';
import type { Resource } from '../../../runtime/resource.ts';
import { revisionHash } from '../../../workload/hash.ts';
import { cutName } from '../../../workload/pod-name.ts';
import { type LabelSelector, selectorMatches } from '../../../workload/selector.ts';
import type { Outcome } from './judge.ts';

export interface Job extends KubeObject {
  readonly spec?: JobSpec;
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly template: { readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'> };
}

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly jobTemplate: { readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>; readonly spec: JobSpec };
  };
}

export const jobs = builtIn.jobs as Resource<Job>;
export const cronJobs = builtIn.cronJobs as Resource<CronJob>;

const PREFIX = rolloutPolicies.kind.toLowerCase();
/** Which gate a Job is for. All Jobs of gates have it. */
export const GATE_LABEL = `${PREFIX}.${rolloutPolicies.group}/gate`;
/** Which attempt a Job is for. */
export const NUMBER_LABEL = `${PREFIX}.${rolloutPolicies.group}/number`;
/** As kubectl marks a Job that it makes from a CronJob. */
const INSTANTIATED = { 'cronjob.kubernetes.io/instantiate': 'manual' };

const DEFAULT_DEADLINE_SECONDS = 600;
const LONGEST_NAME = 63;

/** The Job that a gate asks for. */
export interface WantedJob {
  readonly name: string;
  readonly gate: string;
  readonly number: number;
  readonly cronJob: string;
  /** The target's selector, which the Job's pods must not match. */
  readonly selector: LabelSelector;
}

/**
 * `<policy>-<gate>-<number>-<step>-<hash>`. The hash tells apart policies and gates whose names run into each other, an earlier
 * policy of this name, and an earlier stay in a step of this number.
 */
export function jobName({ metadata }: RolloutPolicy, gate: string, { number, step, since }: Place): string {
  const hash = revisionHash(JSON.stringify([metadata.uid, gate, number, step, since]));
  const readable = `${metadata.name}-${gate}-${number}-${step}`.replaceAll('.', '-');
  return `${cutName(readable, LONGEST_NAME - hash.length - 1)}-${hash}`;
}

/** The Job, or why it must not be created. */
export function jobFor(
  policy: RolloutPolicy,
  { name, gate, number, selector }: WantedJob,
  { metadata, spec: { jobTemplate } }: CronJob,
): { readonly job: Manifest<Job> } | { readonly refused: string } {
  // Without its time to live: a Job that is deleted before its result is stored would have to run again.
  const { ttlSecondsAfterFinished: _, ...spec } = jobTemplate.spec;
  if (selectorMatches(selector, spec.template.metadata?.labels)) {
    const target = policy.spec.targetRef.name;
    return { refused: `the pods of CronJob "${metadata.name}" have labels that MyDeployment "${target}" selects` };
  }
  const job: Manifest<Job> = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      ...(policy.metadata.namespace !== undefined && { namespace: policy.metadata.namespace }),
      labels: { ...jobTemplate.metadata?.labels, [GATE_LABEL]: gate, [NUMBER_LABEL]: String(number) },
      annotations: { ...jobTemplate.metadata?.annotations, ...INSTANTIATED },
      ownerReferences: [controllerReference(asOwner(policy, rolloutPolicies))],
    },
    spec: { activeDeadlineSeconds: DEFAULT_DEADLINE_SECONDS, ...spec },
  };
  return { job };
}

/** What the Job has come to. */
export function outcomeOf({ metadata: { name }, status }: Job): Outcome {
  const holds = (type: string) => {
    const condition = findCondition(status?.conditions, type);
    return condition?.status === 'True' ? condition : undefined;
  };
  if (holds('Complete')) return { is: 'succeeded', message: `Job "${name}" succeeded` };
  const failed = holds('Failed');
  if (failed === undefined) return { is: 'running', message: `Job "${name}" is running` };
  const why = [failed.reason, failed.message].filter(Boolean).join(': ');
  return { is: 'failed', message: `Job "${name}" failed${why ? `: ${why}` : ''}` };
}

/** The number of the attempt that the Job is for. */
export function numberOf({ metadata }: Job): number {
  return Number(metadata.labels?.[NUMBER_LABEL]);
}

/** What the cache keeps of a Job. */
export function trimJob({ metadata, status }: Job): Job {
  const { annotations: _, ...kept } = metadata;
  return { metadata: kept, ...(status?.conditions && { status: { conditions: status.conditions } }) };
}
