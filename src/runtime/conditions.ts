// The conditions of a status, as `kubectl wait` and people read them. Pure: nothing is changed in place, and a list in
// which nothing would change is returned itself, so that an unchanged status is recognized as unchanged.
//
// Kubernetes has two sorts. metav1.Condition belongs to newer kinds: a changed message is a change. DeploymentCondition
// belongs to apps/v1: same status and same reason is no change, so that a message that counts causes no write, and
// lastUpdateTime says when the condition was last confirmed.

/** Whether a condition holds. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** As metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
  /** When `status` last changed; when only reason or message do, it stays. */
  readonly lastTransitionTime: string;
  /** The generation of the object that was judged. */
  readonly observedGeneration?: number;
}

/** As apps/v1 DeploymentCondition. */
export interface DeploymentCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

/** What a controller says about a condition; its times follow from what was stored before. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime'>;

interface Typed {
  readonly type: string;
}

/** The condition of this type, if there is one. */
export function findCondition<C extends Typed>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there and its status is True. */
export function isConditionTrue(
  conditions: readonly Pick<Condition, 'type' | 'status'>[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Puts the update in the place of the condition of its type, or at the end. `now` is milliseconds since the epoch. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: number,
): readonly Condition[] {
  const known = findCondition(conditions, update.type);
  if (conditions === undefined || known === undefined) {
    return [...(conditions ?? []), { ...update, lastTransitionTime: timestamp(now) }];
  }
  const lastTransitionTime = known.status === update.status ? known.lastTransitionTime : timestamp(now);
  const condition = { ...update, lastTransitionTime };
  if (isSame(known, condition)) return conditions;
  return conditions.map((each) => (each === known ? condition : each));
}

/** The conditions with this one set by the rules of a Deployment; the same array when status and reason are the same. */
export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  update: ConditionUpdate,
  now: number,
): readonly DeploymentCondition[] {
  const known = findCondition(conditions, update.type);
  if (known?.status === update.status && known.reason === update.reason) return conditions;
  return renewDeploymentCondition(conditions, update, now);
}

/** The same, but lastUpdateTime moves even when nothing else does: for conditions that report repeated progress. */
export function renewDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  update: ConditionUpdate,
  now: number,
): readonly DeploymentCondition[] {
  const known = findCondition(conditions, update.type);
  const time = timestamp(now);
  const kept = known?.status === update.status ? known.lastTransitionTime : undefined;
  const condition = { ...update, lastUpdateTime: time, lastTransitionTime: kept ?? time };
  return [...removeCondition(conditions, update.type), condition];
}

/** The conditions without this type; the same list when there is none. */
export function removeCondition<L extends readonly Typed[] | undefined>(conditions: L, type: string): L {
  if (findCondition(conditions, type) === undefined) return conditions;
  return conditions?.filter((condition) => condition.type !== type) as readonly Typed[] as L;
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}

/** RFC 3339 in whole seconds, as Kubernetes writes its times. */
export function timestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
