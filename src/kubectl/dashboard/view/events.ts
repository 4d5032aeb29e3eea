// Events as the page lists them.

import type { Event } from '../../../runtime/built-in.ts';
import { timeOf } from '../../../workload/pod.ts';
import { whenOf } from '../../why/surroundings.ts';
import type { EventRow } from '../protocol.ts';

/** More than a person reads. */
const MOST = 100;

/** The newest of these events. */
export function eventRows(events: readonly Event[]): (readonly [key: string, EventRow])[] {
  return events
    .toSorted(newestFirst)
    .slice(0, MOST)
    .map((event) => [`event/${event.metadata.uid}`, eventRow(event)] as const);
}

/** Many events happen in the same second: without the names, others would be among the newest each time. */
function newestFirst(one: Event, other: Event): number {
  const [late, early] = [`${whenOf(one)} ${one.metadata.name}`, `${whenOf(other)} ${other.metadata.name}`];
  return late > early ? -1 : Number(late < early);
}

function eventRow(event: Event): EventRow {
  const { type = 'Normal', reason = '', message = '', involvedObject, count, series } = event;
  return {
    at: timeOf(whenOf(event)) ?? 0,
    type,
    reason,
    message,
    about: `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name ?? ''}`,
    count: series?.count ?? count ?? 1,
  };
}
