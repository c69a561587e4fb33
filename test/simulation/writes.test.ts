/**
 * The proof of docs/rules.md 1 and 2: whatever the network does to whichever request, at most one payment is made, and what
 * is claimed is so. Real client, real journal on disk, real sandbox; only the wire between them is faulty.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { type Fault, type FaultPlan, faults } from '../support/faults.ts';
import { isLong, some } from '../support/long.ts';
import { type Claim, run } from '../support/runs.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';
import { undertakings } from '../support/undertakings.ts';

/** The short form meets these after any first fault. */
const SECOND: readonly Fault[] = ['answer lost'];
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
  'a gateway says 403 and passes it on later',
];
const EVERY_PAIR = [
  'create and fund with an id that we made',
  'create and fund, with money for one only',
  'debit',
];
const secondOf = (name: string): readonly Fault[] => {
  if (!isLong) return SECOND;
  return EVERY_PAIR.includes(name) ? faults : SECOND_LONG;
};

let store: Store;
let profiles = 0;
beforeAll(async () => {
  store = await openStore(temporaryStorePath(), { clock: standingClock(), random: seededRandom(9) });
});
afterAll(() => store.close());

/** Everything that can go wrong with the first request, and the look after it fails: so it stays unknown. */
const unsettled = faults.map(
  (fault) =>
    [
      [1, fault],
      [2, 'silence'],
    ] as const,
);

const say = (plan: FaultPlan): string => [...plan].map(([at, fault]) => `request ${at}: ${fault}`).join('; ');

type Tally = Partial<Record<Claim, number>>;

/** @throws with the whole case in words, where a claim is not so */
async function one(
  name: string,
  plan: FaultPlan,
  tally: Tally,
  meanwhile?: string,
  tries = 1,
): Promise<number> {
  const undertaking = await undertakings[name]?.();
  if (!undertaking) throw new Error(`no undertaking ${name}`);
  profiles += 1;
  try {
    const { claim, requests } = await run({
      undertaking,
      intents: store.intents,
      profile: `p${profiles}`,
      plan,
      meanwhile,
      tries,
    });
    tally[claim] = (tally[claim] ?? 0) + 1;
    return requests;
  } catch (error) {
    const words = `${name}; ${say(plan)}; meanwhile ${meanwhile ?? 'nothing'}: ${(error as Error).message}`;
    throw new Error(words, { cause: error });
  }
}

/**
 * A request to cancel a payout that is with its bank leaves no trace that could be read: a refusal of it is believed, as the
 * rules say. Of two copies of it the service takes both, so no relay makes such an answer out of a cancel that was taken.
 */
const LIES: readonly Fault[] = [
  'the service does it and says 400',
  'the service does it and says 404',
  'the service does it and says 422',
];
const isSeen = (name: string, fault: Fault): boolean => name !== 'cancel on its way' || !LIES.includes(fault);

/** Every fault on every request that is made, and below each of these every fault on every later request. */
async function everyFault(
  name: string,
  tally: Tally,
  plan: readonly (readonly [number, Fault])[] = [],
): Promise<void> {
  const requests = await one(name, new Map(plan), tally);
  if (plan.length === 2) return;
  const last = plan.at(-1)?.[0] ?? 0;
  for (let at = last + 1; at <= requests; at++) {
    for (const fault of (plan.length === 0 ? faults : secondOf(name)).filter((one) => isSeen(name, one)))
      await everyFault(name, tally, [...plan, [at, fault]]);
  }
}

const sum = (tally: Tally): number => Object.values(tally).reduce((a, b) => a + b, 0);
const names = Object.keys(undertakings);
let cases = 0;

describe('writes over a faulty network, over 5,000 cases in the long form: paid at most once, and no claim that is not so', () => {
  it.each(names)(
    '%s: every fault on every request, and every second fault after it',
    { timeout: 300_000 },
    async (name) => {
      const tally: Tally = {};
      await everyFault(name, tally);
      cases += sum(tally);
      expect(tally.applied).toBeGreaterThan(0);
      expect(tally.unknown).toBeGreaterThan(0);
      expect(tally.not_applied).toBeGreaterThan(0);
    },
  );

  it('was that many cases', () => {
    process.stdout.write(`cases of writes over a faulty network: ${cases}\n`);
    expect(cases).toBeGreaterThan(isLong ? 8_000 : 700);
  });
});

describe('what else happens before it is settled', () => {
  it.each(names)('%s', { timeout: 60_000 }, async (name) => {
    const events = Object.keys((await undertakings[name]?.())?.meanwhile ?? {});
    const tally: Tally = {};
    const met = some(unsettled, 3);
    for (const event of events) for (const plan of met) await one(name, new Map(plan), tally, event);
    expect(sum(tally)).toBe(events.length * met.length);
  });
});

/** A network that lies about one request after the other is not a network: a refusal and two looks that agree are believed. */
const REFUSALS: readonly Fault[] = [
  ...LIES,
  'sent twice, the second answered',
  'the service does it and says 401',
  'the service does it and says 403',
  'a gateway says 401 and passes nothing on',
  'a gateway says 403 and passes nothing on',
  'a gateway says 403 and passes it on later',
];
const believable = (sky: readonly (Fault | undefined)[]): (Fault | undefined)[] => {
  let refusals = 0;
  return sky.map((fault) => {
    if (fault === undefined || !REFUSALS.includes(fault)) return fault;
    refusals += 1;
    return refusals > 2 ? undefined : fault;
  });
};

/** More faults in one run than anybody would plan, with the tries of a read as they are; the seed is printed on failure. */
const weather = fc
  .array(fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 3 }), { maxLength: 16 })
  .map(believable);

it('any mix of faults, events and tries', { timeout: 300_000 }, async () => {
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
