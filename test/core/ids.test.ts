import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime, parseDuration } from '../../src/core/clock.ts';
import { isUuid, timeOrderedId, uuid } from '../../src/core/ids.ts';
import { seededRandom } from '../../src/core/random.ts';

it('a seed gives the same ids, version 4, and another seed others', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.string()), (seed) => {
      const [a, b] = [seededRandom(seed), seededRandom(seed)];
      const ids = Array.from({ length: 20 }, () => uuid(a));
      expect(Array.from({ length: 20 }, () => uuid(b))).toEqual(ids);
      expect(new Set(ids).size).toBe(20);
      for (const id of ids)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
  expect(uuid(seededRandom(1))).not.toBe(uuid(seededRandom(2)));
});

it('ids in the order of time are version 7, say when, and grow even when the clock stands or goes back', () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 44 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(times, fc.integer(), (moments, seed) => {
      const random = seededRandom(seed);
      let last = '';
      for (const now of moments) {
        const id = timeOrderedId(now, random, last);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(id > last).toBe(true);
        const says = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
        expect(says).toBeGreaterThanOrEqual(now);
        last = id;
      }
    }),
  );
  const random = seededRandom(1);
  let last = '';
  for (let i = 0; i < 10_000; i++) {
    const id = timeOrderedId(5, random, last);
    expect(id > last).toBe(true);
    last = id;
  }
  expect(Number.parseInt(last.replace('-', '').slice(0, 12), 16)).toBeLessThan(10);
});

it('randomness stays in [0, 1) and is spread', () => {
  const random = seededRandom('spread');
  const values = Array.from({ length: 10_000 }, () => random.next());
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
});

it.each([
  '',
  'x',
  '6f2c1b1e0d6f4c3e9a551f0d7c0b9a11',
  '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a1',
  ' 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11\n',
])('%j is no UUID', (text) => expect(isUuid(text)).toBe(false));

it('a UUID may be in capitals', () => expect(isUuid('6F2C1B1E-0D6F-4C3E-9A55-1F0D7C0B9A11')).toBe(true));

it.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['61m', 3_660_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['250ms', 250],
  ['1.5s', 1500],
  ['0', 0],
])('%s is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each(['', 'x', '-5s', '5 s', 's', '1e3', '5q', '5m3', 'NaN'])('%j is no duration', (text) =>
  expect(parseDuration(text)).toBeNull(),
);

it('times are ISO 8601 in UTC', () => expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z'));
