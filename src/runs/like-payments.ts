/**
 * Rows that pay what another payment paid, made by hand, by an agent or elsewhere: a plan asks about each, and a run sets aside those that came
 * since. What another run of this store paid is asked about in `again.ts`.
 */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { counted } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import { interrupted, type Problem, refuse } from '../core/problem.ts';
import { type Desk, note } from '../payments/desk.ts';
import type { Confirmer } from '../payments/gate.ts';
import { LikenessIndex } from '../payments/likeness.ts';
import {
  ALIKE_MS,
  alikeAmong,
  alikeWords,
  type FoundAlike,
  type RecentPayments,
  recentPayments,
  type Similar,
  unreadLines,
} from '../payments/recent-payments.ts';
import { isOfRun, type Plan, type PlannedAlike } from './plan-text.ts';
import { rowsIn } from './rows-in.ts';
import type { PayRow, PayRuns } from './store/port.ts';

/** Payments that are named. */
const NAMED = 20;

interface Indexed {
  index: LikenessIndex;
  /** External ids of the rows. */
  own: Set<string>;
}

export async function indexRows(payruns: PayRuns, id: string, indexed: Indexed): Promise<void> {
  for await (const rows of rowsIn(payruns, { id })) for (const row of rows) addRow(row, indexed);
}

function addRow({ key, externalId, handed, body }: PayRow, { index, own }: Indexed): void {
  own.add(handed?.as ?? externalId);
  own.add(externalId);
  const { recipients = [] } = body === '' ? {} : (JSON.parse(body) as Partial<TransactionWrite>);
  for (const one of recipients) index.add(key, one);
}

export interface AlikeAsk {
  /** The draft, whose rows can be read. */
  id: string;
  /** Names of runs, payments and references that the rows are not the same as. */
  repeats: readonly string[];
  confirmer: Confirmer;
  /** Decides in place of the user at the terminal; hears of none too. @throws to end the plan */
  judgeAlike?: ((found: readonly FoundAlike[]) => Promise<void>) | undefined;
}

/** @throws Problem (check) where nobody answers for rows that may be paid already, (interrupted) for a no */
export async function askAlike(desk: Desk, payruns: PayRuns, ask: AlikeAsk): Promise<PlannedAlike> {
  const indexed = { index: new LikenessIndex(), own: new Set<string>() };
  await indexRows(payruns, ask.id, indexed);
  const recent = await recentPayments(desk);
  const all = await byOthers(desk, payruns, alikeAmong(recent, indexed.index, isOther(indexed.own)));
  const found = all.filter((one) => !ask.repeats.some((name) => isNamedBy(one, name)));
  if (ask.judgeAlike !== undefined) await ask.judgeAlike(found);
  else if (found.length > 0) await confirmAlike(desk, found, ask.confirmer);
  const unread = unreadLines(recent);
  return {
    rows: new Set(all.flatMap(({ keys }) => keys)).size,
    first: all.slice(0, NAMED).map(({ keys, id }) => ({ key: keys[0] ?? '', id })),
    ...(unread.length > 0 && { unread }),
  };
}

const isOther =
  (own: ReadonlySet<string>) =>
  ({ from, reference = '' }: Similar): boolean =>
    from !== 'row' && !own.has(reference);

const isNamedBy = ({ id, reference = '' }: Similar, name: string): boolean =>
  name === id || name === reference || isOfRun(name, reference);

/** Leaves out what runs of this store pay. */
async function byOthers(desk: Desk, payruns: PayRuns, found: FoundAlike[]): Promise<FoundAlike[]> {
  if (found.length === 0) return found;
  const { baseUrl } = await desk.connection();
  const since = (await payruns.now()) - ALIKE_MS;
  const rows = new Set<string>();
  for (const run of await payruns.list({ baseUrl, limit: Number.MAX_SAFE_INTEGER }))
    if ((await payruns.lastChange(run.id)) >= since)
      for await (const page of rowsIn(payruns, run)) for (const { externalId } of page) rows.add(externalId);
  return found.filter(({ reference = '' }) => !rows.has(reference));
}

async function confirmAlike(desk: Desk, found: readonly FoundAlike[], confirmer: Confirmer): Promise<void> {
  const rows = new Set(found.flatMap(({ keys }) => keys));
  const pay = `${counted(rows.size, 'row')} ${rows.size === 1 ? 'pays' : 'pay'} the same account the same amount as another payment of the last 7 days`;
  const named = found.slice(0, NAMED);
  if (confirmer.isAttended) {
    for (const one of named)
      desk.hear({ says: `  ${one.keys.join(', ')}: ${alikeWords(one)}`, as: 'warning' });
    const said = `${pay}. Are they to be paid again?`;
    if (await confirmer.confirm({ about: 'word', said, word: String(rows.size) })) return;
    throw interrupted();
  }
  throw paidAlready(pay, named);
}

function paidAlready(pay: string, named: readonly FoundAlike[]): Problem {
  const [first] = named;
  const next: Hint = hint`take these rows out of the file; if they are to be paid again, name each payment: ${{ give: 'repeat', value: first?.id ?? '' }}`;
  return refuse('check', 'rows_alike', pay, {
    hint: next,
    fields: named.map((one) => ({ path: one.keys.join(', '), words: [`may be ${alikeWords(one)}`] })),
    note: 'nothing was kept, and nothing was sent',
  });
}

/** The payments that each plan in memory was compared with: they are read once for all windows of a run. */
const sincePlans = new WeakMap<Plan, Promise<RecentPayments>>();

async function readSince(desk: Desk, { at, alike }: Plan): Promise<RecentPayments> {
  // What was paid before the plan was asked about by it; where it asked nothing, the last days count.
  const recent = await recentPayments(desk, alike && at);
  for (const says of unreadLines(recent)) note(desk, says);
  const known = new Set(alike?.first.map(({ id }) => id));
  return { ...recent, all: recent.all.filter(({ id }) => !known.has(id)) };
}

/** Returns which of these rows another payment paid by now, of those that came since the run was planned. */
export async function paidSince(
  desk: Desk,
  payruns: PayRuns,
  { plan, rows }: { plan: Plan; rows: readonly PayRow[] },
): Promise<PayRow[]> {
  const recent = sincePlans.get(plan) ?? readSince(desk, plan);
  sincePlans.set(plan, recent);
  const indexed = { index: new LikenessIndex(), own: new Set<string>() };
  for (const row of rows) addRow(row, indexed);
  const found = await byOthers(desk, payruns, alikeAmong(await recent, indexed.index, isOther(indexed.own)));
  const keys = new Set(found.flatMap((one) => one.keys));
  return rows.filter(({ key }) => keys.has(key));
}
