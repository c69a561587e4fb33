/**
 * Pays the rows of a run. Any number of processes may do so at once; it can be stopped, killed, and run again.
 *
 * If the process dies
 *   before `take`               nothing was sent.
 *   after `take`                the window is free at once where the process, or its session, is known to be gone; else after its lease.
 *   after `open`                the row is sending, and its intent is open: the next holder of the window finds out what became of
 *                               it, by looking, and by sending the same body with the same external id.
 *   during the call             the same.
 *   after the answer            the same: the look finds the transaction.
 *   after `close`               done: the row and its intent say what became of it.
 * If it sleeps past the end of its lease: what it has not begun is refused by the fence; what it had begun has the external id
 * that its replacement sends too, and an external id names one transaction for ever.
 */

import type { Client } from '../client/client.ts';
import { invariant } from '../core/invariants.ts';
import { Problem } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { checkPass, type WritePermit } from '../payments/gate.ts';
import { dropCached } from '../payments/read-cache.ts';
import { accountOf } from '../profiles/connection.ts';
import type { ProfileLimits } from '../profiles/schema.ts';
import { workerName } from '../profiles/worker.ts';
import { Flow } from './flow.ts';
import { untilThen } from './not-before.ts';
import { beforePause } from './paid-before.ts';
import { type RowAbout, RowPayer } from './pay-row.ts';
import { type Plan, planOf as planOfRun } from './plan-text.ts';
import { isAsBefore, refuseUnruly } from './rule.ts';
import { rowsOfWindow } from './set-aside.ts';
import { refuseUnsignedNow } from './signed.ts';
import { mostOf, Spending, toleranceOf } from './spending.ts';
import { type PayRow, type PayRun, type RowState, rowStatesThat } from './store/port.ts';
import type { PayEnd, PayStore, PayTerms } from './terms.ts';
import { Alike, isRetriable, type Pause, type RowVerdict } from './verdict.ts';
import { type Watchful, watchful } from './watchful.ts';
import { type Held, LEASE_MS, Windows } from './windows.ts';

const BEGUN: ReadonlySet<RowState> = new Set(rowStatesThat(({ unsure }) => unsure));
const UNDECIDED: ReadonlySet<RowState> = new Set(rowStatesThat(({ open }) => open));
/** An unknown outcome is looked into so often within a run, later each time; then it is left, and named. */
const SETTLE_AFTER_MS = [0, 1_000, 2_000, 4_000, 8_000];
/** A row that the service was too busy for is tried so often. */
const MOST_TRIES = 8;
const WAIT_FOR_OTHERS_MS = 1_000;

export async function payRun(
  desk: Desk,
  store: PayStore,
  { run, permit, ...terms }: PayTerms & { run: PayRun; permit: WritePermit | 'look' },
): Promise<PayEnd> {
  invariant(permit !== 'look' || terms.only === 'settle', 'only what was sent before is looked for');
  if (permit !== 'look') await checkPass(desk, permit, 'money');
  // A sent row is settled, whatever its approval.
  if (terms.only !== 'settle') await refuseUnruly(desk, run, await store.intents.joins());
  const client = await desk.writingClient();
  const connection = await desk.connection();
  invariant(
    run.account.baseUrl === connection.baseUrl,
    'a run is paid on the account that it was planned for',
  );
  const about = {
    command: desk.by.words,
    user: desk.by.user,
    pid: desk.machine.pid,
    profile: connection.name,
    environment: connection.environment,
    ...accountOf(connection),
  };
  const payer = new Payer(desk, store, { run, client, about, terms, permit, limits: connection.limits });
  try {
    return await payer.pay();
  } finally {
    await dropCached(desk);
  }
}

interface Setting {
  run: PayRun;
  client: Client;
  about: RowAbout;
  terms: PayTerms;
  permit: WritePermit | 'look';
  limits: ProfileLimits;
}

class Payer {
  readonly #desk: Desk;
  readonly #store: PayStore;
  readonly #run: PayRun;
  readonly #terms: PayTerms;
  readonly #flow: Flow;
  readonly #windows: Windows;
  readonly #rows: RowPayer;
  readonly #plan: Plan;
  readonly #spending: Spending;
  readonly #watch: Watchful;
  #pause: Pause | undefined;
  #endedElsewhere = false;
  #broken: { error: unknown } | undefined;
  readonly #alike = new Alike();

