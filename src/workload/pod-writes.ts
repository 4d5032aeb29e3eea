// Creates and deletes pods, many at once. Each write is recorded before its request is sent (write-tracker.ts), one
// failure stops no other write, and failures are returned as data for the owner's status.

import type { Misfit } from '../runtime/consistency/owner-writes.ts';
import { NEW_OBJECTS } from '../runtime/consistency/refusals.ts';
import { ApiError, isApiError } from '../runtime/errors.ts';
import { controllerOf, keyOf, type Manifest } from '../runtime/object.ts';
import type { Action, NamedPod } from './action.ts';
import { cannotMatch, lostOnAdmission } from './admitted-pod.ts';
import { buildPod, type PodSource } from './build-pod.ts';
import type { Pod } from './pod.ts';
import { nameSuffix, podName } from './pod-name.ts';
import type { FailureReason } from './replica-failure.ts';
import { slowStart } from './slow-start.ts';
import { pods, type WriteContext } from './write-context.ts';

type CreatePods = Extract<Action, { do: 'createPods' }>;
type CreateNamedPods = Extract<Action, { do: 'createNamedPods' }>;
type DeletePod = Extract<Action, { do: 'deletePod' }>;

/** A failed write of a pod or, for the adoption of an orphan, of a revision. */
export interface PodFailure {
  readonly reason: FailureReason;
  /** The revision of the pod, where it is known. */
  readonly revision?: string;
  /** The API server's own message. */
  readonly message: string;
  /** Undefined when the next attempt is scheduled separately (refused-writes.ts) and nothing else waits for it. */
  readonly error?: unknown;
}

/** Creates pods with a slow start; returns why some could not be created. */
export function createPods(context: WriteContext, { revision, source, count }: CreatePods): Promise<PodFailure[]> {
  const { owner, namespace, writes, random } = context;
  const names = writes.expectNewObjects(source.hash, count, {
    next: () => podName(owner.metadata.name, source.hash, nameSuffix(random)),
    isThere: (name) => context.pods.get(keyOf({ namespace, name })) !== undefined,
  });
  return createExpected(
    context,
    revision,
    names.map((name) => ({ name, source })),
  );
}

/** Creates pods of given names with a slow start; returns why some could not be created. */
export function createNamedPods(context: WriteContext, action: CreateNamedPods): Promise<PodFailure[]> {
  context.writes.expectCreations(action.pods.map(({ name }) => name));
  return createExpected(context, action.revision, action.pods);
}

async function createExpected(
  context: WriteContext,
  revision: string,
  expected: readonly NamedPod[],
): Promise<PodFailure[]> {
  const { writes, granted, namespace } = context;
  const isHeld = writes.refusals.has(NEW_OBJECTS);
  const stuck = isHeld ? [] : await removeMisfits(context);
  if (isHeld || stuck.length > 0) {
    for (const { name } of expected) writes.notCreated(name);
    return stuck.map((error) => failure('FailedCreate', revision, error));
  }
  const tried = new Set<NamedPod>();
  const create = (index: number): Promise<void> => {
    const pod = expected[index] as NamedPod;
    tried.add(pod);
    return createPod(context, pod);
  };
  const result = await slowStart(expected.length, create, granted.firstBatch(namespace));
  granted.note(namespace, result);
  for (const pod of expected) if (!tried.has(pod)) writes.notCreated(pod.name);
  noteMisfits(context);
  return result.failures.map((error) => failure('FailedCreate', revision, error));
}

async function createPod(context: WriteContext, { name, source }: NamedPod): Promise<void> {
  const { owner, client, writes, signal } = context;
  const made = buildPod(owner, source, name);
  const impossible = cannotMatch(made, source);
  if (impossible !== undefined) {
    writes.notCreated(name);
    throw new Error(impossible);
  }
  const answer = client.create(pods, made, { signal }).catch((error) => lookAfter(context, { name, source }, error));
  const pod = await answer;
  if (pod !== undefined) await receive(context, pod, { made, source });
}

/** The pod of a create that failed, if it exists after all; otherwise records what is known and throws. */
async function lookAfter(context: WriteContext, { name, source }: NamedPod, error: unknown): Promise<Pod | undefined> {
  const { owner, writes } = context;
  const isTaken = isApiError(error, 'AlreadyExists');
  const found = isTaken || isUnsure(error) ? await lookFor(context, name) : undefined;
  if (found !== undefined && controllerOf(found)?.uid === owner.metadata.uid) return found;
  if (found === undefined && isTaken) writes.created(pods, name);
  else if (found === undefined && isUnsure(error)) writes.perhapsCreated(pods, name, source.hash);
  else writes.notCreated(name);
  // The pod of another owner, or one that lost its owner in admission: the next plan has to know of it.
  if (found !== undefined) writes.wrote(pods, found.metadata.resourceVersion);
  // The namespace is being deleted and the owner with it, so there is no failure to report.
  if (isNamespaceTerminating(error) || (isTaken && found === undefined)) return undefined;
  throw error;
}

