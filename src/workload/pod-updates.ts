// Changes pods in place, many at once. Each patch names the version of the pod that was planned for, so that it cannot reach a
// pod that has changed since; the patches of one pod follow each other, and what is missing after a crash is planned again.

import { isApiError } from '../runtime/errors.ts';
import type { Action } from './action.ts';
import { isUnsure, type PodFailure, wordsOf } from './pod-writes.ts';
import { pods, type WriteContext } from './write-context.ts';

type UpdatePod = Extract<Action, { do: 'updatePod' }>;

/** Returns why some could not be changed. */
export async function updatePods(context: WriteContext, actions: readonly UpdatePod[]): Promise<PodFailure[]> {
  const results = await Promise.allSettled(actions.map((action) => updatePod(context, action)));
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : [failureOf(context, actions[index] as UpdatePod, result.reason)],
  );
}

async function updatePod(context: WriteContext, { name, uid, resourceVersion, patches }: UpdatePod): Promise<void> {
  const { namespace, client, writes, signal } = context;
  let version = resourceVersion;
  for (const { subresource, body: changes } of patches) {
    const body = { ...changes, metadata: { ...changes.metadata, uid, resourceVersion: version } };
    const options = { signal, ...(subresource && { subresource }) };
    try {
      const updated = await client.patch(pods, { namespace, name }, { type: 'strategic', body }, options);
      version = updated.metadata.resourceVersion;
      writes.wrote(pods, version);
    } catch (error) {
      if (isApiError(error, 'Conflict')) {
        // Changed since it was planned for; perhaps by an attempt of this patch whose answer was lost.
        writes.perhapsUpdated(pods, name);
        return writes.outdated();
      }
      // Deleted since. An API server that does not know the subresource says the same, but cannot be meant: it reports
      // no observedGeneration either.
      if (isApiError(error, 'NotFound')) return;
      if (isUnsure(error)) writes.perhapsUpdated(pods, name);
      throw error;
    }
  }
  writes.clearRefusal(uid);
}

/** A refusal that would be repeated is remembered: the next plan replaces the pod. Any other failure is retried. */
function failureOf({ writes }: WriteContext, { uid, revision }: UpdatePod, error: unknown): PodFailure {
  const refusal = { reason: 'FailedUpdate', message: wordsOf(error) } as const;
  if (!isApiError(error, 'BadRequest', 'Invalid')) return { ...refusal, revision, error };
  writes.noteRefusal(uid, refusal);
  return { ...refusal, revision };
}
