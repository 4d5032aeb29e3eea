// The names of pods. The operator chooses them, so that retrying a create whose response was lost returns AlreadyExists
// instead of creating a second pod. A pod's name is also its hostname, which DNS limits to one label.

import { revisionHash, SAFE_LETTERS } from './hash.ts';

const LONGEST_NAME = 63;
const SUFFIX_LENGTH = 5;

/** `<owner>-<hash>-<suffix>`, `<owner>-pod-<suffix>` without a hash; a long owner name is cut, so that the rest stays. */
export function podName(owner: string, hash = 'pod', suffix: string): string {
  const room = LONGEST_NAME - hash.length - SUFFIX_LENGTH - 2;
  return `${cutName(owner, room)}-${hash}-${suffix}`;
}

/** True when `podName` may have returned this name. */
export function isPodName(name: string, owner: string, hash?: string): boolean {
  const stem = podName(owner, hash, '');
  return name.startsWith(stem) && name.length === stem.length + SUFFIX_LENGTH;
}

/** A suffix as Kubernetes generates them. `random` returns numbers in [0, 1). */
export function nameSuffix(random: () => number): string {
  const letter = (): string => SAFE_LETTERS.charAt(Math.floor(random() * SAFE_LETTERS.length));
  return Array.from({ length: SUFFIX_LENGTH }, letter).join('');
}

/**
 * `<owner>-<node>-<hash>`, for the one pod that an owner has on a node: an operator whose cache lags chooses the same name
 * again and meets the pod that exists. The hash distinguishes `a` on `b-c` from `a-b` on `c`, cut names, and attempts.
 */
export function nodePodName(owner: string, node: string, attempt = 0): string {
  const hash = revisionHash(`${owner}/${node}/${attempt}`);
  const readable = `${owner}-${node}`.replaceAll('.', '-');
  return `${cutName(readable, LONGEST_NAME - hash.length - 1)}-${hash}`;
}

/** The first `length` characters of a name, without a separator at the end that would make `a.-b` of it. */
export function cutName(name: string, length: number): string {
  return name.length <= length ? name : name.slice(0, length).replace(/[-.]+$/, '');
}
