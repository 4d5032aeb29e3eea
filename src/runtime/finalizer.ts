// Runs a clean-up before an object may go away: a finalizer keeps the object until it is removed.
//
// Expected flow: the object is created; the finalizer is added; every reconcile applies; deletion is asked for; the
// clean-up runs; the finalizer is removed; the API server removes the object.
// Guarantees
// - `apply` never runs before the finalizer is stored, so whatever it makes will be cleaned up.
// - The finalizer is removed only after the clean-up has succeeded.
// - Finalizers of others are left alone: patches test the list they were made from, and the uid of the object.
// Caveats: the clean-up may run more than once, and must succeed when there is nothing left to do. Somebody may remove
// the finalizer by force; then there is no clean-up.
// Errors: whatever `apply`, `cleanUp` or the patch throws. A list that has changed meanwhile is refused as `Invalid` by
// the server; the retry works from a newer one.

import type { JsonPatchOperation } from './client/options.ts';
import { done, type Result } from './controller/result.ts';
import { isApiError } from './errors.ts';
import type { KubeObject } from './object.ts';

/** What to do, which follows from two facts about the object alone. */
export type FinalizerState =
  | { readonly do: 'add'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly do: 'apply' }
  | { readonly do: 'cleanUp'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly do: 'nothing' };

export interface FinalizerSteps {
  /** Qualified, as `example.com/clean-up`. */
  readonly finalizer: string;
  apply(): Promise<Result>;
  cleanUp(): Promise<void>;
  /** Sends a JSON patch of the object. */
  patch(operations: readonly JsonPatchOperation[]): Promise<unknown>;
}

/** Whether the object is being deleted and whether it has the finalizer: four cases, one step each. */
export function finalizerState(object: KubeObject, finalizer: string): FinalizerState {
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  const isPresent = object.metadata.finalizers?.includes(finalizer) ?? false;
  if (isDeleting) return isPresent ? { do: 'cleanUp', patch: removal(object, finalizer) } : { do: 'nothing' };
  return isPresent ? { do: 'apply' } : { do: 'add', patch: addition(object, finalizer) };
}

/** Takes the one step that the object's state asks for. */
export async function withFinalizer(object: KubeObject, steps: FinalizerSteps): Promise<Result> {
  const state = finalizerState(object, steps.finalizer);
  switch (state.do) {
    case 'add':
      await steps.patch(state.patch);
      return done; // the update that this makes brings the key back
    case 'apply':
      return steps.apply();
    case 'cleanUp':
      await steps.cleanUp();
      await steps.patch(state.patch).catch(ignoreGone);
      return done;
    case 'nothing':
      return done;
    default:
      return state satisfies never;
  }
}

/** Without its last finalizer the object may be gone before we hear that ours was removed. */
function ignoreGone(error: unknown): void {
  if (!isApiError(error, 'NotFound')) throw error;
}

const LIST = '/metadata/finalizers';

function addition(object: KubeObject, finalizer: string): JsonPatchOperation[] {
  const isFirst = listOf(object) === null;
  const target = isFirst ? { path: LIST, value: [finalizer] } : { path: `${LIST}/-`, value: finalizer };
  return [...unchanged(object), { op: 'add', ...target }];
}

function removal(object: KubeObject, finalizer: string): JsonPatchOperation[] {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  return [...unchanged(object), { op: 'remove', path: `${LIST}/${index}` }];
}

/** Makes the server refuse the patch unless it is the same object with the same list. */
function unchanged(object: KubeObject): JsonPatchOperation[] {
  return [
    { op: 'test', path: '/metadata/uid', value: object.metadata.uid },
    { op: 'test', path: LIST, value: listOf(object) },
  ];
}

/** The server has no empty lists; to its test, one that is not there equals null. */
function listOf({ metadata: { finalizers = [] } }: KubeObject): readonly string[] | null {
  return finalizers.length === 0 ? null : finalizers;
}
