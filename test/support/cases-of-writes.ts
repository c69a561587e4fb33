/** Cases of writes over a faulty network: a real client, a real journal on disk, a real sandbox; only the wire between them is faulty. */
import { afterAll, beforeAll } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { Fault, FaultPlan } from './faults.ts';
import { openStore, type Store } from './open-store.ts';
import { type Claim, run } from './runs.ts';
import { standingClock, temporaryStorePath } from './stores.ts';
import { undertakings } from './undertakings.ts';

let store: Store;
let profiles = 0;

/** Opens the journal of a file's cases. Each file says it for itself: files share a process, and this module is loaded once in it. */
export function useJournalOfCases(): void {
  beforeAll(async () => {
    store = await openStore(temporaryStorePath(), { clock: standingClock(), random: seededRandom(9) });
  });
  afterAll(() => store.close());
}

const say = (plan: FaultPlan): string => [...plan].map(([at, fault]) => `request ${at}: ${fault}`).join('; ');

export type Tally = Partial<Record<Claim, number>>;

/** @throws with the whole case in words, where a claim is not so */
export async function one(
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
 * A request to cancel a payout that is with its bank leaves no trace that could be read: a 404 of it is believed, as the
 * rules say. Of two copies of it the service takes both, so no relay makes such an answer out of a cancel that was taken.
 */
export const isSeen = (name: string, fault: Fault): boolean =>
  name !== 'cancel on its way' || fault !== 'the service does it and says 404';

export const sum = (tally: Tally): number => Object.values(tally).reduce((a, b) => a + b, 0);
export const names = Object.keys(undertakings);
