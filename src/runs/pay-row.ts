/** One row: its intent, its call, and what became of it. The client's own settlement carries it out (client/outcome.ts). */
import type { Client } from '../client/client.ts';
import { weighed } from '../client/closing.ts';
import { isCallError, isWithoutRight, NotReadyError, RequestError } from '../client/errors.ts';
import { type IntentAbout, newIntentOf } from '../client/intents.ts';
import { carryOut, type Outcome, settle, settleByLooking, type WritePlan } from '../client/outcome.ts';
import { type Intent, isUnsettled } from '../client/store/port.ts';
import { type Asked, operationOf, writePlanOf } from '../client/writes.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { accountRelation } from '../core/account.ts';
import type { Clock } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { Desk } from '../payments/desk.ts';
import { maskedSummary } from '../payments/words/payment-lines.ts';
import { alteredRequest } from './altered.ts';
import { isOfRun } from './plan-text.ts';
import { askedOf } from './row-payment.ts';
import { mayBecome, newsOf } from './states.ts';
import { stopOf } from './stopped.ts';
import type { PayRow, PayRun } from './store/port.ts';
import { foundBefore, type TakenId, takenBefore } from './taken-id.ts';
import type { PayStore, PayTerms } from './terms.ts';
import { type RowVerdict, verdictOn } from './verdict.ts';
import type { Held } from './windows.ts';

/** Tells who sends, for the journal. */
export type RowAbout = Omit<IntentAbout, 'summary' | 'externalId' | 'amount' | 'currency'>;

interface Sending {
  run: PayRun;
  client: Client;
  about: RowAbout;
  clock: Clock;
  tolerance: string;
  onTransaction: PayTerms['onTransaction'];
  /** Rows that were begun are looked for, and never sent again. */
  isLook: boolean;
}

/** One try of a row, under its intent. */
interface Tried {
  intentId: string;
  emptySince?: number | undefined;
  isLook?: boolean;
  work: () => Promise<Outcome<Transaction>>;
  taken?: (outcome: Outcome<Transaction>) => TakenId | undefined;
}

export class RowPayer {
  readonly #store: PayStore;
  readonly #sending: Sending;
  #isLook: boolean;

  constructor(store: PayStore, sending: Sending) {
    this.#store = store;
    this.#sending = sending;
    this.#isLook = sending.isLook;
  }

