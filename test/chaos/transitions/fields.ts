// Every field of a kind's spec with the values that it is to be given: good ones, and bad ones of every sort that the
// schema can name. A field that no value is known for is an error, so that a new one cannot be overlooked.

import type { Schema } from '../../../src/runtime/custom-resource.ts';
import type { Json } from '../../support/merge-patch.ts';
import { nodesOf } from '../../support/schema-paths.ts';
import { Chance } from '../simulation/chance.ts';
import { planted } from './plant.ts';
import type { Samples } from './samples.ts';
import type { Intent } from './value.ts';
import { valuesOf } from './values.ts';

/** One field given one value, all else as the samples have it. */
export interface Transition {
  /** `spec.template.spec.containers[].ports[].name` */
  readonly path: string;
  /** What is special about the value: `too large`. */
  readonly what: string;
  /** Good and bad by the schema; whatever the schema cannot tell is for the API server to judge. */
  readonly intent: Intent;
  readonly value: Json;
  readonly spec: Json;
}

/** All transitions of a spec, field by field. */
export function transitionsOf(
  spec: Schema,
  samples: Samples,
  seed: number,
): ReadonlyMap<string, readonly Transition[]> {
  return new Map(
    [...nodesOf(spec, 'spec')].map(([path, node]) => [path, ofField(spec, path, node, { samples, seed })]),
  );
}

interface Source {
  readonly samples: Samples;
  readonly seed: number;
}

function ofField(spec: Schema, path: string, node: Schema, { samples, seed }: Source): Transition[] {
  const values = valuesOf(node, path, samples, new Chance(seed, path));
  return values.map(({ what, intent, value }) => ({
    path,
    what,
    intent,
    value,
    spec: planted(spec, path, value, samples),
  }));
}

/**
 * In rounds: one good value of every field, then one bad value of every field, then whatever is left, each round in an
 * order of its own. A run that has to stop early has seen as many fields as possible.
 */
export function inRounds(fields: ReadonlyMap<string, readonly Transition[]>, seed: number): readonly Transition[][] {
  const chance = new Chance(seed, 'order');
  const rounds: Transition[][] = [];
  for (const transitions of fields.values()) {
    byTurns(transitions).forEach((transition, round) => {
      rounds[round] ??= [];
      rounds[round].push(transition);
    });
  }
  return rounds.map((round) => shuffled(round, chance));
}

/** The first good one and the first bad one, then the others. */
function byTurns(transitions: readonly Transition[]): readonly Transition[] {
  const first = (['good', 'bad'] as const).flatMap(
    (intent) => transitions.find((each) => each.intent === intent) ?? [],
  );
  return [...first, ...transitions.filter((each) => !first.includes(each))];
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance.number() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
