// Conditions with the rules of Deployment's: same status and same reason changes nothing (so a rewording or a counting
// message is no reason to write), lastTransitionTime moves with the status only, lastUpdateTime with every change.

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

/** What someone has to say; when it was said is added on setting it. */
export type Statement = Required<Pick<Condition, 'type' | 'status' | 'reason' | 'message'>>;

export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** The conditions with this one set; the very same array when it says nothing new. */
export function setCondition(
  conditions: readonly Condition[],
  statement: Statement,
  now: number,
): readonly Condition[] {
  const current = findCondition(conditions, statement.type);
  if (current?.status === statement.status && current.reason === statement.reason) return conditions;
  return renewCondition(conditions, statement, now);
}

/** The same, but lastUpdateTime moves even when nothing else does: for conditions that tell of repeated progress. */
export function renewCondition(
  conditions: readonly Condition[],
  statement: Statement,
  now: number,
): readonly Condition[] {
  const current = findCondition(conditions, statement.type);
  const time = timestamp(now);
  const kept = current?.status === statement.status ? current.lastTransitionTime : undefined;
  const condition = { ...statement, lastUpdateTime: time, lastTransitionTime: kept ?? time };
  return [...removeCondition(conditions, statement.type), condition];
}

/** The conditions without this type; the very same array when there was none. */
export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return findCondition(conditions, type) === undefined
    ? conditions
    : conditions.filter((condition) => condition.type !== type);
}

/** A moment as the API writes it: RFC 3339, in UTC, whole seconds. */
export function timestamp(now: number): string {
  return `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z`;
}
