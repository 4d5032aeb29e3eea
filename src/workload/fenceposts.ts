// How far a rolling update may deviate from the number of replicas. Percentages of the replicas: surge rounds up and
// unavailability rounds down, so that rounding never makes a serving pod unavailable.

export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Resolves both values together, because at least one of them has to be above 0 for the rollout to move. */
export function resolveFenceposts(
  maxSurge: number | string | undefined,
  maxUnavailable: number | string | undefined,
  replicas: number,
): Fenceposts {
  const surge = Math.ceil(scaledValue(maxSurge ?? 0, replicas));
  const unavailable = Math.floor(scaledValue(maxUnavailable ?? 0, replicas));
  // A valid object never has 0 for both, but small percentages of few replicas round to 0. Then one pod may be
  // unavailable, rather than one pod surge, which a quota might not allow.
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** A number as it is; a percentage as a share of `total`, not rounded. */
export function scaledValue(value: number | string, total: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) throw new Error(`must be a whole number or a percentage, at least 0: ${value}`);
  return (Number(percent) * total) / 100;
}
