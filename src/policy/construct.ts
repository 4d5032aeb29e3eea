// RolloutPolicy for cdk8s apps. Gates are objects that steps name: what no step uses is not rendered. What the API server would
// refuse, and what it could not know to be wrong, is refused at synthesis with the construct's path.

import { ApiObject, type ApiObjectMetadata, type Duration } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { apiVersionOf } from '../runtime/resource.ts';
import { formatDuration } from './duration.ts';
import { gateProblems, type RolloutGate } from './gate-construct.ts';
import { rolloutPolicies } from './resource.ts';
import type {
  RolloutPolicySpec,
  RolloutPolicySpecPods,
  RolloutPolicySpecRollback,
  RolloutPolicySpecStep,
} from './types.gen.ts';

/** A MyDeployment of the app, or the name of another one. */
export interface RolloutTarget {
  /** Must be MyDeployment. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
}

/** What a policy is for, and how it rolls out. */
export interface RolloutPolicyProps extends RolloutPolicyOptions {
  /** The MyDeployment that rolls out by this policy. */
  readonly target: RolloutTarget;
}

/** How a policy rolls out, without what it is for. */
export interface RolloutPolicyOptions {
  /**
   * Where a rollout rests on its way, in this order. After the last step come all replicas.
   * @default - none: a rollout goes on at the pace of the strategy
   */
  readonly steps?: readonly RolloutStep[];

  /**
   * When a rollout goes back to the revision before by itself. `{}` means at its deadline, for failing pods, and for failed gates.
   * @default - never
   */
  readonly rollback?: RolloutRollback;

  /**
   * How single pods are replaced and removed, also outside of rollouts.
   * @default - as natively
   */
  readonly pods?: RolloutPods;

  /**
   * Metadata of the object.
   * @default - a name made from the path of the construct
   */
  readonly metadata?: ApiObjectMetadata;
}

/** Where a rollout rests. */
export interface RolloutStep {
  /** How many pods of the new revision there are: a number, or a percentage of all replicas, rounded up. */
  readonly replicas: number | kplus.PercentOrAbsolute;

  /**
   * What has to pass before the rollout goes on.
   * @default - nothing
   */
  readonly gates?: readonly RolloutGate[];

  /**
   * How long the rollout rests here, at the least, once all pods of the step are available.
   * @default - only until its gates have passed
   */
  readonly pause?: Duration | 'until promoted';
}

/** What makes a rollout go back. */
export type RollbackCause = NonNullable<RolloutPolicySpecRollback['when']>[number];

/** When a rollout goes back. */
export interface RolloutRollback {
  /**
   * What makes it go back.
   * @default - all of them
   */
  readonly when?: readonly RollbackCause[];

  /**
   * How many failing pods of the new revision are too many: a number, or a percentage of how many it should have, rounded up.
   * @default - 50%
   */
  readonly maxPodFailures?: number | kplus.PercentOrAbsolute;
}

/** How single pods are replaced and removed. */
export interface RolloutPods {
  /**
   * Whether pods get a new template without being replaced, where that is possible.
   * @default - pods are replaced
   */
  readonly inPlace?: RolloutInPlace;

  /**
   * When a pod that leaves makes room for another one: as soon as it is being deleted, or only when it has ended.
   * @default TerminationStarted
   */
  readonly podReplacementPolicy?: NonNullable<RolloutPolicySpecPods['podReplacementPolicy']>;

  /**
   * Which pods go first when there are to be fewer: those of the fullest topology domain, by this label of nodes.
   * @default - natively, whatever the domain
   */
  readonly scaleDown?: RolloutScaleDown;

  /**
   * Whether pods on cordoned nodes get their successors before they are evicted, where a disruption budget would let no drain end.
   * Needs a surge.
   * @default false
   */
  readonly surgeOnDrain?: boolean;
}

/** Changes pods in place. */
export interface RolloutInPlace {
  /** IfPossible: images, CPU and memory, and labels are changed in running pods. Needs a maxUnavailable of at least one pod. */
  readonly mode: NonNullable<RolloutPolicySpecPods['inPlace']>['mode'];

