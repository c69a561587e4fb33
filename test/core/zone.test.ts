/** Days and times of time zones, summer time included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAfter, isZone, momentOf, offsetName, startOfDay, wallTime } from '../../src/core/zone.ts';
import { instantOf, whenOf } from '../../src/payments/lists/period.ts';

const ZONES = [
  'UTC',
  'Europe/Lisbon',
  'Africa/Lagos',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];
const zone = fc.constantFrom(...ZONES);
const moment = fc.integer({
  min: Date.parse('2000-01-01T00:00:00Z'),
  max: Date.parse('2035-01-01T00:00:00Z'),
});

describe('a zone', () => {
  it('what the wall shows leads back to a moment that shows the same', () => {
    fc.assert(
      fc.property(moment, zone, (at, of) => {
        const { day, time } = wallTime(at, of);
        expect(wallTime(momentOf(`${day}T${time}`, of), of)).toEqual({ day, time });
      }),
      { numRuns: 2_000 },
    );
  });

  it('a day begins at its first moment, and ends where the next begins', () => {
    fc.assert(
      fc.property(moment, zone, (at, of) => {
        const { day } = wallTime(at, of);
        const [from, to] = [startOfDay(day, of), startOfDay(dayAfter(day, 1), of)];
        expect(from).toBeLessThanOrEqual(at);
        expect(to).toBeGreaterThan(at);
        expect(wallTime(from - 1, of).day < day).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has its offset by name', () => {
    const winter = Date.parse('2026-01-05T09:00:00Z');
    expect(ZONES.slice(0, 5).map((of) => offsetName(winter, of))).toEqual([
      'UTC',
      'UTC',
      'UTC+1',
      'UTC-5',
      'UTC+5:30',
    ]);
    expect([isZone('Europe/Lisbon'), isZone('Europe/Atlantis')]).toEqual([true, false]);
  });
});

describe('a time as people write it', () => {
  /** A Wednesday, shortly after midnight in Lagos, still Tuesday in UTC. */
  const now = Date.parse('2026-11-24T23:30:00Z');
  const at = (text: string, of: string, toEnd = false): string => {
    const when = whenOf(text);
    return when === undefined ? 'none' : new Date(instantOf(when, { now, zone: of, toEnd })).toISOString();
  };

  it.each([
    ['today', 'UTC', '2026-11-24T00:00:00.000Z', '2026-11-24T23:59:59.999Z'],
    ['today', 'Africa/Lagos', '2026-11-24T23:00:00.000Z', '2026-11-25T22:59:59.999Z'],
    ['Yesterday', 'Africa/Lagos', '2026-11-23T23:00:00.000Z', '2026-11-24T22:59:59.999Z'],
    ['monday', 'UTC', '2026-11-23T00:00:00.000Z', '2026-11-23T23:59:59.999Z'],
    ['tuesday', 'UTC', '2026-11-24T00:00:00.000Z', '2026-11-24T23:59:59.999Z'],
    ['tuesday', 'Africa/Lagos', '2026-11-23T23:00:00.000Z', '2026-11-24T22:59:59.999Z'],
    ['2026-10', 'Europe/Lisbon', '2026-09-30T23:00:00.000Z', '2026-10-31T23:59:59.999Z'],
    ['2026-02', 'UTC', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2026-12', 'UTC', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-11-21', 'America/New_York', '2026-11-21T05:00:00.000Z', '2026-11-22T04:59:59.999Z'],
    ['2026-11-21 10:00', 'Africa/Lagos', '2026-11-21T09:00:00.000Z', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T10:00:00Z', 'Africa/Lagos', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
    ['2h', 'UTC', '2026-11-24T21:30:00.000Z', '2026-11-24T21:30:00.000Z'],
  ])('%s in %s', (text, of, from, to) => {
    expect([at(text, of), at(text, of, true)]).toEqual([from, to]);
  });

  it.each(['tomorrow', '2026-13', '2026-02-30', '2026-11-21 25:00', '7', 'mon', ''])('%s is none', (text) => {
    expect(at(text, 'UTC')).toBe('none');
  });
});
