// Executes a plan stage by stage (see action.ts): claims, then records, then pods, then what may be deleted from history. A
// stage that fails is the last one. Returns the result as data for the owner's status. Throws only what the status need
// not report: the next reconcile tries again from the state at that time.

import type { JsonPatchOperation } from '../runtime/client/options.ts';
import { isApiError } from '../runtime/errors.ts';
import { type Action, stageOf } from './action.ts';
import { executeClaims } from './claim-writes.ts';
import { updatePods } from './pod-updates.ts';
import { createNamedPods, createPods, deletePods, type PodFailure, wordsOf } from './pod-writes.ts';
import { createRevision, deleteRevision, updateRevision } from './revision-writes.ts';
import type { WriteContext } from './write-context.ts';

/** The result of a plan. */
export interface Execution {
  readonly failures: readonly PodFailure[];
  /** Why a new revision could not be recorded; the later stages did not run. */
  readonly revisionFailure?: string;
  /** Another object has the new revision's name; the later stages did not run. */
  readonly collided?: boolean;
  readonly error?: unknown;
}

type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;

/** Executes the actions of a plan. */
export async function execute(context: WriteContext, actions: readonly Action[]): Promise<Execution> {
  const of = <Do extends Action['do']>(...kinds: Do[]): Of<Do>[] =>
    actions.filter((action): action is Of<Do> => (kinds as string[]).includes(action.do));

  const unclaimed = await executeClaims(context, of('adoptPod', 'releasePod', 'adoptRevision'));
  if (unclaimed.length > 0) return { failures: unclaimed };
  const refused = await record(
    context,
    actions.filter((action) => stageOf(action) === 'record'),
  );
  if (refused !== undefined) return refused;
  const failures = await Promise.all([
    ...of('createPods').map((action) => createPods(context, action)),
    ...of('createNamedPods').map((action) => createNamedPods(context, action)),
    deletePods(context, of('deletePod')),
    updatePods(context, of('updatePod')),
  ]);
  if (failures.flat().length > 0) return { failures: failures.flat() };
  await Promise.all(of('deleteRevision').map((action) => deleteRevision(context, action)));
  return { failures: [] };
}

/** Writes what must be recorded before pods follow it; returns the result if that failed. */
async function record(context: WriteContext, actions: readonly Action[]): Promise<Execution | undefined> {
  for (const action of actions) {
    if (action.do === 'createRevision') {
      const refused = await tryToCreateRevision(context, action);
      if (refused !== undefined) return refused;
    } else if (action.do === 'updateRevision') await updateRevision(context, action);
    else if (action.do === 'updateOwner') await updateOwner(context, action);
    else if (action.do === 'removeAnnotations') await removeAnnotations(context, action);
  }
  return undefined;
}

async function tryToCreateRevision(
  context: WriteContext,
  action: Of<'createRevision'>,
): Promise<Execution | undefined> {
  try {
    return (await createRevision(context, action)) ? undefined : { failures: [], collided: true };
  } catch (error) {
    return { failures: [], revisionFailure: wordsOf(error), error };
  }
}

async function updateOwner(context: WriteContext, action: Of<'updateOwner'>): Promise<void> {
  const { owner, ownerResource, namespace, client, writes, signal } = context;
  const { annotations, resourceVersion, template } = action;
  // A merge patch would mix the old template into the new one, so the template is replaced with a JSON patch.
  const body: JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/annotations', value: merged(owner.metadata.annotations ?? {}, annotations) },
    ...(template === undefined ? [] : [{ op: 'replace', path: '/spec/template', value: template } as const]),
  ];
  const ref = { namespace, name: owner.metadata.name };
  const updated = await client.patch(ownerResource, ref, { type: 'json', body }, { signal });
  writes.wrote(ownerResource, updated.metadata.resourceVersion);
}

async function removeAnnotations(context: WriteContext, action: Of<'removeAnnotations'>): Promise<void> {
  const { namespace, client, writes, signal } = context;
  const { resource, name, uid, values } = action;
  const body = Object.entries(values).flatMap(([key, value]): JsonPatchOperation[] => {
    const path = `/metadata/annotations/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [
      { op: 'test', path, value },
      { op: 'remove', path },
    ];
  });
  const test: JsonPatchOperation = { op: 'test', path: '/metadata/uid', value: uid };
  try {
    const ref = { namespace, name };
    const updated = await client.patch(resource, ref, { type: 'json', body: [test, ...body] }, { signal });
    writes.wrote(resource, updated.metadata.resourceVersion);
  } catch (error) {
    // Changed or deleted since: the next plan sees it as it is.
    if (!isApiError(error, 'NotFound', 'Invalid')) throw error;
  }
}

function merged(present: Readonly<Record<string, string>>, changes: Readonly<Record<string, string | null>>): object {
  return Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null));
}
