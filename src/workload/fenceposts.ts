// How far a rolling update may stray from the number of pods asked for. Percentages of the replicas: surge rounds up,
// unavailability rounds down, so that neither rounding ever takes a pod away that should serve.

export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Resolves both together, because at least one of them has to let the rollout move. */
export function resolveFenceposts(
  maxSurge: number | string | undefined,
  maxUnavailable: number | string | undefined,
  replicas: number,
): Fenceposts {
  const surge = Math.ceil(scaledValue(maxSurge ?? 0, replicas));
  const unavailable = Math.floor(scaledValue(maxUnavailable ?? 0, replicas));
  // Both are never 0 in a valid object, but small percentages of few replicas round to it. Then one pod is given up
  // rather than one too many made, which a quota might not allow.
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** A number as it is, a percentage as that share of `total`, not yet rounded. */
export function scaledValue(value: number | string, total: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) throw new Error(`must be a whole number or a percentage, at least 0: ${value}`);
  return (Number(percent) * total) / 100;
}
