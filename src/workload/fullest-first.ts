// Spreads deletions over topology domains: the fullest domain loses a pod first, counted anew at each pick.
//
//   5 pods in zone a, 4 in b, 3 in c, and 3 have to go        a  b  c
//   a is the fullest                                          4  4  3
//   of a and b, the one whose next pod comes first            3  4  3
//   b is the fullest                                          3  3  3
//
// Only pods that are equally useful are chosen among: the order of their ranks stays.

import type { Pod } from './pod.ts';

/** The name of the domain that a pod is in; that of pods of which nothing is known is the same for all of them. */
export type DomainOf = (pod: Pod) => string;

export interface Ranked {
  readonly pod: Pod;
  /** Pods of the same rank are chosen among. */
  readonly rank: string;
}

interface Domain {
  readonly name: string;
  /** From first to last. */
  readonly left: Pod[];
}

/** `count` of these pods, which are in the order of their ranks. All siblings count, whether or not they may be picked. */
export function fullestFirst(
  ranked: readonly Ranked[],
  count: number,
  { siblings, domainOf }: { readonly siblings: readonly Pod[]; readonly domainOf: DomainOf },
): Pod[] {
  const sizes = new Map<string, number>();
  for (const pod of siblings) sizes.set(domainOf(pod), (sizes.get(domainOf(pod)) ?? 0) + 1);
  const sizeOf = ({ name }: Domain): number => sizes.get(name) ?? 0;
  const picked: Pod[] = [];
  for (const peers of Map.groupBy(ranked, ({ rank }) => rank).values()) {
    const places = new Map(peers.map(({ pod }, place) => [pod, place]));
    const isFuller = (one: Domain, other: Domain): boolean => {
      const [mine, theirs] = [places.get(one.left[0] as Pod) as number, places.get(other.left[0] as Pod) as number];
      return sizeOf(one) > sizeOf(other) || (sizeOf(one) === sizeOf(other) && mine < theirs);
    };
    let domains = [...Map.groupBy(peers, ({ pod }) => domainOf(pod))].map(
      ([name, members]): Domain => ({ name, left: members.map(({ pod }) => pod) }),
    );
    while (domains.length > 0 && picked.length < count) {
      const fullest = domains.reduce((one, other) => (isFuller(other, one) ? other : one));
      picked.push(fullest.left.shift() as Pod);
      sizes.set(fullest.name, sizeOf(fullest) - 1);
      if (fullest.left.length === 0) domains = domains.filter((domain) => domain !== fullest);
    }
  }
  return picked;
}
