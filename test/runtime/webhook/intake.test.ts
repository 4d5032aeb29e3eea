import { beforeEach, describe, expect, it } from '@jest/globals';
import { Intake, type Room } from '../../../src/runtime/webhook/intake.ts';

const KIB = 1024;
const refused = expect.objectContaining({ status: 503 });

describe('room for requests', () => {
  let intake: Intake;
  let gone: string[];
  const enter = (name: string, bytes: number): Room => intake.enter(bytes, () => gone.push(name));

  beforeEach(() => {
    intake = new Intake(100 * KIB);
    gone = [];
  });

  it('is for as many as fit', () => {
    enter('a', 50 * KIB).keep();
    enter('b', 50 * KIB).keep();
    expect(() => enter('c', 16 * KIB)).toThrow(refused);
    expect(gone).toEqual([]);
  });

  it('is not for one byte more', () => {
    enter('a', 50 * KIB).keep();
    expect(() => enter('b', 50 * KIB + 1)).toThrow(refused);
    enter('c', 50 * KIB);
  });

  it('is there again when a request has left, once', () => {
    const first = enter('a', 50 * KIB);
    enter('b', 50 * KIB).keep();
    first.keep();
    first.release();
    first.release();
    enter('c', 50 * KIB).keep();
    expect(() => enter('d', 16 * KIB)).toThrow(refused);
  });

  it('is made by those that wait for their peers, the longest first, and by no more than needed', () => {
    enter('a', 40 * KIB);
    enter('b', 40 * KIB).keep();
    enter('c', 20 * KIB);
    enter('d', 30 * KIB);
    expect(gone).toEqual(['a']);
    enter('e', 30 * KIB);
    expect(gone).toEqual(['a', 'c']);
  });

  it('is not made by those that are at work, and none gives way in vain to one that will not fit', () => {
    enter('a', 70 * KIB).keep();
    enter('b', 20 * KIB);
    expect(() => enter('c', 40 * KIB)).toThrow(refused);
    expect(gone).toEqual([]);
    enter('d', 30 * KIB);
    expect(gone).toEqual(['b']);
  });

  it('is made again by those that wait for their answer to be taken, which counts by its own size', () => {
    const room = enter('a', 20 * KIB);
    room.keep();
    room.exchange(80 * KIB, () => gone.push('answer of a'));
    enter('b', 20 * KIB);
    expect(gone).toEqual([]);
    enter('c', 40 * KIB);
    expect(gone).toEqual(['answer of a']);
  });

  it('has an end for small requests, too', () => {
    intake = new Intake(6 * 16 * KIB);
    for (let index = 0; index < 6; index++) enter(`${index}`, 1).keep();
    expect(() => enter('7', 1)).toThrow(refused);
  });
});
