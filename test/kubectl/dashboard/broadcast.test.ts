import { describe, expect, it } from '@jest/globals';
import { Broadcast } from '../../../src/kubectl/dashboard/server/broadcast.ts';

/** A tab that keeps the rows that it was sent, and may be told to read slowly. */
class Tab {
  readonly rows = new Map<string, unknown>();
  frames = 0;
  isSlow = false;

  send(frame: string): boolean {
    this.frames += 1;
    const { reset, set, drop = [] } = JSON.parse(frame);
    if (reset) this.rows.clear();
    for (const key of drop) this.rows.delete(key);
    for (const [key, row] of Object.entries(set)) this.rows.set(key, row);
    return !this.isSlow;
  }
}

function broadcast(rows: Map<string, unknown>): Broadcast {
  return new Broadcast(() => rows);
}

describe('a view that tabs share', () => {
  it('sends everything to a new tab, then what is new, different or gone, and nothing when nothing is', () => {
    const rows = new Map<string, unknown>([
      ['a', 1],
      ['b', { c: 2 }],
    ]);
    const view = broadcast(rows);
    const [one, other] = [new Tab(), new Tab()];
    view.add(one);
    expect([...one.rows]).toEqual([...rows]);
    rows.delete('a');
    rows.set('b', { c: 3 }).set('d', 4);
    view.tell();
    view.add(other);
    view.tell();
    expect([...one.rows]).toEqual([...rows]);
    expect([...other.rows]).toEqual([...rows]);
    expect([one.frames, other.frames]).toEqual([2, 1]);
  });

  it('sends a slow tab nothing until it has read, and then once what it missed', () => {
    const rows = new Map<string, unknown>([
      ['a', 1],
      ['b', 1],
    ]);
    const view = broadcast(rows);
    const tab = new Tab();
    tab.isSlow = true;
    view.add(tab);
    for (let count = 2; count < 5; count += 1) {
      rows.set('a', count);
      view.tell();
    }
    rows.delete('b');
    view.tell();
    expect(tab.frames).toBe(1);
    tab.isSlow = false;
    view.drained(tab);
    expect([...tab.rows]).toEqual([['a', 4]]);
    expect(tab.frames).toBe(2);
  });

  it('does not send a tab anything for having read the first, long frame', () => {
    const view = broadcast(new Map([['a', 1]]));
    const tab = new Tab();
    tab.isSlow = true;
    view.add(tab);
    view.drained(tab);
    view.tell();
    expect(tab.frames).toBe(1);
  });

  it('spells out control characters and the marks that turn writing around', () => {
    const tab = new Tab();
    broadcast(new Map([['a', { text: '\u001b[2J\u202e' }]])).add(tab);
    expect(tab.rows.get('a')).toEqual({ text: '\\u001b[2J\\u202e' });
  });
});