/** Reads once whether a pod of this name exists; undefined when it does not, or when the read fails. */
async function lookFor({ namespace, client, signal }: WriteContext, name: string): Promise<Pod | undefined> {
  try {
    return await client.get(pods, { namespace, name }, { attempts: 1, signal });
  } catch {
    return undefined; // unknown: the next attempt uses the same name
  }
}

/** Records a new pod. A pod that admission changed so that its owner does not recognize it is deleted. */
async function receive(
  context: WriteContext,
  pod: Pod,
  { made, source }: { readonly made: Manifest<Pod>; readonly source: PodSource },
): Promise<void> {
  const { writes } = context;
  const name = made.metadata.name as string;
  writes.wrote(pods, pod.metadata.resourceVersion);
  const lost = lostOnAdmission(made, pod, source);
  if (lost === undefined) {
    writes.clearRefusal(NEW_OBJECTS);
    return writes.created(pods, name, pod.metadata.resourceVersion);
  }
  writes.notCreated(name);
  const why = `pod "${pod.metadata.name}" lost ${lost} on admission: a mutating webhook or policy changes it`;
  const misfit = { name: pod.metadata.name, uid: pod.metadata.uid, why };
  writes.addMisfit(misfit);
  throw (await removeMisfit(context, misfit)) ?? new Error(why);
}

/** Deletes pods of earlier attempts; returns why one still exists, in which case no other pod may be created. */
async function removeMisfits(context: WriteContext): Promise<Error[]> {
  const misfits = context.writes.misfits;
  const left = await Promise.all(misfits.map((misfit) => removeMisfit(context, misfit)));
  noteMisfits(context);
  return left.filter((error) => error !== undefined);
}

/** While admission keeps changing pods, their events wake their owner, so the next attempt is scheduled separately. */
function noteMisfits({ writes }: WriteContext): void {
  const [misfit] = writes.misfits;
  if (misfit !== undefined) writes.noteRefusal(NEW_OBJECTS, { reason: 'FailedCreate', message: misfit.why });
}

/** Deletes the pod; undefined when it is known to be gone, otherwise the failure. */
async function removeMisfit(context: WriteContext, misfit: Misfit): Promise<Error | undefined> {
  const { namespace, client, writes, signal } = context;
  const { name, uid, why } = misfit;
  try {
    const deleted = await client.delete(pods, { namespace, name }, { uid, signal });
    if (deleted !== undefined) writes.wrote(pods, deleted.metadata.resourceVersion);
    return new Error(`${why}; it is being removed`);
  } catch (error) {
    if (!isApiError(error, 'NotFound', 'Conflict')) return new Error(`${why}; not removed: ${wordsOf(error)}`);
    writes.removeMisfit(misfit);
    return undefined;
  }
}

/** Deletes pods all at once; returns why some could not be deleted. */
export async function deletePods(context: WriteContext, actions: readonly DeletePod[]): Promise<PodFailure[]> {
  const { owner, namespace, writes } = context;
  // Records were written since the plan was made: meanwhile a pod may have been deleted or released by its owner.
  const ours = actions.filter(({ name }) => {
    const pod = context.pods.get(keyOf({ namespace, name }));
    return pod !== undefined && controllerOf(pod)?.uid === owner.metadata.uid;
  });
  writes.expectDeletions(ours.map(({ uid }) => uid));
  const results = await Promise.allSettled(ours.map((action) => deletePod(context, action)));
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : [failure('FailedDelete', (ours[index] as DeletePod).revision, result.reason)],
  );
}

async function deletePod(context: WriteContext, { name, uid, resourceVersion }: DeletePod): Promise<void> {
  const { namespace, client, writes, signal } = context;
  const unchanged = resourceVersion === undefined ? {} : { resourceVersion };
  try {
    const deleted = await client.delete(pods, { namespace, name }, { uid, ...unchanged, signal });
    if (deleted !== undefined) writes.wrote(pods, deleted.metadata.resourceVersion);
  } catch (error) {
    const isConflict = isApiError(error, 'Conflict');
    // Deleted already, or replaced by another pod of that name: the cache will show it.
    if (isApiError(error, 'NotFound') || (isConflict && resourceVersion === undefined)) return;
    // Changed since the deletion was decided; perhaps by an attempt of this delete whose answer was lost.
    if (isConflict || isUnsure(error)) writes.perhapsDeleted(pods, { name, uid });
    else writes.notDeleted(uid);
    if (isConflict) return writes.outdated();
    throw error;
  }
}

/** True when the API server may have executed the request although it returned no success. */
export function isUnsure(error: unknown): boolean {
  return !isApiError(error) || isApiError(error, 'Connection', 'Timeout', 'ServerError', 'Aborted');
}

function isNamespaceTerminating(error: unknown): boolean {
  return isApiError(error, 'Forbidden') && error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

function failure(reason: PodFailure['reason'], revision: string, error: unknown): PodFailure {
  return { reason, revision, message: wordsOf(error), error };
}

/** The API server's message, or one of ours where it sent none. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
