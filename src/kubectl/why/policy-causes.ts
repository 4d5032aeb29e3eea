// The causes that a RolloutPolicy has: a rejection, a policy that cannot govern, a stable revision that is lost or fails.
// Where the rollout stands is read from its records, not from conditions, which tell less.

import { STALLED } from '../../kinds/my-deployment/plan/reconciling.ts';
import {
  GATE_FAILED,
  POD_FAILURES,
  POLICY_NOT_ACCEPTED,
  REVISION_REJECTED,
  STABLE_REVISION_LOST,
  STABLE_UNHEALTHY,
} from '../../policy/conditions.ts';
import { isAbout } from '../../policy/governing.ts';
import { findCondition } from '../../runtime/conditions.ts';
import { formatDuration } from '../duration.ts';
import { ended } from '../phrasing.ts';
import { rejectionWords } from '../policy/outcome.ts';
import { type Standing, standingOf } from '../policy/standing.ts';
import { revisionWords } from '../policy/step-words.ts';
import { type Cause, type CauseName, conditionLine, type Facts } from './cause.ts';

/** What keeps a rollout from going back, although its policy asks for that. */
interface StableTrouble {
  readonly name: CauseName;
  readonly advice: string;
}

const STABLE_TROUBLES: ReadonlyMap<string, StableTrouble> = new Map<string, StableTrouble>([
  [
    STABLE_REVISION_LOST,
    {
      name: 'stable-lost',
      advice:
        'Restore its ControllerRevision, or delete the RolloutPolicy: then the newest template rolls out at the native pace.',
    },
  ],
  [
    STABLE_UNHEALTHY,
    {
      name: 'stable-unhealthy',
      advice: 'See why the pods of the stable revision fail: to go back to it would not help.',
    },
  ],
  [
    POD_FAILURES,
    {
      name: 'no-way-back',
      advice: 'Fix the template and apply it: the first rollout of an object has nothing to go back to.',
    },
  ],
]);

/** Reasons of the Stalled condition that the rules for policies explain. */
export const POLICY_STALLS: readonly string[] = [
  REVISION_REJECTED,
  GATE_FAILED,
  POLICY_NOT_ACCEPTED,
  ...STABLE_TROUBLES.keys(),
];

/** Where the rollout stands; undefined when no policy is about the object. */
export function standingIn({ rollout, policies }: Facts): Standing | undefined {
  return standingOf({ object: rollout.object, revisions: rollout.revisions, policies });
}

/** A policy that is not accepted holds the rollout where it is; only its deletion lets go. */
export function policyRefused(facts: Facts): Cause[] {
  const standing = standingIn(facts);
  if (standing?.notAccepted === undefined) return [];
  const { metadata, status } = standing.policy;
  const accepted = findCondition(status?.conditions, 'Accepted');
  return [
    {
      name: 'policy-not-accepted',
      sentence: `RolloutPolicy "${metadata.name}" is not accepted, so a rollout holds where it is: ${ended(standing.notAccepted)}`,
      evidence: [`rolloutpolicy/${metadata.name}: ${accepted ? conditionLine(accepted) : 'no condition Accepted yet'}`],
      advice: 'Correct the policy. Deleting it lets the rollout go on at the native pace.',
    },
  ];
}

/** Policies that have no effect beside the one that governs. */
export function policyConflict(facts: Facts): Cause[] {
  const standing = standingIn(facts);
  const all = facts.policies.filter((policy) => isAbout(policy, facts.rollout.object.metadata));
  const others = all.filter((policy) => policy !== standing?.policy).map(({ metadata }) => metadata.name);
  return others.map((name) => ({
    name: 'policy-conflicted',
    sentence: `RolloutPolicy "${name}" has no effect: "${standing?.policy.metadata.name}" is about the same MyDeployment and is older.`,
    evidence: [`spec.targetRef.name of both is ${facts.rollout.object.metadata.name}`],
    advice: `kubectl delete rop ${name}, or the other one.`,
  }));
}

/** The operator needs the stable revision and cannot use it. */
export function stableTrouble({ rollout: { object } }: Facts): Cause[] {
  const condition = findCondition(object.status?.conditions, STALLED);
  const trouble = STABLE_TROUBLES.get(condition?.reason ?? '');
  if (condition?.status !== 'True' || trouble === undefined) return [];
  return [
    { ...trouble, sentence: ended(condition.message ?? condition.reason ?? ''), evidence: [conditionLine(condition)] },
  ];
}

/** The spec's revision was rejected, and stays so until it is retried or another one comes. */
export function rejected(facts: Facts): Cause[] {
  const standing = standingIn(facts);
  if (standing?.phase.is !== 'rejected') return [];
  const { revision, rejection } = standing.phase;
  const ago = formatDuration(facts.now - rejection.at);
  const back = revisionWords(rejection.stable, standing.revisions);
  return [
    {
      name: 'rejected',
      sentence: `Revision ${revision.number} was ${rejectionWords(rejection)}, ${ago} ago. The pods are those of ${back}, or become so; the spec stays as it is.`,
      evidence: [`controllerrevision/${revision.name}: rejected by rolloutpolicy/${standing.policy.metadata.name}`],
      advice: `Fix the template and apply it, or try the same one again: kubectl md rollout retry ${facts.rollout.object.metadata.name}`,
    },
  ];
}
