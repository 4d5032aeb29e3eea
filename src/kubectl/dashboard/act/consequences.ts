// What an action does, in sentences, from the object before and after it, and from where it stands under a policy. Pure.

import { limitsOf, maxTotalPods, minAvailableFor, withDefaults } from '../../../kinds/my-deployment/defaults.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import { sameTemplate } from '../../../workload/revision.ts';
import { counted } from '../../phrasing.ts';
import type { Standing } from '../../policy/standing.ts';
import type { ActRequest } from '../protocol.ts';
import { rolloutSentence, stepSentence } from './policy-sentences.ts';

interface Change {
  readonly before: MyDeployment;
  readonly after: MyDeployment;
  /** Undefined without a policy. */
  readonly standing: Standing | undefined;
}

/** At least one sentence. */
export function consequences({ verb }: ActRequest, change: Change): readonly string[] {
  const { before, after, standing } = change;
  switch (verb) {
    case 'pause':
      return [
        'No pod is replaced until it is resumed. Scaling goes on working, and pods that fail are still replaced.',
        ...(standing === undefined ? [] : ['Steps and gates stand still, too, and nothing goes back by itself.']),
      ];
    case 'resume':
      return [isComplete(before) ? 'Nothing waits to be rolled out.' : `The rollout goes on. ${pace(after)}`];
    case 'scale':
      return [scaled(before, after), stepSentence(after, standing)].filter((sentence) => sentence !== undefined);
    case 'restart':
      return [
        `All ${counted(replicasOf(after), 'pod')} are replaced by new ones of the same template.`,
        ...rollout(change),
      ];
    default:
      return templateChange(change);
  }
}

function templateChange(change: Change): readonly string[] {
  const { before, after } = change;
  if (sameTemplate(before.spec.template, after.spec.template))
    return ['Nothing changes: the template is already this one.'];
  if (after.spec.paused) return ['It is paused: the new template waits until it is resumed.'];
  return [...imagesChanged(before, after), ...rollout(change, `It rolls out to ${counted(replicasOf(after), 'pod')}.`)];
}

/** How the template of the object rolls out: as its policy has it, or natively. */
function rollout({ after, standing }: Change, natively?: string): readonly string[] {
  return [[rolloutSentence(after, standing) ?? natively, pace(after)].filter(Boolean).join(' ')];
}

function imagesChanged(before: MyDeployment, after: MyDeployment): string[] {
  const images = new Map(before.spec.template.spec.containers.map(({ name, image }) => [name, image]));
  return after.spec.template.spec.containers
    .filter(({ name, image }) => images.has(name) && images.get(name) !== image)
    .map(({ name, image }) => `Container ${name}: ${images.get(name)} becomes ${image}.`);
}

/** How many pods there are at most and at least on the way. */
function pace(object: MyDeployment): string {
  const spec = withDefaults(object.spec);
  const limits = limitsOf(spec);
  if (spec.replicas === 0) return 'There are no pods, so nothing is replaced.';
  if (spec.strategy.type === 'Recreate') return 'All old pods end before the first new one is created.';
  const [most, least] = [maxTotalPods(limits), minAvailableFor(spec, limits)];
  return `There are at most ${counted(most, 'pod')} at a time, and at least ${least} available.`;
}

function scaled(before: MyDeployment, after: MyDeployment): string {
  const [from, to] = [replicasOf(before), replicasOf(after)];
  if (to === from) return `Nothing changes: it has ${counted(from, 'replica')} already.`;
  if (to === 0) return `All ${counted(from, 'pod')} are deleted, and nothing serves any more.`;
  return to > from
    ? `${counted(to - from, 'pod')} more: ${to} instead of ${from}.`
    : `${counted(from - to, 'pod')} are deleted: ${to} instead of ${from}.`;
}

function isComplete({ spec, status }: MyDeployment): boolean {
  return (status?.updatedReplicas ?? 0) === (spec.replicas ?? 1) && status?.replicas === status?.updatedReplicas;
}

function replicasOf({ spec }: MyDeployment): number {
  return spec.replicas ?? 1;
}
