// Runs a clean-up before the API server removes an object. The API server keeps a deleted object until its list of
// finalizers is empty.
//
// Expected flow: a user creates the object; the operator adds the finalizer; every reconcile applies; the user deletes the
// object; the operator cleans up and removes the finalizer; the API server removes the object.
// Guarantees
// - `apply` never runs before the finalizer is stored, so everything that it creates is cleaned up.
// - The finalizer is removed only after the clean-up has succeeded.
// - Other finalizers stay as they are: patches test the list they are made from, and the uid of the object.
// Caveats: the clean-up may run more than once, and must succeed when there is nothing left to do. It does not run when a
// user removes the finalizer by hand.
// Errors: those of `apply`, `cleanUp` and the patch. The API server refuses a patch of a list that has changed in between as
// `Invalid`; the retry works from a newer list.

import type { JsonPatchOperation } from './client/options.ts';
import { done, type Result } from './controller/result.ts';
import { isApiError } from './errors.ts';
import type { KubeObject } from './object.ts';

/** The next step of an object's life with a finalizer. */
export type FinalizerState =
  | { readonly do: 'add'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly do: 'apply' }
  | { readonly do: 'cleanUp'; readonly patch: readonly JsonPatchOperation[] }
  | { readonly do: 'nothing' };

/** What to do while an object lives, and before it goes. */
export interface FinalizerSteps {
  /** Qualified, as `example.com/clean-up`. */
  readonly finalizer: string;
  /** False when the object no longer asks for what `apply` creates: it is cleaned up although it is not deleted. @default true */
  readonly isWanted?: boolean;
  apply(): Promise<Result>;
  cleanUp(): Promise<void>;
  /** Sends a JSON patch of the object. */
  patch(operations: readonly JsonPatchOperation[]): Promise<unknown>;
}

/** Whether the object stays and whether it has the finalizer: four cases, one step each. */
export function finalizerState(
  object: KubeObject,
  finalizer: string,
  { isWanted = true }: Pick<FinalizerSteps, 'isWanted'> = {},
): FinalizerState {
  const stays = isWanted && object.metadata.deletionTimestamp === undefined;
  const isPresent = object.metadata.finalizers?.includes(finalizer) ?? false;
  if (!stays) return isPresent ? { do: 'cleanUp', patch: removal(object, finalizer) } : { do: 'nothing' };
  return isPresent ? { do: 'apply' } : { do: 'add', patch: addition(object, finalizer) };
}

/** Takes the next step. */
export async function withFinalizer(object: KubeObject, steps: FinalizerSteps): Promise<Result> {
  const state = finalizerState(object, steps.finalizer, steps);
  switch (state.do) {
    case 'add':
      await steps.patch(state.patch);
      return done; // the watch reports the changed object, and that brings the key back
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

/** The API server may have removed the object, of which this was the last finalizer, before a repeated patch arrives. */
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

/** The API server stores no empty list. Its `test` operation takes an absent list for null. */
function listOf({ metadata: { finalizers = [] } }: KubeObject): readonly string[] | null {
  return finalizers.length === 0 ? null : finalizers;
}
