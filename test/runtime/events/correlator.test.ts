import { beforeEach, describe, expect, it } from '@jest/globals';
import { Correlator } from '../../../src/runtime/events/correlator.ts';
import type { ObjectReference, RecordedEvent } from '../../../src/runtime/events/event.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let correlator: Correlator;

beforeEach(() => {
  clock = new FakeClock();
  correlator = new Correlator(clock, clock.wallNow, { component: 'widgets' });
});

function about(uid: string): ObjectReference {
  return { apiVersion: 'v1', kind: 'Widget', namespace: 'ns', name: 'w', uid, resourceVersion: '1' };
}

function see(message: string, changes: Partial<RecordedEvent> = {}, uid = 'uid-1') {
  return correlator.correlate(about(uid), { type: 'Normal', reason: 'Created', ...changes, message });
}

/** The same of an object that differs from the usual one in nothing else. */
function seeOf(more: Partial<ObjectReference>) {
  return correlator.correlate({ ...about('uid-1'), ...more }, { type: 'Normal', reason: 'Created', message: 'made a' });
}

describe('repetition', () => {
  it('raises the count of the same event', () => {
    const first = see('made a');
    const second = see('made a');
    expect(second).toBe(first);
    expect(second?.event.count).toBe(2);
  });

  it.each([
    { name: 'message', again: () => see('made b') },
    { name: 'reason', again: () => see('made a', { reason: 'Other' }) },
    { name: 'type', again: () => see('made a', { type: 'Warning' }) },
    { name: 'object', again: () => see('made a', {}, 'uid-2') },
    { name: 'kind of the object', again: () => seeOf({ kind: 'Other' }) },
    { name: 'version of the object', again: () => seeOf({ apiVersion: 'v2' }) },
  ])('is a new event when the $name differs', ({ again }) => {
    const first = see('made a');
    const other = again();
    expect(other?.event.metadata.name).not.toBe(first?.event.metadata.name);
    expect([first?.event.count, other?.event.count]).toEqual([1, 1]);
  });
});

describe('a long message', () => {
  const long = (end: string): string => `pods are forbidden: ${'é'.repeat(500_000)}${end}`;

  it('is cut to what the server takes, and says how much is missing', () => {
    const messages = Array.from({ length: 12 }, (_, i) => see(long(String(i).repeat(i)))?.event.message ?? '');
    for (const message of messages) {
      expect(message).toMatch(/pods are forbidden: é+… \(\d+ more bytes\)$/);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_024);
    }
    expect(messages[11]).toMatch(/^\(combined from similar events\): pods are forbidden/);
  });

  it('is as long as it may be without being cut', () => {
    expect(see('x'.repeat(992))?.event.message).toBe('x'.repeat(992));
    expect(see('x'.repeat(993))?.event.message).toMatch(/… \(\d+ more bytes\)$/);
  });

  it('is the same event again when it differs only in what is cut off', () => {
    expect(see(long('a'))).toBe(see(long('b')));
  });
});

describe('similar events', () => {
  it('are combined from the tenth message of a reason on', () => {
    const names = Array.from({ length: 12 }, (_, i) => see(`made pod ${i}`)?.event.metadata.name);
    expect(new Set(names).size).toBe(10);
    const combined = see('made pod 12');
    expect(combined?.event).toMatchObject({ message: '(combined from similar events): made pod 12', count: 4 });
  });

  it('are not combined across reasons', () => {
    for (let i = 0; i < 9; i++) see(`made pod ${i}`);
    expect(see('deleted', { reason: 'Deleted' })?.event.message).toBe('deleted');
  });

  it('are told apart again when there were none for ten minutes', async () => {
    for (let i = 0; i < 12; i++) see(`made pod ${i}`);
    await clock.advance(600_000);
    expect(see('on the dot')?.event.message).toMatch(/^\(combined/);
    await clock.advance(600_001);
    expect(see('later')?.event.message).toBe('later');
  });
});

describe('similar events that keep coming', () => {
  it('stay combined, however long that goes on', async () => {
    for (let i = 0; i < 12; i++) see(`made pod ${i}`);
    for (let i = 12; i < 15; i++) {
      await clock.advance(400_000);
      expect(see(`made pod ${i}`)?.event.message).toMatch(/^\(combined/);
    }
  });
});

describe('spam', () => {
  it('is left out after a burst of 25, and let through once in five minutes', async () => {
    const written = Array.from({ length: 30 }, () => see('again')).filter((record) => record !== undefined);
    expect(written).toHaveLength(25);
    await clock.advance(299_999);
    expect(see('again')).toBeUndefined();
    await clock.advance(1);
    expect(see('again')).toBeDefined();
    expect(see('again')).toBeUndefined();
  });

  it('is counted although it is left out', async () => {
    for (let i = 0; i < 30; i++) see('again');
    await clock.advance(300_000);
    expect(see('again')?.event.count).toBe(31);
  });

  it('about one object leaves others alone, and warnings, too', () => {
    for (let i = 0; i < 30; i++) see('again');
    expect(see('again', {}, 'uid-2')).toBeDefined();
    expect(see('again', { type: 'Warning' })).toBeDefined();
  });
});

describe('memory', () => {
  it('is of the 4096 things seen last', () => {
    see('first', {}, 'uid-0');
    for (let i = 1; i <= 4095; i++) see('other', {}, `uid-${i}`);
    expect(see('first', {}, 'uid-0')?.event.count).toBe(2);
    for (let i = 5000; i < 5000 + 4096; i++) see('other', {}, `uid-${i}`);
    expect(see('first', {}, 'uid-0')?.event.count).toBe(1);
  });
});
