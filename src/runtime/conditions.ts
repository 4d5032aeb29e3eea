// The conditions of a status, as `kubectl wait` and people read them. Pure: nothing is changed in place, and a list in
// which nothing would change comes back itself, so that an unchanged status is seen to be unchanged.

export type ConditionStatus = 'True' | 'False' | 'Unknown';

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

/** What a controller has found out; the time of the transition follows from what was known before. */
export type Finding = Omit<Condition, 'lastTransitionTime'>;

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there and its status is True. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Puts the finding in the place of the condition of its type, or at the end. `now` is milliseconds since the epoch. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  finding: Finding,
  now: number,
): readonly Condition[] {
  const known = findCondition(conditions, finding.type);
  if (conditions === undefined || known === undefined) {
    return [...(conditions ?? []), { ...finding, lastTransitionTime: timestamp(now) }];
  }
  const lastTransitionTime = known.status === finding.status ? known.lastTransitionTime : timestamp(now);
  const condition = { ...finding, lastTransitionTime };
  if (isSame(known, condition)) return conditions;
  return conditions.map((each) => (each === known ? condition : each));
}

export function removeCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): readonly Condition[] | undefined {
  return findCondition(conditions, type) === undefined
    ? conditions
    : conditions?.filter((condition) => condition.type !== type);
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
