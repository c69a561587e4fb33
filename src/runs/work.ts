/** A worker takes part in every approved run of its account, beside any number of others, until it is told to stop. */
import type { KeyJoin } from '../core/account.ts';
import { Problem } from '../core/problem.ts';
import { dayRefusal } from '../payments/day-ceiling.ts';
import { type Desk, note } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { problemOf } from '../payments/problem-of.ts';
import { refuseAltered } from './altered.ts';
import { runStep } from './approve.ts';
import { refuseOtherAccount } from './find-run.ts';
import { ASK_AGAIN_MS, msUntil, tooEarly, waitWords } from './not-before.ts';
import { planOf } from './plan-text.ts';
import { refuseUnruly } from './rule.ts';
import { refuseUnsigned } from './signed.ts';
import type { PayRow, PayRun, PayRuns, RowNews } from './store/port.ts';
import { storeFailed } from './store-failed.ts';
import type { PayStore, PayTerms } from './terms.ts';

const LOOK_EVERY_MS = 2_000;

export interface Working extends Omit<PayTerms, 'onRow'> {
  /** Ends where nothing is left to send. */
  once: boolean;
  confirmer: Confirmer;
  /** Hears of every row that became something. It must not fail, and not take long. */
  onRow?: ((run: PayRun, row: PayRow, news: RowNews) => void) | undefined;
  /** A run that this worker went through, as it stands then. */
  onEnd(run: PayRun): Promise<void>;
}

/** The runs that a worker worked on, until it ended. */
export interface Worked {
  /** It went through these, with or without others. */
  runs: readonly PayRun[];
  /** Why runs of its account with rows to send were left alone, at the last look. */
  left: readonly Problem[];
}

/** Waits for a store that cannot be reached, and says so once. Undefined where the user asked for the wait to end. */
export async function whenReachable<T>(desk: Desk, open: () => Promise<T>): Promise<T | undefined> {
  for (let isSaid = false; !desk.signal.aborted; isSaid = true) {
    try {
      const opened = await open();
      if (isSaid) note(desk, 'the store is there again', 'store_back');
      return opened;
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      if (!isSaid)
        note(
          desk,
          `${whatIsAway(error).words}: tried again every ${LOOK_EVERY_MS / 1000} s, until it is there`,
          'store_lost',
        );
    }
    await desk.sleep(LOOK_EVERY_MS, desk.signal);
  }
  return undefined;
}

export async function workOn(
  desk: Desk,
  store: PayStore,
  { once, confirmer, onEnd, onRow, ...terms }: Working,
): Promise<Worked> {
  const { baseUrl } = await desk.connection();
  const { payRun } = await import('./pay.ts');
  const runs = new Map<string, PayRun>();
  let left: Problem[] = [];
  /** Why a run is left alone, as it was said last. */
  const told = new Map<string, string>();
  /** Plans whose rows were read whole, by run. */
  const checked = new Map<string, string>();
  const isTime = timekeeper(desk);
  const leaveAlone = ({ id }: PayRun, { facts: { message } }: Problem): void => {
    if (told.get(id) !== message) note(desk, `left alone: ${message}`, 'run_left_alone');
    told.set(id, message);
  };
  const round = async (): Promise<boolean> => {
    let hasMore = false;
    left = [];
    const joins = await store.intents.joins();
    for (const run of await store.payruns.list({ baseUrl, states: ['approved'], limit: 1000 })) {
      if (desk.signal.aborted) break;
      if (!(await hasRows(store, run))) continue;
      const problem = await whyNotOurs(desk, { run, payruns: store.payruns, joins });
      if (problem !== undefined) {
        leaveAlone(run, problem);
        // It is no loss to this worker that other accounts share the store.
        if (problem.facts.code !== 'other_account') left.push(problem);
        continue;
      }
      const early = await isTime.not(run);
      if (early !== undefined) {
        if (once) left.push(early);
        continue;
      }
      if (checked.get(run.id) !== run.plan) await refuseAltered(store.payruns, run);
      checked.set(run.id, run.plan);
      const step = runStep(run, await store.payruns.sums(run.id));
      const full = await dayRefusal(desk, await desk.connection(), step.amounts ?? []);
      if (full !== undefined) {
        leaveAlone(run, full);
        left.push(full);
        continue;
      }
      const permit = await authorizeWrite(desk, step, confirmer);
      const hear: PayTerms = onRow ? { ...terms, onRow: (row, news) => onRow(run, row, news) } : terms;
      await payRun(desk, store, { ...hear, run, permit: permit }).catch(async (error: unknown) => {
        throw isStoreAway(error) ? error : await storeFailed(store.payruns, run, error);
      });
      const [now = run] = await store.payruns.find(baseUrl, run.id);
      runs.set(run.id, now);
      await onEnd(now);
      // A worker that sleeps may hold rows: its lease, or its transaction, must be over first.
      hasMore ||= now.state === 'approved' && (await hasRows(store, now));
    }
    return hasMore;
  };
  const outages = outagesOf(desk);
  while (!desk.signal.aborted) {
    const hasMore = await round().then(outages.over, outages.begin);
    if (once && !hasMore) break;
    await desk.sleep(LOOK_EVERY_MS, desk.signal);
  }
  return { runs: [...runs.values()], left };
}

