/** Medians against sorting, bars, and the picture. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barOf } from '../../src/books/cli/views/summary.ts';
import { summarySvg } from '../../src/books/cli/views/summary-svg.ts';
import { Medians } from '../../src/books/summary/groups.ts';
import type { SummaryRow } from '../../src/books/summary/summary.ts';

it('a median is the one in the middle, or the mean of two, of its own group', () => {
  const numbers = fc.array(fc.tuple(fc.nat(5), fc.nat(1_000_000)), { maxLength: 3_000 });
  fc.assert(
    fc.property(numbers, (noted) => {
      const medians = new Medians();
      for (const [group, value] of noted) medians.note(group, value);
      const wanted = Array.from({ length: 6 }, (_, group) => {
        const own = noted
          .filter(([of]) => of === group)
          .map(([, value]) => value)
          .sort((a, b) => a - b);
        const half = own.length / 2;
        return own.length % 2 === 1
          ? own[Math.floor(half)]
          : own.length === 0
            ? undefined
            : ((own[half - 1] ?? 0) + (own[half] ?? 0)) / 2;
      });
      expect(medians.of(6)).toEqual(wanted);
    }),
  );
});

it('a bar is as long as its share of the longest, and one that stands for anything is seen', () => {
  expect([barOf(10, 10, 4), barOf(5, 10, 4), barOf(1, 10_000, 4), barOf(0, 10, 4), barOf(0, 0, 4)]).toEqual([
    '████',
    '██',
    '▏',
    '',
    '',
  ]);
  expect(barOf(3, 16, 4)).toBe('▊');
});

const row = (more: Partial<SummaryRow>): SummaryRow => ({
  direction: 'payout',
  group: 'NGN::Bank',
  input_currency: 'EUR',
  output_currency: 'NGN',
  payouts: 3,
  funded: 3,
  input_amount: '45.00',
  refunded: '0',
  net: '45.00',
  paid: 3,
  output_amount: '75000',
  refused: 0,
  first_try: '1.0000',
  median_seconds: 60,
  rate: '1666.6666666667',
  margin: '0.01',
  margin_amount: '0.45',
  margin_unknown: 0,
  fee_amount: '0',
  ...more,
});

describe('the picture', () => {
  const words = { title: 'Payouts by sender', below: '2026-01-01 to 2026-01-31' };

  it('says in words what it shows, and what came from outside is text in it', () => {
    const hostile = '</text><script>alert(1)</script>"&\u0000\u202e';
    const svg = summarySvg([row({ group: hostile }), row({ group: null, payouts: 1 })], words);
    expect(svg).toContain('<title id="title">Payouts by sender</title>');
    expect(svg).toMatch(/<desc id="desc">[^<]*\(none\), EUR to NGN: 1 payout, 45\.00 EUR<\/desc>/);
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toMatch(/href|url\(|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
  });

  it('of many rows it has the first, and says how many more there are', () => {
    const svg = summarySvg(
      Array.from({ length: 1_240 }, (_, n) => row({ group: `s-${n}` })),
      words,
    );
    expect(svg.match(/class="bar"/g)).toHaveLength(40);
    expect(svg).toContain('and 1,200 more rows');
    expect(summarySvg([], words)).toContain('no payouts');
  });
});