  /**
   * How long a pod gets no requests from its Services before its containers are restarted.
   * @default Duration.seconds(10)
   */
  readonly gracePeriod?: Duration;
}

/** Spreads scale-downs. */
export interface RolloutScaleDown {
  /** The label of nodes that names their topology domain, such as `kplus.Topology.ZONE`. */
  readonly spreadBy: string | kplus.Topology;
}

const MOST_STEPS = 20;
const MOST_GATES = 20;

/** Rolls a MyDeployment out in steps, through gates, and back by itself. */
export class RolloutPolicy extends ApiObject {
  constructor(scope: Construct, id: string, props: RolloutPolicyProps) {
    super(scope, id, {
      apiVersion: apiVersionOf(rolloutPolicies),
      kind: rolloutPolicies.kind,
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(props),
    });
    const problems = problemsOf(props);
    if (problems.length > 0) throw new Error(`${this.node.path}: ${problems.join('; ')}`);
  }
}

function specOf({ target, steps = [], rollback, pods }: RolloutPolicyProps): RolloutPolicySpec {
  const gates = gatesOf(steps);
  return {
    targetRef: { name: target.name },
    ...(steps.length > 0 && { steps: steps.map(stepOf) }),
    ...(gates.length > 0 && { gates: gates.map(({ spec }) => spec) }),
    ...(rollback && {
      rollback: {
        ...(rollback.when && { when: rollback.when }),
        ...(rollback.maxPodFailures !== undefined && { maxPodFailures: share(rollback.maxPodFailures) }),
      },
    }),
    ...(pods && { pods: podsOf(pods) }),
  };
}

function podsOf({ scaleDown, inPlace, ...pods }: RolloutPods): RolloutPolicySpecPods {
  const spreadBy = typeof scaleDown?.spreadBy === 'string' ? scaleDown.spreadBy : scaleDown?.spreadBy.key;
  const gracePeriod = inPlace?.gracePeriod && (formatDuration(inPlace.gracePeriod.toMilliseconds()) || '0s');
  return {
    ...pods,
    ...(inPlace && { inPlace: { mode: inPlace.mode, ...(gracePeriod && { gracePeriod }) } }),
    ...(spreadBy !== undefined && { scaleDown: { spreadBy } }),
  };
}

function stepOf({ replicas, gates = [], pause }: RolloutStep): RolloutPolicySpecStep {
  return {
    replicas: share(replicas),
    ...(gates.length > 0 && { gates: gates.map(({ name }) => name) }),
    ...(pause !== undefined && {
      pause: pause === 'until promoted' ? { until: 'Promoted' } : { duration: formatDuration(pause.toMilliseconds()) },
    }),
  };
}

/** Each gate once, in the order in which steps name them first. */
function gatesOf(steps: readonly RolloutStep[]): readonly RolloutGate[] {
  return [...new Set(steps.flatMap(({ gates = [] }) => gates))];
}

function share(value: number | kplus.PercentOrAbsolute): number | string {
  return typeof value === 'number' ? value : value.value;
}

function problemsOf({ target, steps = [], rollback, pods }: RolloutPolicyProps): string[] {
  const gates = gatesOf(steps);
  const names = gates.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [target.kind === 'MyDeployment', `cannot roll out a ${target.kind}, only a MyDeployment`],
    [steps.length <= MOST_STEPS, `there can be ${MOST_STEPS} steps, got ${steps.length}`],
    [gates.length <= MOST_GATES, `there can be ${MOST_GATES} gates, got ${gates.length}`],
    [twice === undefined, `two gates are called "${twice}"`],
    [
      (pods?.inPlace?.gracePeriod?.toMilliseconds() ?? 0) % 1000 === 0,
      `pods.inPlace.gracePeriod must be whole seconds, got ${pods?.inPlace?.gracePeriod?.toMilliseconds()} ms`,
    ],
    [rollback?.when?.length !== 0, 'rollback.when must name at least one cause; leave it out for all'],
  ];
  return [
    ...checks.filter(([holds]) => !holds).map(([, problem]) => problem),
    ...steps.flatMap(stepProblems),
    ...(rollback?.maxPodFailures === undefined
      ? []
      : shareProblems('rollback.maxPodFailures', rollback.maxPodFailures)),
    ...gates.flatMap(gateProblems),
  ];
}

function stepProblems({ replicas, pause }: RolloutStep, index: number): string[] {
  const isPausable = pause === undefined || pause === 'until promoted' || isWhole(pause);
  return [
    ...shareProblems(`steps[${index}].replicas`, replicas),
    ...(isPausable ? [] : [`steps[${index}].pause must be whole seconds, at least one`]),
  ];
}

function shareProblems(prop: string, value: number | kplus.PercentOrAbsolute): string[] {
  const given = share(value);
  const isShare = typeof given === 'number' ? Number.isInteger(given) && given >= 1 : /^(100|[1-9]\d?)%$/.test(given);
  return isShare ? [] : [`${prop} must be a whole number from 1, or a percentage from 1% to 100%, got ${given}`];
}

function isWhole(duration: Duration): boolean {
  const ms = duration.toMilliseconds();
  return ms > 0 && ms % 1000 === 0;
}
