// Which actions the page offers for a rollout, and why one of them cannot be used now: the caller lacks the right, or the terminal's
// own edit refuses, in the same words. Pure but for the rights, which are asked once.

import type { RevisionRecord } from '../../../kinds/my-deployment/plan/record.ts';
import type { Rollout } from '../../../kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import type { Standing } from '../../policy/standing.ts';
import { previousRevision } from '../../revisions.ts';
import { restarted } from '../../rollout/edits.ts';
import { rolledBack } from '../../rollout/undo.ts';
import type { Right, Rights } from '../cluster/rights.ts';
import type { Verb, VerbsRow } from '../protocol.ts';
import { waitsForPerson } from '../view/attention.ts';
import { decisionsFor, policyRefusal } from './policy-verbs.ts';

export interface VerbFacts {
  readonly object: MyDeployment;
  readonly rollout: Rollout;
  readonly standing: Standing | undefined;
  readonly isRejected: (revision: RevisionRecord) => boolean;
  readonly rights: Rights;
  readonly now: number;
}

/** The right that each action needs. */
export const NEEDS: Readonly<Record<Verb, Right>> = {
  pause: 'edit',
  resume: 'edit',
  restart: 'edit',
  undo: 'edit',
  'set image': 'edit',
  scale: 'scale',
  promote: 'decide',
  abort: 'decide',
  retry: 'decide',
};

/** The actions for this object as it is, with what is in their way. The one that the rollout waits for comes first. */
export function offeredVerbs(facts: VerbFacts): VerbsRow {
  const { object, rollout, standing, rights } = facts;
  const hold: Verb = object.spec.paused ? 'resume' : 'pause';
  const awaited: Verb | undefined = waitsForPerson(rollout) ? (object.spec.paused ? 'resume' : 'promote') : undefined;
  const verbs: readonly Verb[] = [hold, 'restart', 'set image', 'scale', 'undo', ...decisionsFor(standing)];
  return verbs
    .toSorted((one, other) => Number(other === awaited) - Number(one === awaited))
    .map((verb) => {
      const refusal = rights.refusal(NEEDS[verb], object.metadata.namespace ?? '') ?? obstacle(verb, facts);
      return {
        verb,
        ...(refusal !== undefined && { refusal }),
        ...(verb === awaited && refusal === undefined && ({ isAwaited: true } as const)),
      };
    });
}

/** What the edit itself says against it. */
function obstacle(verb: Verb, { object, rollout, standing, isRejected, now }: VerbFacts): string | undefined {
  if (object.metadata.deletionTimestamp !== undefined) return 'It is being deleted.';
  switch (verb) {
    case 'restart':
      return complaintOf(() => restarted(object, now));
    case 'undo':
      return complaintOf(() => rolledBack(object, previousRevision(object, rollout.revisions, isRejected)));
    case 'promote':
    case 'abort':
    case 'retry':
      return policyRefusal(verb, standing, now);
    default:
      return undefined;
  }
}

function complaintOf(edit: () => unknown): string | undefined {
  try {
    edit();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
