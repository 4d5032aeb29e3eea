// What a RolloutPolicy makes of a new template and of another size, in a sentence. Pure.

import { limitsOf, withDefaults } from '../../../kinds/my-deployment/defaults.ts';
import type { RevisionRecord } from '../../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import { sameTemplate } from '../../../workload/revision.ts';
import type { Standing } from '../../policy/standing.ts';
import { isRolling, notAcceptedWords, stepWords } from '../../policy/step-words.ts';

/** How the template of the object rolls out; undefined where it does so natively. */
export function rolloutSentence(object: MyDeployment, standing: Standing | undefined): string | undefined {
  if (standing === undefined) return undefined;
  const { policy, notAccepted } = standing;
  const stable = stableOf(standing);
  if (stable === undefined) return undefined;
  if (notAccepted !== undefined) return `The rollout holds, because ${notAcceptedWords(policy, notAccepted)}.`;
  if (sameTemplate(stable.template, object.spec.template)) {
    return `It goes straight back to revision ${stable.number}, without steps.`;
  }
  if ((policy.spec.steps ?? []).length === 0) return undefined;
  return `It begins at ${stepWords(1, sizedFor(object, standing))}, under rolloutpolicy "${policy.metadata.name}".`;
}

/** The step of a rollout when the object has this size; undefined where it is in none. */
export function stepSentence(object: MyDeployment, standing: Standing | undefined): string | undefined {
  if (standing === undefined || !isRolling(standing) || standing.phase.step === undefined) return undefined;
  return `The rollout stays at ${stepWords(standing.phase.record.step, sizedFor(object, standing))}.`;
}

function sizedFor<S extends Standing>({ spec }: MyDeployment, standing: S): S {
  return { ...standing, size: limitsOf(withDefaults(spec)) };
}

/** The revision that a rollout would go back to. The first one has none, and no steps. */
function stableOf({ phase, revisions }: Standing): RevisionRecord | undefined {
  const named = (name: string | undefined) => revisions.find((revision) => revision.name === name);
  switch (phase.is) {
    case 'unseen':
      return undefined;
    case 'idle':
      return phase.revision.attempt.completed === phase.revision.number ? phase.revision : undefined;
    case 'rolling':
      return named(phase.record.stable);
    case 'rejected':
      return named(phase.rejection.stable);
    default:
      return phase satisfies never;
  }
}
