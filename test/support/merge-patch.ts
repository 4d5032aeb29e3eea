// JSON merge patch, for tests that say how an object differs from a good one: `null` takes a field away.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** `target` changed as `patch` says; neither is touched. */
export function merged(target: Json, patch: Json): Json {
  if (!isRecord(patch)) return patch;
  const result: Record<string, Json> = { ...(isRecord(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name] ?? null, value);
  }
  return result;
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
