// The resources of containers, as far as a running pod can be resized: CPU and memory, never removed, and within the pod's QoS
// class. The API server refuses anything else.

import { sameAmount } from '../../runtime/quantity.ts';
import { sameMeaning } from '../canonical.ts';
import type { ResourceRequirements } from '../template-schema.ts';

type Amounts = Readonly<Record<string, string>>;
export type Resources = Pick<ResourceRequirements, 'limits' | 'requests'>;

interface Sized {
  readonly name: string;
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly { readonly resourceName: string; readonly restartPolicy: string }[];
}

/** What can be resized. */
const RESIZABLE: readonly string[] = ['cpu', 'memory'];

/** As the API server stores them in a pod: a limit without a request is also the request. */
export function storedResources({ limits = {}, requests = {} }: Resources = {}): {
  readonly limits: Amounts;
  readonly requests: Amounts;
} {
  return { limits, requests: { ...limits, ...requests } };
}

export function sameResources(one: Resources | undefined, other: Resources | undefined): boolean {
  const [mine, yours] = [storedResources(one), storedResources(other)];
  return sameAmounts(mine.limits, yours.limits) && sameAmounts(mine.requests, yours.requests);
}

/** Why a container cannot be resized from one to the other; undefined when it can, or has not to be. */
export function resizeObstacle(one: ResourceRequirements = {}, other: ResourceRequirements = {}): string | undefined {
  if (!sameMeaning(one.claims ?? [], other.claims ?? [])) return 'its resource claims change';
  if (sameResources(one, other)) return undefined;
  const [from, to] = [storedResources(one), storedResources(other)];
  for (const [before, after] of [
    [from.limits, to.limits],
    [from.requests, to.requests],
  ] as const) {
    const other = changedKeys(before, after).find((key) => !RESIZABLE.includes(key));
    if (other !== undefined) return `only CPU and memory can be resized, and its ${other} changes`;
    const removed = Object.keys(before).find((key) => !Object.hasOwn(after, key));
    if (removed !== undefined) return `a request or limit for ${removed} cannot be removed`;
  }
  return undefined;
}

/** True when the container is to be restarted to be resized. */
export function restartsToResize({ resources: one, resizePolicy = [] }: Sized, other: Resources | undefined): boolean {
  const [from, to] = [storedResources(one), storedResources(other)];
  const changed = [...changedKeys(from.limits, to.limits), ...changedKeys(from.requests, to.requests)];
  return resizePolicy.some(
    ({ resourceName, restartPolicy }) => restartPolicy === 'RestartContainer' && changed.includes(resourceName),
  );
}

/** The quality of service of a pod with these containers: it is set when the pod is created and cannot change. */
export function qosClass(containers: readonly Sized[]): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = containers.map(({ resources }) => storedResources(resources));
  const isSet = (amounts: Amounts, key: string): boolean => key in amounts && !sameAmount(amounts[key] as string, '0');
  if (!all.some(({ limits, requests }) => RESIZABLE.some((key) => isSet(limits, key) || isSet(requests, key)))) {
    return 'BestEffort';
  }
  const isGuaranteed = all.every(({ limits, requests }) =>
    RESIZABLE.every((key) => isSet(limits, key) && sameAmount(limits[key] as string, requests[key] as string)),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function sameAmounts(one: Amounts, other: Amounts): boolean {
  return changedKeys(one, other).length === 0;
}

function changedKeys(one: Amounts, other: Amounts): string[] {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.filter((key) => {
    const [mine, yours] = [one[key], other[key]];
    return mine === undefined || yours === undefined || !sameAmount(mine, yours);
  });
}
