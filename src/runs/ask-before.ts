/**
 * The service is asked which rows of a plan it has already. Rows that bring an id of their own are asked for
 * each. Ids that are made of the run's name and the key are new, unless the same run was planned in another
 * store: the first row of each window is asked for, and where one of them is there, every row. A payment that
 * is found is kept with the row, as it is heard of later.
 */

import type { PaymentFinder } from '../client/find-payment.ts';
import type { Desk } from '../payments/desk.ts';
import { type Fault, faultAt, type RowPlace } from '../tables/row.ts';
import { rowCosts } from './estimate.ts';
import { type Filling, Totals } from './filling.ts';
import { finder } from './finder.ts';
import { whoseIs } from './paid-before.ts';
import { type FoundRows, isOfRun } from './plan-text.ts';
import { askedOf } from './row-payment.ts';
import { type RowStatus, statusIn } from './row-status.ts';
import { rowsIn } from './rows-in.ts';
import { mayBecome } from './states.ts';
import type { PayRow, PayRuns, RowNews } from './store/port.ts';
import { conflictWords, endedWords, nextIdWords, unfundedWords } from './taken-id-words.ts';

/** Keys that are named. */
const NAMED = 10;

export interface FoundPaid {
  before: FoundRows & { named: readonly string[] };
  elsewhere: FoundRows;
  /** Rows that cannot be paid. */
  faults: Fault[];
}

/**
 * Takes the rows that were paid before from the totals.
 * @param id of the draft, whose rows are kept.
 * @throws CallError where the service cannot say
 */
export async function askBefore(
  desk: Desk,
  payruns: PayRuns,
  { id, name, filling }: { id: string; name: string; filling: Filling },
): Promise<FoundPaid> {
  const { brought, firsts, totals, count } = filling;
  const client = await desk.client();
  const isWanted = (externalId: string): boolean => brought.has(externalId) || isOfRun(name, externalId);
  let find = await finder(client, brought.size + firsts.length, isWanted);
  const isElsewhere = await isAnyThere(find, firsts);
  if (isElsewhere) find = await finder(client, count, isWanted);
  const [before, elsewhere, named, faults] = [new Totals(), new Totals(), [] as string[], [] as Fault[]];
  for await (const rows of isElsewhere || brought.size > 0 ? rowsIn(payruns, { id }) : []) {
    const seen: { externalId: string; news: RowNews }[] = [];
    for (const row of rows) {
      const { externalId, key } = row;
      if (!isElsewhere && !brought.has(externalId)) continue;
      const found = await find(externalId);
      if (found === undefined) continue;
      const status = statusIn(askedOf(row), found);
      const whose = whoseIs(name, row);
      const news = newsIn(status, whose);
      const cost = news?.cost ?? row.estimate;
      if (news !== undefined) seen.push({ externalId, news: { ...news, found: whose } });
      if (whose === 'elsewhere') {
        // A payment that is not paid there is looked into when the row is paid.
        if (news !== undefined) elsewhere.add({ ...row, estimate: cost });
      } else if (news === undefined) faults.push(faultOf(status, row, brought.get(externalId)));
      else {
        before.add({ ...row, estimate: cost });
        totals.take(row);
        if (named.length < NAMED) named.push(key);
      }
    }
    if (seen.length > 0) await payruns.observe(id, seen, mayBecome);
  }
  return { before: { ...foundIn(before), named }, elsewhere: foundIn(elsewhere), faults };
}

async function isAnyThere(find: PaymentFinder, externalIds: readonly string[]): Promise<boolean> {
  for (const externalId of externalIds) if ((await find(externalId)) !== undefined) return true;
  return false;
}

/** Returns the news to keep of a payment; undefined where the row was not paid by it. */
function newsIn(status: RowStatus, whose: 'before' | 'elsewhere'): RowNews | undefined {
  if (status.kind === 'paid') return status.news;
  return status.kind === 'ended' && whose === 'elsewhere' ? status.news : undefined;
}

function foundIn(totals: Totals): FoundRows {
  const list = totals.list();
  return { rows: list.reduce((all, { rows }) => all + rows, 0), costs: rowCosts(list) };
}

function faultOf(status: RowStatus, { n, externalId }: PayRow, place: RowPlace | undefined): Fault {
  const at = place ?? { n, at: `row ${n}` };
  const another = nextIdWords(externalId);
  switch (status.kind) {
    case 'conflict':
      return faultAt(at, 'external_id', 'external_id_taken', conflictWords(status.differences), another);
    case 'unfunded':
      return faultAt(at, 'external_id', 'external_id_unfunded', unfundedWords, 'fund it or cancel it');
    case 'ended':
    case 'paid':
      return faultAt(
        at,
        'external_id',
        'external_id_used_up',
        endedWords(status.kind === 'ended' ? status.how : 'paid'),
        another,
      );
  }
}
