// Everything that can be measured, in the order in which a turn does it: each work finds the scenery that the one before
// it left behind, so little time goes into preparing.

import { idle, startUp } from './at-rest.ts';
import { growth } from './growth.ts';
import { heal } from './heal.ts';
import { manyCreate, manyRoll } from './many.ts';
import { reaction } from './reaction.ts';
import { roll, surge } from './roll.ts';
import { create, toZero } from './scale.ts';
import type { Work } from './work.ts';

/** By the names that a person chooses from. */
const WORKS = {
  create: [create],
  roll: [roll],
  heal: [heal],
  reaction: [reaction],
  zero: [toZero],
  many: [manyCreate, manyRoll],
  surge: [surge],
  growth,
  'start-up': [startUp],
  idle: [idle],
} satisfies Record<string, readonly Work[]>;

export type WorkName = keyof typeof WORKS;

export const WORK_NAMES = Object.keys(WORKS) as readonly WorkName[];

/** What is done unless something else is asked for: about fifteen minutes with a thousand pods. */
export const USUAL: readonly WorkName[] = ['create', 'roll', 'heal', 'reaction', 'zero', 'many'];

/** The works of these names, in the order of the list above. */
export function worksOf(names: readonly WorkName[]): readonly Work[] {
  return WORK_NAMES.filter((name) => names.includes(name)).flatMap((name): readonly Work[] => WORKS[name]);
}
