// The names of pods in a query. `{{pods}}` and `{{stablePods}}` become patterns for =~ that match exactly the pods there are: no query
// reads the series of an earlier attempt, and no name of a pod can change what a query means.

import type { KubeObject } from '../../../runtime/object.ts';

/** A pattern of more names would make the query slow, and larger than servers accept. */
const MOST_PODS = 500;
/** No pod has this name. An empty pattern would match every series without a pod. */
const NO_POD = '-';

/** A pattern that matches the names of these pods and no other; beyond 500 pods, of the first 500 by name. */
export function podPattern(pods: readonly KubeObject[]): string {
  const names = pods.map(({ metadata }) => metadata.name).sort();
  // In brackets, because a backslash would mean different things in the three sorts of quotes that PromQL has.
  const escaped = names.slice(0, MOST_PODS).map((name) => name.replaceAll('.', '[.]'));
  return escaped.length === 0 ? NO_POD : escaped.join('|');
}
