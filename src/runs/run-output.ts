/** The published records of a pay run: the run, where it stands, its rows, and what became of it when it was to be forgotten. */

import { categoryInfo } from '../contract/categories.ts';
import { codeInfo } from '../contract/codes.ts';
import { counted } from '../core/amount-words.ts';
import { byWord } from '../core/by-word.ts';
import { isoTime } from '../core/clock.ts';
import { groupedBy } from '../core/grouped-by.ts';
import { isZero, sub } from '../core/money.ts';
import type { DataOf } from '../frame/shape.ts';
import { rateOf } from '../payments/cost.ts';
import type { MaskLevel } from '../payments/words/mask.ts';
import { whoActs } from '../payments/words/reason.ts';
import { shownDigest, shownFingerprint } from '../profiles/digest.ts';
import { arrivingIn, pairOf, type Rates } from './estimate.ts';
import { type Removable, unendedWords } from './forget.ts';
import { shownPayee } from './payee.ts';
import { whoApproved, whoFixed, whoHolds, whoPlanned, whoRejected } from './persons.ts';
import { type FixedRow, planOf } from './plan-text.ts';
import type { RunSummary } from './run-summary.ts';
import type { forgettingShape, runRowShape, runShape, runStatusShape, ShownStatement } from './shapes.ts';
import type { CheckedStatement } from './signatures.ts';
import { type PayRow, type PayRun, ROW_STATES, rowStatesThat } from './store/port.ts';
import { isStrange } from './store/standing.ts';
import type { WhoSigned } from './who-signed.ts';

export type ShownRun = DataOf<typeof runShape>;
export type ShownRunSummary = DataOf<typeof runStatusShape>;
export type ShownRow = DataOf<typeof runRowShape>;
export type ShownForgetting = DataOf<typeof forgettingShape>;

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));

/** @param summary where its rows were looked at */
export const shownRun = (run: PayRun, summary?: RunSummary): ShownRun => ({
  name: run.name,
  id: run.id,
  state: run.state,
  status: summary === undefined ? run.state : statusWords(summary),
  rows: run.rows,
  why: run.why ?? null,
  environment: run.account.environment,
  profile: run.account.profile,
  planned_by: whoPlanned(run),
  approved_by: whoApproved(run) ?? null,
  rejected_by: run.rejection === undefined ? null : `${whoRejected(run.rejection)}: ${run.rejection.because}`,
  held_by: run.hold === undefined ? null : `${whoHolds(run.hold)}: ${run.hold.because}`,
  not_before: timeOrNull(planOf(run).notBefore?.at),
  digest: run.forgotten === undefined ? shownDigest(run.digest) : null,
  checked_at: timeOrNull(run.checkedAt),
  forgotten_at: timeOrNull(run.forgotten?.at),
  compared_from: timeOrNull(planOf(run).repeated.from),
  created_at: isoTime(run.createdAt),
});

const statusWords = (summary: RunSummary): string =>
  `${endingWords(summary)}${summary.run.hold === undefined ? '' : ', on hold'}${summary.run.forgotten === undefined ? '' : ', forgotten'}`;

/** Returns the ending of the rows, in words: `approved` says nothing of that once all were sent. */
function endingWords({ run, counts, before, ending }: RunSummary): string {
  const { state } = run;
  if (state === 'planned' && planOf(run).fixes !== undefined) return 'corrected, and not approved again';
  if (state !== 'approved') return state;
  if (ending === 'some' && before.rows > before.accepted) return 'paid, and not by this run alone';
  const others = before.rows > 0 ? `, ${counted(before.rows, 'row')} not by this run` : '';
  const isOnTheWay = counts.created > 0;
  switch (ending) {
    case 'done':
      return `${isOnTheWay ? 'paid for, on the way to the recipients' : 'paid out'}${others}`;
    case 'some':
      return isOnTheWay ? 'paid in part, on the way to the recipients' : 'paid in part';
    case 'none':
      return 'nobody is paid';
    case 'unknown':
      return 'not known for every row';
    default:
      return counts.planned > 0 ? 'approved, not all sent' : 'on the way to the recipients';
  }
}

const shownStatement = ({ statement, standing }: CheckedStatement): ShownStatement => ({
  approver: statement.approver,
  fingerprint: shownFingerprint(statement.key),
  verdict: statement.verdict,
  because: statement.because ?? null,
  signed_at: statement.at,
  until: statement.until ?? null,
  standing,
});

export function shownRunSummary(summary: RunSummary, signed?: WhoSigned): ShownRunSummary {
  const { run, counts, totals, spent, before, elsewhere, otherwise, needed, breaks, ending } = summary;
  const { rates } = planOf(run);
  return {
    ...shownRun(run, summary),
    states: Object.fromEntries(
      ROW_STATES.flatMap((state) => (counts[state] > 0 ? [[state, counts[state]]] : [])),
    ),
    totals: totals.map(({ plannedCost, arrives, ...total }) => {
      const { inputCurrency, ...shown } = total;
      return { ...shown, ...pricesOf({ ...total, plannedCost, arrives }, rates) };
    }),
    spent,
    paid_before:
      before.rows === 0 ? null : { rows: before.rows, accepted: before.accepted, costs: before.costs },
    paid_elsewhere: elsewhere.rows === 0 ? null : elsewhere,
    made_otherwise: otherwise.rows === 0 ? null : otherwise,
    changed_payees: planOf(summary.run).payees?.changed.length ?? null,
    still_needed: needed,
    limits: planOf(run).ceilings,
    signatures: signed?.judged.each.map(shownStatement) ?? [],
    signatures_wanted: signed?.wants ?? null,
    signed_until: signed?.judged.until === undefined ? null : isoTime(signed.judged.until),
    agrees: breaks.length === 0,
    breaks,
    ending,
  };
}

