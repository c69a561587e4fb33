import { describe, expect, it } from 'vitest';
import { type BodyShare, createRoom } from '../../src/webhooks/intake/room.ts';

const KB = 1024;

/** A room on a clock that the test sets, and guests by name: who was taken is told in order. */
function roomOf({ bytes = 64 * KB, reserve = 16 * KB } = {}) {
  const clock = { ms: 0 };
  const taken: string[] = [];
  const room = createRoom({ bytes, reserve, now: () => clock.ms });
  let guests = 0;
  const enter = (address = 'a', { name = `${address}${guests++}`, announced = 0 } = {}): BodyShare =>
    room.enter({ address, announced, onTaken: () => void taken.push(name) });
  return { room, clock, taken, enter };
}

describe('the room for bodies', () => {
  it('is charged what a body holds, and has it back once', () => {
    const { room, enter } = roomOf();
    const place = enter();
    expect(place.hold(4 * KB, 1)).toBe(true);
    expect(place.hold(6 * KB, 5 * KB)).toBe(true);
    expect(room.left).toBe(58 * KB);
    place.leave();
    place.leave();
    expect(room.left).toBe(64 * KB);
  });

  it('keeps a reserve that only small bodies use', () => {
    const { room, enter } = roomOf({ bytes: 256 * KB, reserve: 128 * KB });
    const grown = enter('large');
    expect(grown.hold(120 * KB, 120 * KB)).toBe(true);
    expect(grown.hold(130 * KB, 130 * KB)).toBe(false);
    expect(enter('announced', { announced: 100 * KB }).hold(10 * KB, 1)).toBe(false);
    expect(enter('small').hold(64 * KB, 64 * KB)).toBe(true);
    expect(enter('small').hold(64 * KB, 64 * KB)).toBe(true);
    expect(room.left).toBe(8 * KB);
  });

  it('is taken from the slowest when it is full, and only from those that had a quarter of a second', () => {
    const { clock, taken, enter } = roomOf({ reserve: 0 });
    enter('a', { name: 'quick' }).hold(16 * KB, 16 * KB);
    enter('b', { name: 'slow' }).hold(16 * KB, 10);
    enter('c', { name: 'slower' }).hold(16 * KB, 9);
    enter('d', { name: 'third' }).hold(16 * KB, 11);
    expect(enter('e', { name: 'late' }).hold(KB, KB)).toBe(false);
    clock.ms = 249;
    expect(enter('e', { name: 'later' }).hold(KB, KB)).toBe(false);
    expect(taken).toEqual([]);
    clock.ms = 250;
    expect(enter('e', { name: 'genuine' }).hold(KB, KB)).toBe(true);
    expect(taken).toEqual(['slower']);
    expect(enter('e', { name: 'genuine too' }).hold(31 * KB, 31 * KB)).toBe(true);
    expect(taken).toEqual(['slower', 'slow']);
  });

  it('never takes a body that is whole, nor one for a body that is slower than it', () => {
    const { clock, taken, enter } = roomOf({ reserve: 0 });
    const whole = enter('a');
    whole.hold(32 * KB, 1);
    whole.keep();
    enter('b', { name: 'faster' }).hold(31 * KB, 100);
    const asker = enter('c', { name: 'asker' });
    asker.hold(KB, 10);
    clock.ms = 1_000;
    expect(asker.hold(2 * KB, 11)).toBe(false);
    expect(taken).toEqual([]);
    expect(asker.hold(2 * KB, 200)).toBe(true);
    expect(taken).toEqual(['faster']);
    expect(enter('d').hold(40 * KB, 40 * KB)).toBe(false);
  });

  it('takes nothing where all that may be taken would not do', () => {
    const { room, clock, taken, enter } = roomOf({ reserve: 0 });
    enter('a').hold(8 * KB, 1);
    const whole = enter('b');
    whole.hold(56 * KB, 1);
    whole.keep();
    clock.ms = 300;
    expect(enter('c').hold(9 * KB, 9 * KB)).toBe(false);
    expect([taken, room.left]).toEqual([[], 0]);
    expect(enter('c').hold(8 * KB, 8 * KB)).toBe(true);
    expect(taken).toEqual(['a0']);
  });

  it('takes from an address with more than 64 unfinished bodies first, and only while it is short', () => {
    const { clock, taken, enter } = roomOf({ bytes: 66 * KB, reserve: 0 });
    enter('slow', { name: 'slow' }).hold(KB, 1);
    for (let i = 0; i < 65; i++) enter('many').hold(KB, 500 + i);
    clock.ms = 300;
    expect(taken).toEqual([]);
    expect(enter('genuine').hold(KB, KB)).toBe(true);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken).not.toContain('slow');
    expect(taken[0]).toBe('many0');
    expect(enter('many').hold(KB, KB)).toBe(true);
  });

  it('does not take from 64 of one address before the slowest of all', () => {
    const { clock, taken, enter } = roomOf({ bytes: 65 * KB, reserve: 0 });
    enter('slow', { name: 'slow' }).hold(KB, 1);
    for (let i = 0; i < 64; i++) enter('service').hold(KB, 500 + i);
    clock.ms = 300;
    expect(enter('genuine').hold(KB, KB)).toBe(true);
    expect(taken[0]).toBe('slow');
  });

  it('frees a 64th of itself at a time, so that a crowd is looked through once for many', () => {
    const { room, clock, taken, enter } = roomOf({ bytes: 256 * KB, reserve: 0 });
    for (let i = 0; i < 1024; i++) enter(`${i % 100}`).hold(256, 1);
    clock.ms = 300;
    expect(enter('genuine').hold(256, 256)).toBe(true);
    expect(taken).toHaveLength(16);
    expect(room.left).toBe(4 * KB - 256);
  });

  it('gives one that was taken nothing more', () => {
    const { room, clock, enter } = roomOf({ reserve: 0 });
    const slow = enter('a');
    slow.hold(64 * KB, 1);
    clock.ms = 300;
    expect(enter('b').hold(10 * KB, 10 * KB)).toBe(true);
    expect(slow.hold(KB, 2)).toBe(false);
    slow.leave();
    expect(room.left).toBe(54 * KB);
  });
});
