// Keeps events from becoming a flood, by the rules that people know from native controllers:
// - the same event again raises the count of the one there is;
// - the tenth different message of the same reason about an object within 600 s, and every one after it, go into one
//   combined event;
// - an object gets a burst of 25 writes of each type, then one every 300 s; what is left out is still counted;
// - all of this is remembered for the 4096 things seen last, each with its message cut to the length of an event's.

import type { Clock, WallClock } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';
import { LruMap } from '../lru-map.ts';
import { shorten } from '../shorten.ts';
import { TokenBucket } from '../token-bucket.ts';
import { type NewEvent, newEvent, type ObjectReference, type RecordedEvent, type Reporter, repeated } from './event.ts';

/** An event as it should now be on the server. */
export interface EventRecord {
  event: NewEvent;
  /** Whether it has been created there. */
  isStored: boolean;
}

interface Similar {
  readonly messages: Set<string>;
  lastAt: Instant;
}

const REMEMBERED = 4096;
const COMBINED = '(combined from similar events): ';
/** With what is put in front, 1,024 bytes: newer versions of the Event API refuse longer messages. */
const LONGEST_MESSAGE = 1_024 - COMBINED.length;
const COMBINE_FROM = 10;
const COMBINE_WITHIN_MS = 600_000;
const SPAM_LIMITS = { burst: 25, perSecond: 1 / 300 };

export class Correlator {
  readonly #clock: Clock;
  readonly #wallNow: WallClock;
  readonly #reporter: Reporter;
  readonly #records = new LruMap<EventRecord>(REMEMBERED);
  readonly #similar = new LruMap<Similar>(REMEMBERED);
  readonly #buckets = new LruMap<TokenBucket>(REMEMBERED);

  constructor(clock: Clock, wallNow: WallClock, reporter: Reporter) {
    this.#clock = clock;
    this.#wallNow = wallNow;
    this.#reporter = reporter;
  }

  /** The record to write; undefined when this would be one too many. */
  correlate(regarding: ObjectReference, event: RecordedEvent): EventRecord | undefined {
    const object = [regarding.apiVersion, regarding.kind, regarding.uid, event.type].join(' ');
    const group = `${object} ${event.reason}`;
    const text = shorten(event.message, LONGEST_MESSAGE);
    const isCombined = this.#countSimilar(group, text) >= COMBINE_FROM;
    const message = isCombined ? COMBINED + text : text;

    const record = this.#count(isCombined ? group : `${group} ${message}`, regarding, { ...event, message });
    const bucket = this.#buckets.get(object) ?? this.#buckets.set(object, new TokenBucket(this.#clock, SPAM_LIMITS));
    return bucket.tryTake() ? record : undefined;
  }

  #count(key: string, regarding: ObjectReference, event: RecordedEvent): EventRecord {
    const now = this.#wallNow();
    const known = this.#records.get(key);
    if (known !== undefined) {
      known.event = repeated(known.event, event.message, now);
      return known;
    }
    return this.#records.set(key, { event: newEvent(regarding, event, this.#reporter, now), isStored: false });
  }

  /** How many different messages the group has had lately, this one included. */
  #countSimilar(group: string, message: string): number {
    const now = this.#clock.now();
    const similar = this.#similar.get(group) ?? this.#similar.set(group, { messages: new Set(), lastAt: now });
    if (msBetween(similar.lastAt, now) > COMBINE_WITHIN_MS) similar.messages.clear();
    similar.lastAt = now;
    // Once a group is combined, which messages it had no longer matters.
    if (similar.messages.size < COMBINE_FROM) similar.messages.add(message);
    return similar.messages.size;
  }
}