  /** Rows are only looked for from now on, where the run was stopped since it was read. */
  async lookWhereStopped(desk: Desk, onStop: PayTerms['onStop']): Promise<void> {
    if (this.#isLook) return;
    const { payruns, intents } = this.#store;
    const stop = await stopOf(desk, payruns, { run: this.#sending.run, joins: await intents.joins() });
    if (stop === undefined) return;
    this.#isLook = true;
    onStop?.(stop);
  }

  /**
   * Undefined where it was not sent, since it slept past the end of its lease.
   * @param isFirst nothing was ever sent for it: no copy of ours can be on its way
   */
  async send(held: Held, row: PayRow, isFirst: boolean): Promise<RowVerdict | 'lost' | undefined> {
    const { client, about, clock, tolerance } = this.#sending;
    try {
      await client.ready();
    } catch (error) {
      if (!(error instanceof NotReadyError)) throw error;
      // The row is as it was: nothing was sent and nothing was written down.
      return verdictOn({ kind: 'not_applied', error }, row, tolerance);
    }
    const found = isFirst ? await this.#paidBefore(row) : undefined;
    if (found !== undefined) return found;
    const asked = askedOf(row);
    const { externalId, amount, currency } = row;
    const summary = maskedSummary(asked.transaction);
    const whole = Object.assign({}, about, { externalId, summary, amount, currency });
    const intent = newIntentOf(whole, asked, operationOf(asked).id);
    const opened = await this.#store.payruns.open(held.lease, row.n, intent);
    if (opened === 'lost') return 'lost';
    // The intent is open and nothing was sent: the next holder of the window settles it.
    if (clock.now() >= held.lease.until) {
      held.isLost = true;
      return undefined;
    }
    const plan = counting(planFor(client, asked));
    const taken = (outcome: Outcome<Transaction>) =>
      isFirst && plan.sends() === 1 ? takenBefore(this.#sending.run.name, row, outcome) : undefined;
    return this.#closed(held, row, { intentId: opened.opened.id, work: () => carryOut(plan), taken });
  }

  /**
   * A payment under its external id, before anything was sent for it. Under an id that this run makes no other pays: that one is not
   * looked for.
   */
  async #paidBefore(row: PayRow): Promise<RowVerdict | undefined> {
    const { client, run, tolerance } = this.#sending;
    if (isOfRun(run.name, row.externalId)) return undefined;
    try {
      const looked = await planFor(client, askedOf(row)).look();
      if (looked.kind !== 'applied') return undefined;
      const verdict = foundBefore(row, newsOf(looked.value));
      // The service says no to one whose money is back, and the row is refused.
      if (verdict.news.state === 'refunded' || verdict.news.state === 'cancelled') return undefined;
      const seen = [{ externalId: row.externalId, news: verdict.news }];
      // The store changes nothing where the row is not to be paid any more: opening it says so.
      if ((await this.#store.payruns.observe(run.id, seen, mayBecome)) === 0) return undefined;
      return verdict;
    } catch (error) {
      if (!isCallError(error)) throw error;
      // Nothing was sent: the error is treated like that of any read before the row.
      const notReady = error instanceof NotReadyError ? error : new NotReadyError(error);
      return verdictOn({ kind: 'not_applied', error: notReady }, row, tolerance);
    }
  }

  /**
   * Settles a row that an earlier try left open: its payment is looked for, and the same is sent again where
   * it is not found.
   * @param word of a person who says that it was not paid: then it is only looked for, and not found it is
   * planned again
   */
  async settle(held: Held, planned: PayRow, word?: string): Promise<RowVerdict | 'lost' | undefined> {
    const { n } = planned;
    const begun = await this.#store.payruns.begun(held.lease.runId, n);
    if (begun === undefined) return undefined;
    const { row, request } = begun;
    const { intentId } = row;
    invariant(intentId, `row ${n} was begun under an intent`);
    if (request !== undefined && JSON.stringify(JSON.parse(request)) !== JSON.stringify(askedOf(planned)))
      throw await alteredRequest(this.#store.payruns, this.#sending.run, planned);
    if (!(await this.#store.payruns.resume(held.lease, n))) return 'lost';
    const asked = askedOf(planned);
    if (request !== undefined) {
      const { isLook, emptySince, answeredId } = await this.#standsFor(intentId);
      const plan = planFor(this.#sending.client, asked, answeredId);
      if (word !== undefined) return this.#byWord(held, row, { plan, intentId, word });
      const work = () => (isLook ? settleByLooking(plan) : settle(plan));
      return this.#closed(held, row, { intentId, emptySince, isLook, work });
    }
    // Its intent was settled by itself: what became of it stands there, and nothing is sent under it any more.
    const known = await this.#store.intents.get(intentId);
    invariant(known && !isUnsettled(known), `the request of row ${n} is kept while its outcome is not known`);
    if (known.state === 'not_applied') return this.#freed(held, row, known);
    const plan = planFor(this.#sending.client, asked);
    return this.#closed(held, row, { intentId, isLook: true, work: () => settleByLooking(plan) });
  }

  /**
   * Returns how an intent may be settled. A payment that another key sent, be it the approver's, is sent
   * again by that key alone: nothing shows that both are of one account. Nothing of a run is sent once it is stopped, and
   * what a success named is only looked for.
   */
  async #standsFor(intentId: string) {
    const { intents } = this.#store;
    const intent = await intents.get(intentId);
    invariant(intent, 'a row that was begun has its intent');
    const isLook =
      this.#isLook ||
      accountRelation(this.#sending.about, intent, await intents.joins()) !== 'same' ||
      (await intents.isStopped?.(intentId)) === true;
    return { isLook, emptySince: intent.emptySince, answeredId: intent.resultId };
  }

  /**
   * Settles a row by a person's word. It stays unknown where the look failed just now; a key without
   * the right to look would never find it.
   */
  async #byWord(
    held: Held,
    row: PayRow,
    { plan, intentId, word }: { plan: WritePlan<Transaction>; intentId: string; word: string },
  ): Promise<RowVerdict> {
    const outcome = await settleByLooking(plan);
    const { error } = outcome.kind === 'unknown' ? outcome : {};
    const isLooked = error === undefined || isWithoutRight(error);
    if (outcome.kind === 'unknown' && outcome.part === undefined && outcome.why === undefined && isLooked)
      return this.#freed(held, row, { id: intentId, note: word });
    return this.#closed(held, row, { intentId, isLook: true, work: async () => outcome });
  }

  /** Frees a row for which nothing was applied: it may be sent, under an intent of its own. */
  async #freed(held: Held, row: PayRow, { id, note }: Pick<Intent, 'id' | 'note'>): Promise<RowVerdict> {
    const news = { state: 'planned', code: 'not_applied', why: note } as const;
    const state = await this.#store.payruns.close(
      held.lease,
      row.n,
      id,
      { state: 'not_applied', note },
      news,
    );
    return { news: { ...news, state }, isTooMuch: false };
  }

  async #closed(
    held: Held,
    row: PayRow,
    { intentId, emptySince, isLook = false, work, taken = () => undefined }: Tried,
  ): Promise<RowVerdict> {
    const { client, clock, tolerance, onTransaction } = this.#sending;
    const heardAt = clock.now();
    const found = await work().catch((error: unknown): Outcome<Transaction> => {
      if (!(error instanceof RequestError)) throw error;
      // It does not fit the contract, so it never left.
      return { kind: 'not_applied', error: undefined, why: 'it does not fit the contract' };
    });
    const { outcome, closing: proven } = weighed(found, { emptySince, date: client.date(), isLook });
    const { verdict, closing } = taken(outcome) ?? {
      verdict: verdictOn(outcome, row, tolerance),
      closing: proven,
    };
    const { payruns } = this.#store;
    const { shown, found: where } = verdict.news;
    const by = where === 'otherwise' ? { edit: intentId, at: heardAt } : undefined;
    const news = { ...verdict.news, shown: shown && { ...shown, at: client.date(), by } };
    const state = await payruns.close(held.lease, row.n, intentId, closing, news);
    if (outcome.kind === 'applied') onTransaction?.({ transaction: outcome.value, heardAt });
    return { ...verdict, news: { ...verdict.news, state } };
  }
}

function counting<T>(plan: WritePlan<T>): WritePlan<T> & { sends(): number } {
  let sends = 0;
  const send: WritePlan<T>['send'] = (again) => {
    sends += 1;
    return plan.send(again);
  };
  return { ...plan, send, sends: () => sends };
}

const planFor = (client: Client, asked: Asked, answeredId?: string): WritePlan<Transaction> =>
  writePlanOf(client, asked, answeredId) as unknown as WritePlan<Transaction>;
