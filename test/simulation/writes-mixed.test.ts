/**
 * Writes over a faulty network, while something else happens before they are settled; and any mix of faults, events and tries. What
 * must hold is that of `writes.test.ts`.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSeen, names, one, sum, type Tally, useJournalOfCases } from '../support/cases-of-writes.ts';
import { faults } from '../support/faults.ts';
import { isLong, some } from '../support/long.ts';
import { undertakings } from '../support/undertakings.ts';

useJournalOfCases();

/** Everything that can go wrong with the first request, and the look after it fails: so it stays unknown. */
const unsettled = faults.map(
  (fault) =>
    [
      [1, fault],
      [2, 'silence'],
    ] as const,
);

describe('what else happens before it is settled', () => {
  it.each(names)('%s', async (name) => {
    const events = Object.keys((await undertakings[name]?.())?.meanwhile ?? {});
    const tally: Tally = {};
    const met = some(unsettled, 3);
    for (const event of events) for (const plan of met) await one(name, new Map(plan), tally, event);
    expect(sum(tally)).toBe(events.length * met.length);
  });
});

/** What is written to was there a moment before: that nothing is found now, twice, is not the service's word. */
describe('the service does it, and something says 404 to the write and to the look', () => {
  it.each(names)('%s', async (name) => {
    const missing = 'the service does it and says 404';
    if (!isSeen(name, missing)) return;
    const tally: Tally = {};
    for (const write of [1, 2, 3])
      await one(
        name,
        new Map([
          [write, missing],
          [write + 1, missing],
        ]),
        tally,
      );
    expect(sum(tally)).toBe(3);
  });
});

/** More faults in one run than anybody would plan, with the tries of a read as they are; the seed is printed on failure. */
const weather = fc.array(fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 3 }), {
  maxLength: 16,
});

it('any mix of faults, events and tries', async () => {
  const numRuns = isLong ? 2000 : 40;
  const tally: Tally = {};
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      weather,
      fc.nat(4),
      fc.constantFrom(1, 4),
      async (name, sky, event, tries) => {
        const seen = sky.map((fault) => (fault && isSeen(name, fault) ? fault : undefined));
        const plan = new Map(seen.flatMap((fault, index) => (fault ? [[index + 1, fault] as const] : [])));
        const events = Object.keys((await undertakings[name]?.())?.meanwhile ?? {});
        await one(name, plan, tally, events[event], tries);
      },
    ),
    { numRuns },
  );
  expect(sum(tally)).toBeGreaterThanOrEqual(numRuns);
});
