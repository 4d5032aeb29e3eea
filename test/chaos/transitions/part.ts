// What every part of the transitions works with: a cluster with our operator and its webhooks, a deadline, and a callback
// for violations. Parts work in lanes of their own, side by side, and stop between two transitions.

import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { LocalOperator } from '../../../src/local/operator.ts';
import type { Transition } from './fields.ts';
import type { Strain } from './hostile/memory.ts';

export interface TransitionStage {
  readonly cluster: Cluster;
  readonly operator: LocalOperator;
}

export interface Part {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly seed: number;
  readonly onViolation: (what: string) => void;
}

/** What a part has seen. */
export interface Tally {
  /** Paths of fields that were given at least one value, with the kind in front. */
  readonly fields: Set<string>;
  transitions: number;
  /** What the operator took during each attack, by its name. */
  readonly strains: Map<string, Strain>;
}

export function emptyTally(): Tally {
  return { fields: new Set(), transitions: 0, strains: new Map() };
}

export function isOver({ endsAt, signal }: Part): boolean {
  return Date.now() > endsAt || signal.aborted;
}

/** Plays these transitions, several at a time, until all are played or the time is up; what throws is a violation. */
export async function inLanes<T extends Pick<Transition, 'path' | 'what' | 'value'>>(
  transitions: readonly T[],
  lanes: number,
  part: Part,
  play: (transition: T) => Promise<void>,
): Promise<void> {
  const left = transitions.values();
  const lane = async (): Promise<void> => {
    for (const transition of left) {
      if (isOver(part)) return;
      await play(transition).catch((error) => part.onViolation(`${titleOf(transition)}: ${wordsOf(error)}`));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** `spec.paused, a number: 1` */
export function titleOf({ path, what, value }: Pick<Transition, 'path' | 'what' | 'value'>): string {
  return `${path}, ${what}: ${shown(value)}`;
}

/** In JSON, not longer than a line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
