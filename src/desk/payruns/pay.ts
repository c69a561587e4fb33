/**
 * Pays the rows of a run. Any number of processes may do so at once; it can be stopped, killed, and run again.
 *
 * If the process dies
 *   before `take`               nothing was sent.
 *   after `take`                the window is free again when its lease is over; at once, where the process is known to be dead.
 *   after `open`                the row is sending, and its intent is open: whoever takes the window next finds out what became of
 *                               it, by looking, and by sending the same body with the same external id.
 *   during the call             the same.
 *   after the answer            the same: the look finds the transaction.
 *   after `close`               done: the row and its intent say what became of it.
 * If it sleeps past the end of its lease: what it has not begun is refused by the fence; what it had begun has the external id
 * that whoever replaced it sends too, and an external id names one transaction for ever.
 */
import { hostname } from 'node:os';
import type { Client } from '../../client/client.ts';
import { RequestError } from '../../client/errors.ts';
import { closingOf, newIntentOf } from '../../client/intents.ts';
import { carryOut, type Outcome, settle } from '../../client/outcome.ts';
import { type Asked, operationOf, planOf } from '../../client/writes.ts';
import type { Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import { invariant } from '../../core/invariants.ts';
import type { Intents } from '../../core/ports/intents.ts';
import type { PayRow, PayRun, PayRuns, Taken } from '../../core/ports/payruns.ts';
import { isAlive } from '../../profiles/alive.ts';
import { keyLast4 } from '../../profiles/connection.ts';
import type { Desk } from '../desk.ts';
import { checkPass, type Pass } from '../payments/gate.ts';
import { dropCached } from '../read-cache.ts';
import { maskedSummary } from '../words/payment-lines.ts';
import { Flow } from './flow.ts';
import { planOf as planOfRun } from './plan.ts';
import { type Pause, type Verdict, verdictOn } from './verdict.ts';
import { watchful } from './watchful.ts';

export interface PayStore {
  payruns: PayRuns;
  intents: Intents;
}

export interface PayTerms {
  inFlight: number;
  perSecond: number | undefined;
  /** A share, such as `0.005`; that of the plan where nothing is said. */
  tolerance?: string | undefined;
  leaseMs?: number;
  /** Only rows of unknown outcome: nothing that was not sent before is sent. */
  only?: 'settle';
  /** Hears of every row that became something. */
  onRow?: (row: PayRow, news: Verdict['news']) => void;
}

export type PayEnd =
  /** Every row that could be paid was tried. */
  | { kind: 'through' }
  | { kind: 'paused'; pause: Pause }
  /** Somebody asked for it to stop: what was on its way has its answer. */
  | { kind: 'stopped' }
  /** Another process paused or cancelled the run. */
  | { kind: 'ended_elsewhere'; run: PayRun };

/** A dead worker's window is taken over within a minute: it may have been renewed just before. */
const LEASE_MS = 30_000;
const ALIKE = 10;
/** An unknown outcome is looked into so often within a run, later each time; then it is left, and named. */
const SETTLE_AFTER_MS = [0, 1_000, 2_000, 4_000, 8_000];
/** A row that the service was too busy for is tried so often. */
const MOST_TRIES = 8;
const WAIT_FOR_OTHERS_MS = 1_000;

export async function payRun(
  desk: Desk,
  store: PayStore,
  { run, pass, ...terms }: PayTerms & { run: PayRun; pass: Pass },
): Promise<PayEnd> {
  await checkPass(desk, pass, 'money');
  const client = await desk.writingClient();
  const { baseUrl, environment, name: profile, credentials } = await desk.connection();
  invariant(run.account.baseUrl === baseUrl, 'a run is paid on the account that it was planned for');
  const about = {
    command: desk.by.words,
    user: desk.by.user,
    pid: desk.machine.pid,
    profile,
    environment,
    baseUrl,
    keyLast4: keyLast4(credentials.key),
  };
  const payer = new Payer(desk, store, { run, client, about, terms });
  try {
    return await payer.pay();
  } finally {
    await dropCached(desk);
  }
}

interface Setting {
  run: PayRun;
  client: Client;
  about: Omit<Parameters<typeof newIntentOf>[0], 'summary'>;
  terms: PayTerms;
}

/** A window in our hands, and what of it is under way. */
interface Held {
  taken: Taken;
  /** Rows that are under way. */
  open: number;
  /** Every row of it was begun, or none is begun any more. */
  isFed: boolean;
  isLost: boolean;
}

class Payer {
  readonly #desk: Desk;
  readonly #store: PayStore;
  readonly #setting: Setting;
  readonly #flow: Flow;
  readonly #worker: string;
  readonly #tolerance: string;
  readonly #held = new Set<Held>();
  /** All that is under way: rows, and windows that are given back. */
  readonly #work = new Set<Promise<void>>();
  readonly #visited = new Set<number>();
  #pause: Pause | undefined;
  #endedElsewhere = false;
  #broken: { error: unknown } | undefined;
  #alike = { words: '', times: 0 };

  constructor(desk: Desk, store: PayStore, setting: Setting) {
    this.#desk = desk;
    this.#store = store;
    this.#setting = setting;
    const { inFlight, perSecond } = setting.terms;
    this.#tolerance = setting.terms.tolerance ?? planOfRun(setting.run).tolerance;
    const { clock } = desk;
    this.#flow = new Flow({
      inFlight,
      perSecond,
      now: () => clock.now(),
      sleep: (ms) => desk.sleep(ms, desk.signal),
    });
    this.#worker = `${hostname()} ${desk.machine.pid} ${desk.newId()}`;
  }

  async pay(): Promise<PayEnd> {
    const renewing = this.#keepRenewing();
    try {
      await this.#goThrough();
    } catch (error) {
      this.#broken ??= { error };
    }
    // Whatever ended it: what is on its way gets its answer, and its row.
    while (this.#work.size > 0) await Promise.all(this.#work);
    renewing.stop();
    return this.#end();
  }

  async #goThrough(): Promise<void> {
    const { run, terms } = this.#setting;
    const { payruns } = this.#store;
    const watch = watchful(this.#desk, payruns, { run, tolerance: this.#tolerance });
    for (let after = -1; !this.#isEnding(); ) {
      if (terms.only !== 'settle') this.#pauseFor(await watch.look());
      if (this.#isEnding()) return;
      const taken = await this.#take(after);
      if (taken !== undefined) {
        after = taken.window;
        await this.#begin(taken);
      } else if (after !== -1) after = -1;
      else if (await payruns.isTaken(run.id, this.#worker)) await this.#waitForOthers();
      else return;
    }
  }

  /** The next window that we did not go through yet. */
  async #take(after: number): Promise<Taken | undefined> {
    const { run, terms } = this.#setting;
    for (let from = after; ; ) {
      const taken = await this.#store.payruns.take(run.id, this.#worker, {
        after: from,
        leaseMs: terms.leaseMs ?? LEASE_MS,
        isDead: (worker) => isDeadHere(worker),
      });
      if (taken === undefined || !this.#visited.has(taken.window)) return taken;
      // Only unknown rows are left in it, and those we looked into.
      await this.#store.payruns.giveBack(taken);
      from = taken.window;
    }
  }

  async #begin(taken: Taken): Promise<void> {
    const { run, terms } = this.#setting;
    this.#visited.add(taken.window);
    const held: Held = { taken, open: 0, isFed: false, isLost: false };
    this.#held.add(held);
    try {
      const rows = await this.#store.payruns.rows(run.id, {
        window: taken.window,
        states: terms.only === 'settle' ? ['sending', 'unknown'] : ['planned', 'sending', 'unknown'],
        limit: run.windowSize,
      });
      for (const row of rows) {
        if (this.#isEnding() || held.isLost) break;
        await this.#flow.enter();
        this.#track(held, this.#attend(held, row));
      }
    } finally {
      // The next window begins while the last rows of this one are on their way.
      held.isFed = true;
      this.#track(held, Promise.resolve());
    }
  }

  #track(held: Held, work: Promise<void>): void {
    held.open += 1;
    const task: Promise<void> = work
      .catch((error: unknown) => {
        // A store that fails, or a defect: nothing more may be sent.
        this.#broken ??= { error };
      })
      .then(() => {
        held.open -= 1;
        return held.isFed && held.open === 0 ? this.#giveBack(held) : undefined;
      })
      .then(() => {
        this.#work.delete(task);
      });
    this.#work.add(task);
  }

  /** Nothing of it is on its way any more. */
  async #giveBack(held: Held): Promise<void> {
    try {
      if (!held.isLost) await this.#store.payruns.giveBack(held.taken);
    } catch (error) {
      this.#broken ??= { error };
    } finally {
      this.#held.delete(held);
    }
  }

  async #attend(held: Held, row: PayRow): Promise<void> {
    let how: 'well' | 'too much' = 'well';
    try {
      if (this.#isEnding() || held.isLost) return;
      let verdict = row.state === 'planned' ? await this.#send(held, row) : await this.#settle(held, row);
      how = verdict?.isTooMuch ? 'too much' : 'well';
      for (let tries = 1; verdict !== undefined && this.#isOpen(verdict) && tries < MOST_TRIES; tries++) {
        if (this.#isEnding()) return;
        const isUnknown = verdict.news.state === 'unknown';
        const wait = isUnknown ? SETTLE_AFTER_MS[tries] : 250 * 2 ** tries;
        if (wait === undefined) return;
        await this.#desk.sleep(wait, this.#desk.signal);
        if (this.#isEnding()) return;
        verdict = isUnknown ? await this.#settleAgain(held, row) : await this.#send(held, row);
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

  /** Worth another try within this run. */
  #isOpen({ news, isTooMuch }: Verdict): boolean {
    return news.state === 'unknown' || (news.state === 'planned' && isTooMuch);
  }

  /** Undefined where nothing was sent, since the row or the window is not ours. */
  async #send(held: Held, row: PayRow): Promise<Verdict | undefined> {
    const asked = askedOf(row);
    const operation = operationOf(asked).id;
    const about = {
      ...this.#setting.about,
      externalId: row.externalId,
      summary: maskedSummary(asked.transaction),
      amount: row.amount,
      currency: row.currency,
    };
    const opened = await this.#store.payruns.open(held.taken, row.n, newIntentOf(about, asked, operation));
    if (opened === 'lost') {
      await this.#lost(held);
      return undefined;
    }
    // It slept past the end of its lease with the intent open: whoever takes the window settles it.
    if (this.#desk.clock.now() >= held.taken.until) {
      held.isLost = true;
      return undefined;
    }
    return this.#closed(held, row, opened.opened.id, () => carryOut(planFor(this.#setting.client, asked)));
  }

  async #settleAgain(held: Held, row: PayRow): Promise<Verdict | undefined> {
    const now = await this.#store.payruns.row(this.#setting.run.id, row.key);
    return now === undefined || now.state !== 'unknown' ? undefined : this.#settle(held, now);
  }

  /** What an earlier try left open: it is looked for, and the same is sent again where it is not found. */
  async #settle(held: Held, row: PayRow): Promise<Verdict | undefined> {
    invariant(row.intentId, `row ${row.n} was begun under an intent`);
    const intent = await this.#store.intents.get(row.intentId);
    invariant(intent?.request, `the request of row ${row.n} is kept while its outcome is not known`);
    const asked = JSON.parse(intent.request) as Asked;
    if (!(await this.#store.payruns.resume(held.taken, row.n))) {
      await this.#lost(held);
      return undefined;
    }
    return this.#closed(held, row, intent.id, () => settle(planFor(this.#setting.client, asked)));
  }

  async #closed(
    held: Held,
    row: PayRow,
    intentId: string,
    work: () => Promise<Outcome<Transaction>>,
  ): Promise<Verdict> {
    const { payruns } = this.#store;
    const outcome = await work().catch(async (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      // It does not fit the contract, so it never left.
      return { kind: 'not_applied', error: undefined, why: 'it does not fit the contract' } as const;
    });
    const verdict = verdictOn(outcome, row, this.#tolerance);
    const state = await payruns.close(held.taken, row.n, intentId, closingOf(outcome), verdict.news);
    this.#setting.terms.onRow?.(row, { ...verdict.news, state });
    this.#count(verdict);
    this.#pauseFor(verdict.pause);
    return verdict;
  }

  #count({ refusal }: Verdict): void {
    if (refusal === undefined || refusal !== this.#alike.words)
      this.#alike = { words: refusal ?? '', times: refusal === undefined ? 0 : 1 };
    else this.#alike.times += 1;
    if (this.#alike.times >= ALIKE)
      this.#pauseFor({
        code: 'refused_alike',
        why: `${ALIKE} rows in a row were refused alike: ${this.#alike.words}`,
      });
  }

  /** Somebody else has the window, or the run is to be paid no more. */
  async #lost(held: Held): Promise<void> {
    held.isLost = true;
    const { run } = this.#setting;
    const [now] = await this.#store.payruns.find(run.account.baseUrl, run.id);
    if (now?.state !== 'approved') this.#endedElsewhere = true;
    // It may be the row alone that somebody cancelled.
    else if (
      (await this.#store.payruns.renew(held.taken, this.#setting.terms.leaseMs ?? LEASE_MS)) !== undefined
    )
      held.isLost = false;
  }

  #pauseFor(pause: Pause | undefined): void {
    this.#pause ??= pause;
  }

  #isEnding(): boolean {
    return (
      this.#pause !== undefined ||
      this.#endedElsewhere ||
      this.#broken !== undefined ||
      this.#desk.signal.aborted
    );
  }

  async #waitForOthers(): Promise<void> {
    await this.#desk.sleep(WAIT_FOR_OTHERS_MS, this.#desk.signal);
  }

  #keepRenewing(): { stop(): void } {
    const leaseMs = this.#setting.terms.leaseMs ?? LEASE_MS;
    const timer = setInterval(() => void this.#renewAll(leaseMs), leaseMs / 3);
    timer.unref();
    return { stop: () => clearInterval(timer) };
  }

  async #renewAll(leaseMs: number): Promise<void> {
    for (const held of this.#held) {
      if (held.isLost) continue;
      const later = await this.#store.payruns.renew(held.taken, leaseMs).catch(() => held.taken);
      if (later === undefined) held.isLost = true;
      else held.taken = later;
    }
  }

  async #end(): Promise<PayEnd> {
    if (this.#broken !== undefined) throw this.#broken.error;
    const { run } = this.#setting;
    if (this.#pause !== undefined) {
      await this.#store.payruns.move(run.id, ['approved'], 'paused', this.#pause.why);
      return { kind: 'paused', pause: this.#pause };
    }
    if (this.#endedElsewhere) {
      const [now] = await this.#store.payruns.find(run.account.baseUrl, run.id);
      return { kind: 'ended_elsewhere', run: now ?? run };
    }
    return this.#desk.signal.aborted ? { kind: 'stopped' } : { kind: 'through' };
  }
}

const askedOf = (row: PayRow) => ({
  plan: 'create' as const,
  transaction: { ...(JSON.parse(row.body) as TransactionWrite), external_id: row.externalId },
  fund: true,
  madeId: false,
});

const planFor = (client: Client, asked: Asked) =>
  planOf(client, asked) as unknown as Parameters<typeof carryOut<Transaction>>[0];

/** A worker of this machine whose process runs no more. */
function isDeadHere(worker: string): boolean {
  const [host, pid] = worker.split(' ');
  return host === hostname() && !isAlive(Number(pid));
}
