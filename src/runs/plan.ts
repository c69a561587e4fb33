/**
 * A plan is data (docs/pay-runs.md): the rows of a file as they will be sent, what they come to by currency and corridor, the
 * rates of the moment, ceilings, and a digest over all of that. Nothing is sent by it.
 *
 * If the process dies while a plan is made: a hidden draft stays; the next plan of that name removes it.
 */

import { firstKeyOf, keyLast4 } from '../core/account.ts';
import { type Decimal, sub } from '../core/money.ts';
import { usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { type Confirmer, noConfirmer } from '../payments/gate.ts';
import { serviceDate } from '../payments/service-time.ts';
import { accountOf } from '../profiles/connection.ts';
import type { Fault } from '../tables/row.ts';
import { refuseRepeat } from './again.ts';
import { refuseAltered } from './altered.ts';
import type { FoundPaid } from './ask-before.ts';
import { balancesOf } from './balance.ts';
import type { CheckedBatch } from './files/check.ts';
import { Filling, MOST_FAULTS_KEPT, WINDOW } from './filling.ts';
import { refuseForgottenRun } from './forgotten.ts';
import { type AlikeAsk, askAlike } from './like-payments.ts';
import { acceptPaidBefore, refuseOtherNumber } from './paid-before.ts';
import {
  acceptChanged,
  comparePayees,
  payeeLines,
  type ShownChange,
  shownChange,
  showPayees,
  showPayeesOf,
} from './payees.ts';
import {
  ceilingsOf,
  nameTaken,
  refuseOtherLimits,
  refuseOtherMoment,
  refuseTolerance,
} from './plan-limits.ts';
import { digestOf, type NotBefore, type Plan, type PlanTotal, planOf } from './plan-text.ts';
import type { PayRun, PayRuns, RunDraft } from './store/port.ts';
import type { PayStore } from './terms.ts';

export interface PlanWish {
  name: string;
  rows: AsyncIterable<CheckedBatch>;
  maxInput: Readonly<Record<string, Decimal>>;
  tolerance: Decimal;
  /** The number of rows that were paid before, given by a user who knows it. */
  acceptPaidBefore?: number | undefined;
  /** Read after the last row: the file may say it. */
  notBefore?: () => NotBefore | undefined;
  /** How many payees are not as before, given by a user who knows it. */
  acceptChanged?: number | undefined;
  /** Returns that number, where it was not given and the user judged each of them. Not asked where none is changed, or too many to be judged. */
  askChanged?: (payees: readonly ShownChange[]) => number | undefined;
  /** First payments, and those of far more than usual, count as well. */
  isStrict?: boolean;
  /** Asked about changed payees. */
  confirmer?: Confirmer;
  /** The service is not asked which rows are paid already. */
  isUnasked?: boolean;
  /** Names of earlier runs, and ids of payments, that are to be paid again, though it is soon. */
  repeats: readonly string[];
  judgeAlike?: AlikeAsk['judgeAlike'];
  /** Asked where no ceiling is given for a currency. @throws without a user to ask */
  askCeiling: (totals: readonly PlanTotal[]) => Promise<Readonly<Record<string, Decimal>>>;
}

export interface Planned {
  run: PayRun;
  plan: Plan;
  /** It was planned before, with the same rows. */
  stood: boolean;
  /** Amounts that the service rounds. */
  roundings: string[];
  balances: readonly { currency: string; before: Decimal | null; after: Decimal | null }[];
}

export type PlanEnd =
  | { kind: 'planned'; planned: Planned }
  | { kind: 'faults'; faults: Fault[]; rows: number };

/** The time for which a payment to the same account with the same amount is worth a warning. */
const REPEATED_MS = 35 * 24 * 3_600_000;
/** @param at the time that it is now, by the service */
export const repeatedSince = ({ clock }: Desk, at: number | undefined): number =>
  Math.min(clock.now(), at ?? 0) - REPEATED_MS;
/** The share by which a row may cost more than planned, by default: half a per cent. */
export const TOLERANCE: Decimal = '0.005';
/** Changed payees that a user can look at one by one. */
const MOST_JUDGED = 200;
/** A name goes into the external ids of its rows. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @throws Problem where the name is taken by other rows, or where the service cannot be asked */
export async function planRun(desk: Desk, store: PayStore, wish: PlanWish): Promise<PlanEnd> {
  if (!NAME.test(wish.name))
    throw usage(
      `"${wish.name}" is no name for a run`,
      'letters, digits, dot, dash and underscore, at most 64: such as wages-2026-11',
    );
  const { baseUrl, environment, name: profile, credentials, limits } = await desk.connection();
  refuseTolerance(profile, limits, wish.tolerance);
  const draft = await store.payruns.draft({
    name: wish.name,
    account: { baseUrl, environment, profile, keyLast4: keyLast4(credentials.key) },
    maker: desk.by.user,
    windowSize: WINDOW,
  });
  try {
    return await fill(desk, store, draft, wish);
  } catch (error) {
    await draft.discard().catch(() => {});
    throw error;
  }
}

/** The run was planned before. @throws Problem where it is not the same */
async function acceptStanding(
  payruns: PayRuns,
  { run, differs }: { run: PayRun; differs: readonly string[] },
  { plan, wish }: { plan: Plan; wish: PlanWish },
): Promise<void> {
  refuseForgottenRun(run);
  if (differs.length > 0) throw nameTaken(run, differs);
  refuseOtherLimits(run, planOf(run), plan);
  refuseOtherMoment(run, planOf(run), wish.notBefore?.());
  await refuseAltered(payruns, run);
  // A number that is given and passed over would be believed.
  if (wish.acceptChanged !== undefined)
    await acceptChanged(planOf(run), { given: wish.acceptChanged, confirmer: noConfirmer });
  if (wish.acceptPaidBefore !== undefined) await acceptPaidBefore(payruns, run, wish.acceptPaidBefore);
}

async function fill(desk: Desk, store: PayStore, draft: RunDraft, wish: PlanWish): Promise<PlanEnd> {
  const { payruns } = store;
  const filling = new Filling(desk, wish.name);
  for await (const { payments, faults } of wish.rows) {
    filling.faulty(faults);
    const rows = await filling.rowsOf(payments);
    if (filling.faults.length === 0 && rows.length > 0) await draft.append(rows);
  }
  if (filling.faults.length > 0) {
    await draft.discard();
    return { kind: 'faults', faults: filling.faults.slice(0, MOST_FAULTS_KEPT), rows: filling.count };
  }
  if (filling.count === 0) throw usage('the file has no rows', 'a header alone pays nobody: fill it in');
  const connection = await desk.connection();
  const { baseUrl, limits } = connection;
  const known = (await payruns.find(baseUrl, wish.name)).find(({ name }) => name === wish.name);
  // The rows of a known run say what became of them.
  const asked = known === undefined ? await askedBefore(desk, payruns, { draft, wish, filling }) : undefined;
  if (asked !== undefined && asked.faults.length > 0) {
    await draft.discard();
    return { kind: 'faults', faults: asked.faults.slice(0, MOST_FAULTS_KEPT), rows: filling.count };
  }
  // Rows that were paid before are in no total of it.
  const totals = known === undefined ? filling.totals.list() : planOf(known).totals;
  const at = await serviceDate(desk);
  const { runs, ...repeated } = await draft.repeated(repeatedSince(desk, at));
  const { name, repeats: allowed } = wish;
  await refuseRepeat(desk, payruns, { name, rows: filling.count, at, runs, allowed });
  const alike = known === undefined ? await alikeIn(desk, payruns, { draft, wish }) : undefined;
  const ceilings = await ceilingsOf(wish, totals);
  const plan: Plan = {
    version: 1,
    windows: filling.windows(),
    totals,
    rates: filling.rates,
    ceilings,
    tolerance: wish.tolerance,
    ...laterOnly(wish.notBefore?.(), at),
    ...foundMembers(asked),
    ...(wish.isUnasked && { unasked: true }),
    ...(at !== undefined && { at }),
    repeated,
    ...(alike && { alike }),
    planner: firstKeyOf(accountOf(connection), await store.intents.joins()).keyPrint,
    ...(limits.two_person && { twoPerson: true }),
  };
  if (known === undefined) plan.payees = await payeesIn(desk, payruns, { draft, wish, plan });
  const ended = await draft.finish({
    digest: digestOf(plan, baseUrl, wish.name),
    plan: JSON.stringify(plan),
  });
  if (ended.kind === 'stands') {
    await acceptStanding(payruns, ended, { plan, wish });
    await showPayeesOf(desk, payruns, ended.run);
  }
  const kept = planOf(ended.run);
  return {
    kind: 'planned',
    planned: {
      run: ended.run,
      plan: kept,
      stood: ended.kind === 'stands',
      roundings: filling.roundings,
      balances: await balancesOf(desk, costsToPay(kept)),
    },
  };
}

/** Undefined where it was not wanted. @throws Problem (check) */
const alikeIn = async (
  desk: Desk,
  payruns: PayRuns,
  { draft, wish }: { draft: RunDraft; wish: PlanWish },
): Promise<Plan['alike']> =>
  wish.isUnasked
    ? undefined
    : askAlike(desk, payruns, { ...wish, id: await draft.keep(), confirmer: wish.confirmer ?? noConfirmer });

/** Shown before everything else of a plan. @throws Problem (check) where no user answers for those that changed */
async function payeesIn(
  desk: Desk,
  payruns: PayRuns,
  { draft, wish, plan }: { draft: RunDraft; wish: PlanWish; plan: Plan },
): Promise<NonNullable<Plan['payees']>> {
  const { baseUrl } = await desk.connection();
  const id = await draft.keep();
  const compared = await comparePayees(desk, payruns, { draft, id });
  const payees = { ...compared, ...(wish.isStrict && { isStrict: true as const }) };
  const run = { id, account: { baseUrl } };
  const lines = await payeeLines(desk, payruns, run, { ...plan, payees });
  showPayees(desk, lines);
  const { askChanged, acceptChanged: said } = wish;
  const { changed } = payees;
  const isAsked = askChanged !== undefined && changed.length > 0 && changed.length <= MOST_JUDGED;
  const all = isAsked
    ? await Promise.all(changed.map((one) => shownChange(desk, payruns, { run, one })))
    : [];
  const given = said ?? (isAsked ? askChanged(all) : undefined);
  await acceptChanged({ payees }, { given, confirmer: wish.confirmer ?? noConfirmer });
  return payees;
}

/** Undefined where it was not wanted. @throws Problem (check) */
async function askedBefore(
  desk: Desk,
  payruns: PayRuns,
  { draft, wish, filling }: { draft: RunDraft; wish: PlanWish; filling: Filling },
): Promise<FoundPaid | undefined> {
  const { name, acceptPaidBefore: number } = wish;
  const asked = wish.isUnasked
    ? undefined
    : await (await import('./ask-before.ts')).askBefore(desk, payruns, {
        id: await draft.keep(),
        name,
        filling,
      });
  if (asked === undefined || asked.faults.length === 0)
    refuseOtherNumber(
      { name },
      { said: number, rows: asked?.before.rows ?? 0, named: asked?.before.named ?? [] },
    );
  return asked;
}

/** A moment that has come by the service's clock, or by ours where it does not say, holds nothing up. */
const laterOnly = (notBefore: NotBefore | undefined, at: number | undefined): Pick<Plan, 'notBefore'> =>
  notBefore === undefined || (at !== undefined && notBefore.at <= at) ? {} : { notBefore };

function foundMembers(asked: FoundPaid | undefined): Pick<Plan, 'before' | 'elsewhere'> {
  if (asked === undefined) return {};
  const { before, elsewhere } = asked;
  return {
    ...(before.rows > 0 && { before: { rows: before.rows, costs: before.costs } }),
    ...(elsewhere.rows > 0 && { elsewhere }),
  };
}

/** Returns the costs that still leave the balance. */
function costsToPay({ totals, elsewhere }: Plan): { inputCurrency: string; estimate: Decimal }[] {
  const paid = Object.entries(elsewhere?.costs ?? {}).map(([inputCurrency, cost]) => ({
    inputCurrency,
    estimate: sub('0', cost),
  }));
  return [...totals, ...paid];
}
