// Starts the Job of a gate, from its CronJob as it is now. The name of the Job follows from what it is for, so a second attempt after
// a lost answer finds the first one's Job.

import { rolloutPolicies } from '../../../policy/resource.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import type { Client } from '../../../runtime/client/client.ts';
import { isApiError } from '../../../runtime/errors.ts';
import { controllerOf, type Manifest, type ObjectRef } from '../../../runtime/object.ts';
import { cronJobs, type Job, jobFor, jobs, outcomeOf, type WantedJob } from './job.ts';
import type { Outcome } from './judge.ts';

export interface StarterDeps {
  readonly client: Client;
  /** Called with the version of the Job before its outcome is known. */
  readonly wrote: (policy: RolloutPolicy, resourceVersion: string) => void;
}

/** Resolves when the Job is there, or with why it cannot be; rejects only when the signal aborts. */
export async function startJob(
  { client, wrote }: StarterDeps,
  policy: RolloutPolicy,
  wanted: WantedJob,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const { namespace = '' } = policy.metadata;
    const cronJob = await existing(client.get(cronJobs, { namespace, name: wanted.cronJob }, { signal }));
    if (cronJob === undefined) return blocked(`there is no CronJob "${wanted.cronJob}"`);
    const made = jobFor(policy, wanted, cronJob);
    if ('refused' in made) return blocked(made.refused);
    const job = await createOrFind(client, made.job, { namespace, name: wanted.name }, signal);
    if (controllerOf(job)?.uid !== policy.metadata.uid) {
      return blocked(`Job "${wanted.name}" exists and does not belong to this ${rolloutPolicies.kind}`);
    }
    signal.throwIfAborted(); // nothing is remembered of a policy that is gone
    wrote(policy, job.metadata.resourceVersion);
    return outcomeOf(job);
  } catch (error) {
    signal.throwIfAborted();
    return blocked(`Job "${wanted.name}" cannot be started: ${error instanceof Error ? error.message : error}`);
  }
}

async function createOrFind(client: Client, job: Manifest<Job>, ref: ObjectRef, signal: AbortSignal): Promise<Job> {
  try {
    return await client.create(jobs, job, { signal });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
    return client.get(jobs, ref, { signal });
  }
}

async function existing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return undefined;
    throw error;
  }
}

function blocked(message: string): Outcome {
  return { is: 'blocked', message };
}