/** Where the service has none of the rows, there is nothing to compare with. */
export const isCompared = ({ agrees, states }: ShownRunSummary): boolean =>
  !agrees || rowStatesThat(({ exists }) => exists).some((state) => (states[state] ?? 0) > 0);

/** The members of an output that the record of the row does not have. */
export interface RowsAbout {
  mask: MaskLevel;
  changed: ReadonlyMap<number, ShownRow['payee_changed']>;
  /** Corrections of each row, the last one last. */
  fixes: ReadonlyMap<number, readonly FixedRow[]>;
  /** The rates of the plan. */
  rates: Rates;
}

export const rowsAbout = (run: Pick<PayRun, 'plan'>, mask: MaskLevel): RowsAbout => ({
  mask,
  rates: planOf(run).rates,
  fixes: groupedBy(planOf(run).fixes ?? [], ({ n }) => n),
  changed: new Map(
    planOf(run).payees?.changed.map(({ n, by, isOthers }) => [
      n,
      by === undefined ? 'owner' : isOthers ? 'account and owner' : 'account',
    ]),
  ),
});

interface Priced {
  type: string;
  currency: string;
  inputCurrency: string;
  plannedCost: string;
  cost: string | undefined;
  arrives: string | undefined;
}

/**
 * Compares the rate and the cost of the plan with those that it was paid for. A row keeps no rate but what arrives of its cost, so one that
 * asks for an amount to pay in has none.
 */
function pricesOf({ type, currency, inputCurrency, plannedCost, cost, arrives }: Priced, rates: Rates) {
  const to = arrivingIn(type);
  const isPaid = cost !== undefined && !isZero(cost);
  return {
    input_currency: inputCurrency,
    planned_rate: rates[pairOf(inputCurrency, to)] ?? null,
    paid_rate:
      isPaid && arrives !== undefined && currency === to && to !== inputCurrency
        ? rateOf(cost, arrives)
        : null,
    planned_cost: isPaid ? plannedCost : null,
    cost: isPaid ? cost : null,
    cost_difference: isPaid ? sub(cost, plannedCost) : null,
  };
}

/** The details that were corrected in the run, who did so last, and when. */
function correctionOf(fixes: readonly FixedRow[]) {
  const last = fixes.at(-1);
  return {
    corrected: last === undefined ? null : [...new Set(fixes.flatMap(({ set }) => set))].join(', '),
    corrected_by: last === undefined ? null : whoFixed(last),
    corrected_at: timeOrNull(last?.at),
  };
}

/** @param paidAt as the books have it */
export const shownRow = (
  row: PayRow,
  { mask, changed, rates, fixes }: RowsAbout,
  paidAt: string | null = null,
): ShownRow => ({
  row: row.n,
  key: row.key,
  ...shownPayee(row, mask),
  account_is: row.body === '' ? null : row.stands === undefined ? 'asked' : 'shown',
  asked_account: row.stands?.now === undefined ? null : shownPayee({ body: row.body }, mask).account,
  unknown_details:
    Object.keys({ ...row.stands?.spelt, ...row.stands?.now })
      .filter(isStrange)
      .join(', ') || null,
  changed_elsewhere_at: timeOrNull(row.stands?.elsewhere),
  state: row.state,
  type: row.type,
  amount: row.amount,
  currency: row.currency,
  code: row.code ?? null,
  why: row.why ?? null,
  who_must_act: actorOf(row),
  found: row.found ?? null,
  external_id: row.externalId,
  handed_on_to: row.handed?.file ?? null,
  handed_on_as: row.handed?.as ?? null,
  transaction_id: row.transactionId ?? null,
  recipient_id: row.recipientId ?? null,
  paid_at: paidAt,
  payee_changed: changed.get(row.n) ?? null,
  holder_name: row.holder?.name ?? null,
  holder_asked_at: timeOrNull(row.holder?.at),
  ...correctionOf(fixes.get(row.n) ?? []),
  tries: row.tries,
  updated_at: isoTime(row.updatedAt),
  ...pricesOf({ ...row, plannedCost: row.estimate }, rates),
  planned_cost: row.estimate,
  cost: row.cost ?? null,
});

/** Returns who must act, as triage says it: by the code of the failure, where it has one. */
function actorOf({ state, code }: PayRow): string | null {
  const known = state === 'in_error' && code !== undefined ? codeInfo(code) : undefined;
  const info = known && categoryInfo(known.category);
  return info ? whoActs(info) : (ACTS[state] ?? null);
}

const ACTS: Readonly<Record<string, string>> = byWord({
  in_error: 'you: edit or cancel the recipient',
  unknown: 'you: settle the run',
  sending: 'you: settle the run',
  conflict: 'you: another payment has its external id, look which is right',
  refused: 'you: correct the row, pay it in a new run',
});

export const shownForgetting = (
  candidate: Removable,
  outcome: ShownForgetting['outcome'],
): ShownForgetting => ({
  name: candidate.run.name,
  id: candidate.run.id,
  rows: candidate.run.rows,
  outcome: candidate.run.forgotten?.isOwed === false ? 'forgotten' : outcome,
  why: unendedWords(candidate) || null,
  last_change_at: isoTime(candidate.lastChange),
  forgotten_at: candidate.run.forgotten === undefined ? null : isoTime(candidate.run.forgotten.at),
});
