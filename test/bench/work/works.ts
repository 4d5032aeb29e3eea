// Everything that can be measured, in the order in which a turn does it: each work finds the scenery that the one before
// it left behind, so little time goes into preparing.

import type { DaemonScenery } from '../daemon-scenery.ts';
import { idle, startUp } from './at-rest.ts';
import { daemon } from './daemon.ts';
import { freshness } from './freshness.ts';
import { growth } from './growth.ts';
import { heal } from './heal.ts';
import { inPlace } from './in-place.ts';
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
  freshness: [freshness],
  many: [manyCreate, manyRoll],
  surge: [surge],
  'in-place': [inPlace],
  growth,
  'start-up': [startUp],
  idle: [idle],
} satisfies Record<string, readonly Work[]>;

/** In another turn, with other controllers. */
const DAEMON = 'daemon';

export type WorkName = keyof typeof WORKS | typeof DAEMON;

export const WORK_NAMES = [...Object.keys(WORKS), DAEMON] as readonly WorkName[];

/** What is done unless something else is asked for: half an hour with a thousand pods on two cores. */
export const USUAL: readonly WorkName[] = ['create', 'roll', 'heal', 'reaction', 'zero', 'freshness', 'many'];

/** The works of these names, in the order of the list above. */
export function worksOf(names: readonly WorkName[]): readonly Work[] {
  return Object.entries(WORKS).flatMap(([name, works]) => (names.some((each) => each === name) ? works : []));
}

/** Those among them that are about one pod on every node. */
export function daemonWorksOf(names: readonly WorkName[]): readonly Work<DaemonScenery>[] {
  return names.includes(DAEMON) ? daemon : [];
}