  constructor(desk: Desk, store: PayStore, { run, terms, permit, limits, ...sending }: Setting) {
    this.#desk = desk;
    this.#store = store;
    this.#run = run;
    this.#terms = terms;
    this.#plan = planOfRun(run);
    const tolerance = toleranceOf(this.#plan, limits, terms.tolerance);
    const most = mostOf(this.#plan, { tolerance, limits });
    this.#spending = new Spending(desk, store.payruns, { run, permit, most });
    this.#watch = watchful(desk, store.payruns, { run, tolerance, spending: this.#spending });
    const { clock } = desk;
    this.#flow = new Flow({
      inFlight: terms.inFlight,
      perSecond: terms.perSecond,
      now: () => clock.now(),
      sleep: (ms) => desk.sleep(ms, desk.signal),
    });
    this.#windows = new Windows(store.payruns, {
      runId: run.id,
      worker: workerName(desk.machine, desk.newId()),
      leaseMs: terms.leaseMs ?? LEASE_MS,
      // Nothing more may be sent.
      onError: (error) => {
        this.#broken ??= { error };
      },
    });
    this.#rows = new RowPayer(store, {
      ...sending,
      run,
      clock,
      tolerance,
      isLook: permit === 'look',
      onTransaction: terms.onTransaction,
    });
  }

  async pay(): Promise<PayEnd> {
    try {
      await this.#goThrough();
    } catch (error) {
      this.#broken ??= { error };
    }
    // Whatever ended it: each payment on its way gets its answer, and the answer is written to its row.
    await this.#windows.end();
    return this.#end();
  }

  async #goThrough(): Promise<void> {
    const isSettled = this.#terms.only === 'settle';
    if (!isSettled) await untilThen(this.#desk, this.#run);
    for (let after = -1; !this.#isEnding(); ) {
      if (!isSettled && (await this.#mayGoOn())) this.#pauseFor(await this.#watch.look());
      if (this.#isEnding()) return;
      const held = await this.#windows.take(after);
      if (held !== undefined) {
        after = held.lease.window;
        await this.#begin(held);
      } else if (after !== -1) after = -1;
      else if (await this.#windows.isTakenByOthers())
        await this.#desk.sleep(WAIT_FOR_OTHERS_MS, this.#desk.signal);
      else return;
    }
  }

  /** Asked at each window: a user may hold, pause or cancel the run. */
  async #mayGoOn(): Promise<boolean> {
    const [now] = await this.#store.payruns.find(this.#run.account.baseUrl, this.#run.id);
    this.#endedElsewhere ||= !isAsBefore(now, this.#run);
    return !this.#endedElsewhere;
  }

  /** The next window begins while the last rows of this one are on their way. */
  async #begin(held: Held): Promise<void> {
    try {
      const isSettled = this.#terms.only === 'settle';
      const about = { run: this.#run, plan: this.#plan, window: held.lease.window, isSettled };
      const rows = await rowsOfWindow(this.#desk, this.#store.payruns, about);
      const wanted = isSettled ? BEGUN : UNDECIDED;
      // A row that was begun may be sent again, too.
      if (rows.some(({ state }) => wanted.has(state))) await this.#askApprovals();
      for (const row of rows) {
        if (!wanted.has(row.state) || this.#terms.notPaid?.rows.has(row.n) === false) continue;
        if (this.#isEnding() || held.isLost) break;
        await this.#flow.enter();
        this.#windows.track(held, this.#attend(held, row));
      }
    } finally {
      this.#windows.fed(held);
    }
  }

  /** Signatures that are read again, over the run as this process has it; where they do not hold any more, the run is paused. */
  async #askApprovals(): Promise<void> {
    if (this.#terms.only === 'settle') return this.#rows.lookWhereStopped(this.#desk, this.#terms.onStop);
    const { id, account } = this.#run;
    const [now = this.#run] = await this.#store.payruns.find(account.baseUrl, id);
    try {
      await refuseUnsignedNow(this.#desk, { ...this.#run, statements: now.statements });
    } catch (error) {
      if (!(error instanceof Problem) || error.facts.category === 'config') throw error;
      this.#pauseFor({ code: 'approvals', why: error.facts.message });
    }
  }

  async #attend(held: Held, row: PayRow): Promise<void> {
    let how: 'well' | 'too much' = 'well';
    try {
      if (this.#isEnding() || held.isLost) return;
      const first = row.state === 'planned' ? (row.tries === 0 ? 'first send' : 'send') : 'settle';
      let verdict = await this.#try(held, row, first);
      // A row that was found not to be applied is sent at once, like a row that never was sent.
      const isFreed = row.state !== 'planned' && verdict?.news.state === 'planned' && !verdict.isTooMuch;
      if (isFreed && this.#terms.only !== 'settle' && !this.#isEnding() && !held.isLost)
        verdict = await this.#try(held, row, 'send');
      how = verdict?.isTooMuch ? 'too much' : 'well';
      for (let tries = 1; verdict !== undefined && isRetriable(verdict) && tries < MOST_TRIES; tries++) {
        const isUnknown = verdict.news.state === 'unknown';
        const wait = isUnknown ? SETTLE_AFTER_MS[tries] : 250 * 2 ** tries;
        if (this.#isEnding() || wait === undefined) return;
        await this.#desk.sleep(wait, this.#desk.signal);
        if (this.#isEnding() || held.isLost) return;
        verdict = await this.#try(held, row, isUnknown ? 'settle again' : 'send');
      }
      if (verdict?.news.state === 'planned' && verdict.isTooMuch)
        this.#pauseFor({
          code: 'service',
          why: `the service took no payment in ${MOST_TRIES} tries: ${verdict.news.why}`,
        });
    } finally {
      this.#flow.leave(how);
    }
  }

  /** Undefined where nothing was sent, since the row or the window is not ours. */
  async #try(
    held: Held,
    row: PayRow,
    how: 'first send' | 'send' | 'settle' | 'settle again',
  ): Promise<RowVerdict | undefined> {
    const isSettled = how === 'settle' || how === 'settle again';
    const verdict = isSettled
      ? await this.#rows.settle(held, row, this.#terms.notPaid?.note)
      : await this.#send(held, row, how === 'first send');
    if (verdict === 'lost') {
      await this.#lost(held);
      return undefined;
    }
    if (verdict === undefined) return undefined;
    this.#terms.onRow?.(row, verdict.news);
    this.#pauseFor(this.#alike.count(verdict) ?? verdict.pause);
    return verdict;
  }

  /** Sends it where the run may still cost so much. */
  async #send(held: Held, row: PayRow, isFirst: boolean): Promise<RowVerdict | 'lost' | undefined> {
    try {
      this.#pauseFor(await this.#spending.enter(row));
      return this.#isEnding() || held.isLost ? undefined : await this.#rows.send(held, row, isFirst);
    } finally {
      this.#spending.leave(row);
    }
  }

  /** Another process has the window or the row, or the run is not to be paid: what was sent is settled all the same. */
  async #lost(held: Held): Promise<void> {
    if (this.#terms.only !== 'settle') await this.#mayGoOn();
    await this.#windows.doubt(held);
  }

  #pauseFor(pause: Pause | undefined): void {
    this.#pause ??= pause;
  }

  #isEnding(): boolean {
    const isStopped = this.#endedElsewhere || this.#desk.signal.aborted;
    return isStopped || this.#pause !== undefined || this.#broken !== undefined;
  }

  async #end(): Promise<PayEnd> {
    if (this.#broken !== undefined) throw this.#broken.error;
    const { payruns } = this.#store;
    if (this.#pause?.code === 'paid_before')
      this.#pause = (await beforePause(payruns, this.#run)) ?? this.#pause;
    if (this.#pause !== undefined) {
      await payruns.move(this.#run.id, ['approved'], 'paused', this.#pause.why);
      return { kind: 'paused', pause: this.#pause };
    }
    if (this.#endedElsewhere) {
      const [now = this.#run] = await payruns.find(this.#run.account.baseUrl, this.#run.id);
      return { kind: 'ended_elsewhere', run: now };
    }
    return this.#desk.signal.aborted ? { kind: 'stopped' } : { kind: 'through' };
  }
}