/** A run that is to be paid later is waited for; that is said once, and the service is asked once a minute. */
function timekeeper(desk: Desk): { not(run: PayRun): Promise<Problem | undefined> } {
  const askAgainAt = new Map<string, number>();
  return {
    async not(run) {
      const { notBefore } = planOf(run);
      if (notBefore === undefined) return undefined;
      const known = askAgainAt.get(run.id);
      const ours = desk.clock.now();
      if (known === undefined || known <= ours) {
        const left = await msUntil(desk, notBefore);
        if (left === 0) return undefined;
        askAgainAt.set(run.id, ours + Math.min(left, ASK_AGAIN_MS));
      }
      if (known === undefined) note(desk, waitWords(run, notBefore), 'run_waits');
      return tooEarly(run, notBefore);
    },
  };
}

/** Store and service will be there again: what was on its way is settled then. What is away is said once, and when it is back. */
function outagesOf(desk: Desk): { begin(error: unknown): true; over(hasMore: boolean): boolean } {
  let away: Away | undefined;
  return {
    /** @throws whatever else it is */
    begin(error) {
      // The request to end broke a read off: it has ended as it was asked to.
      if (desk.signal.aborted && problemOf(error).facts.category === 'interrupted') return true;
      const now = whatIsAway(error);
      if (now.words !== away?.words)
        note(desk, `${now.words}: tried again in ${LOOK_EVERY_MS / 1000} s`, `${now.what}_lost`);
      away = now;
      return true;
    },
    over(hasMore) {
      if (away !== undefined) note(desk, `the ${away.what} is there again`, `${away.what}_back`);
      away = undefined;
      return hasMore;
    },
  };
}

interface Away {
  what: 'store' | 'service';
  words: string;
}

/** @throws the error itself, where nothing is away */
function whatIsAway(error: unknown): Away {
  if (isStoreAway(error)) return { what: 'store', words: `the store cannot be reached (${error.message})` };
  const { facts } = problemOf(error);
  if (facts.category === 'network')
    return { what: 'service', words: `the service cannot be reached (${facts.message})` };
  if (facts.category === 'server') return { what: 'service', words: facts.message };
  throw error;
}

const isStoreAway = (error: unknown): error is Error =>
  error instanceof Error &&
  error.name === 'StoreError' &&
  ['unreachable', 'unsure'].includes(String((error as Error & { kind?: unknown }).kind));

/** Another key's run, one that breaks its rule, and one that is not signed as this profile wants, is left alone. */
async function whyNotOurs(
  desk: Desk,
  whose: { run: PayRun; payruns: PayRuns; joins: readonly KeyJoin[] },
): Promise<Problem | undefined> {
  const { run, joins } = whose;
  try {
    await refuseOtherAccount(desk, whose);
    await refuseUnruly(desk, run, joins);
    await refuseUnsigned(desk, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || error.facts.code === 'run_altered') throw error;
    return error;
  }
}

async function hasRows({ payruns }: PayStore, run: PayRun): Promise<boolean> {
  return (await payruns.sums(run.id)).some(
    ({ state, rows }) => rows > 0 && (state === 'planned' || state === 'sending'),
  );
}
