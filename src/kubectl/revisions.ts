// The recorded revisions of a MyDeployment, as commands read them: from old to new, those that are its own.

import { isOurRecord, type RevisionRecord, readRevision } from '../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import { controllerOf } from '../runtime/object.ts';
import { type ControllerRevision, compareRevisions, sameTemplate } from '../workload/revision.ts';
import { formatSelector } from '../workload/selector.ts';
import { controllerRevisions } from '../workload/write-context.ts';
import type { Reach } from './context.ts';

/** Reads the revisions that belong to this object. */
export async function readRevisions(
  { client, console }: Pick<Reach, 'client' | 'console'>,
  { metadata, spec }: MyDeployment,
): Promise<readonly RevisionRecord[]> {
  const { items } = await client.list(controllerRevisions, {
    namespace: metadata.namespace as string,
    labelSelector: formatSelector(spec.selector),
    signal: console.interrupted,
  });
  return ownRevisions(items, metadata.uid);
}

export function ownRevisions(items: readonly ControllerRevision[], uid: string): readonly RevisionRecord[] {
  return items
    .filter((item) => controllerOf(item)?.uid === uid && isOurRecord(item.metadata.annotations))
    .toSorted(compareRevisions)
    .map(readRevision);
}

/** The revision with this number; throws in kubectl's words when there is none. */
export function findRevision(revisions: readonly RevisionRecord[], number: number): RevisionRecord {
  const found = revisions.find((revision) => revision.number === number);
  if (found === undefined) throw new Error(`unable to find specified revision ${number} in history`);
  return found;
}

/** The revision whose template the object has now; undefined while a paused object waits with a new one. */
export function presentRevision(
  { spec }: MyDeployment,
  revisions: readonly RevisionRecord[],
): RevisionRecord | undefined {
  return revisions.findLast(({ template }) => sameTemplate(template, spec.template));
}

/** The newest revision whose template is another than the object's; one that was rejected is no place to go back to. */
export function previousRevision(
  { spec, metadata }: MyDeployment,
  revisions: readonly RevisionRecord[],
  isRejected: (revision: RevisionRecord) => boolean = () => false,
): RevisionRecord {
  const found = revisions.findLast(
    (revision) =>
      revision.template !== undefined && !sameTemplate(revision.template, spec.template) && !isRejected(revision),
  );
  if (found === undefined) throw new Error(`no rollout history found for mydeployment "${metadata.name}"`);
  return found;
}
