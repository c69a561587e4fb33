/**
 * The proof of docs/rules.md 1 and 2: whatever the network does to whichever request, at most one payment is made, and what
 * is claimed is so. Real client, real journal on disk, real sandbox; only the wire between them is faulty.
 */
import { describe, expect, it } from 'vitest';
import { isSeen, names, one, sum, type Tally, useJournalOfCases } from '../support/cases-of-writes.ts';
import { type Fault, faults } from '../support/faults.ts';
import { isLong, some } from '../support/long.ts';

useJournalOfCases();

/** The short form meets these after any first fault. */
const SECOND: readonly Fault[] = ['answer lost'];
/** CI takes fewer of the long form: `REMIT_SECOND_FAULTS` says how many come second, and then no operation meets every pair. */
const FEWER = process.env.REMIT_SECOND_FAULTS;
/** The long form meets more after it, and every pair of faults where money leaves at once. */
const SECOND_LONG: readonly Fault[] = [
  ...SECOND,
  'late, after the run',
  'silence',
  'sent twice, the second answered',
  'a success with the record of another',
  'refused',
  'late, after the next',
  'late, after settling',
  'the service does it and says 500',
  'a success cut to half a body',
  'the service does it and says 401',
  'the service does it and says 404',
  'a gateway says 403 and passes it on later',
];
const EVERY_PAIR = [
  'create and fund with an id that we made',
  'create and fund, with money for one only',
  'debit',
];
/** In the short form the write, which is the second request, meets every fault; the reads before and after it meet these. */
const ELSEWHERE = some(faults, 5);
/** What the read before the write meets, only decides whether the write is sent. */
const secondOf = (name: string, firstAt: number): readonly Fault[] => {
  if (!isLong || firstAt === 1) return SECOND;
  if (FEWER !== undefined) return SECOND_LONG.slice(0, Number(FEWER));
  return EVERY_PAIR.includes(name) ? faults : SECOND_LONG;
};

/** Every fault on every request that is made, and below each of these every fault on every later request. */
async function everyFault(
  name: string,
  tally: Tally,
  plan: readonly (readonly [number, Fault])[] = [],
): Promise<void> {
  const requests = await one(name, new Map(plan), tally);
  if (plan.length === 2) return;
  // In the short form a second fault comes after a few of the first.
  if (!isLong && plan[0] !== undefined && !ELSEWHERE.includes(plan[0][1])) return;
  const last = plan.at(-1)?.[0] ?? 0;
  for (let at = last + 1; at <= requests; at++) {
    const first = isLong || at === 2 ? faults : ELSEWHERE;
    for (const fault of (plan.length === 0 ? first : secondOf(name, last)).filter((one) => isSeen(name, one)))
      await everyFault(name, tally, [...plan, [at, fault]]);
  }
}

let cases = 0;

describe('writes over a faulty network, over 5,000 cases in the long form: paid at most once, and no claim that is not so', () => {
  it.each(names)('%s: every fault on every request, and every second fault after it', async (name) => {
    const tally: Tally = {};
    await everyFault(name, tally);
    cases += sum(tally);
    expect(tally.applied).toBeGreaterThan(0);
    expect(tally.unknown).toBeGreaterThan(0);
    expect(tally.not_applied).toBeGreaterThan(0);
  });

  it('was that many cases', () => {
    process.stdout.write(`cases of writes over a faulty network: ${cases}\n`);
    expect(cases).toBeGreaterThan(!isLong ? 550 : FEWER === undefined ? 12_000 : 715 * Number(FEWER));
  });
});
