/** The state of a row after its intent is closed, or after the service is heard of it: the same in every store. */

import type { IntentClosing, IntentState } from '../../client/store/port.ts';
import { invariant } from '../../core/invariants.ts';
import { type RowNews, type RowState, rowStatesThat } from './port.ts';
import type { RowProgress } from './records.ts';
import { afterShown } from './standing.ts';

/** States under way, or of unknown outcome. */
export const UNDER_WAY = rowStatesThat(({ unsure }) => unsure);
/** A worker has something to do for it. */
export const TO_DO = rowStatesThat(({ open }) => open);

/** States of a row for which nothing of ours was applied. */
const NOT_OURS: readonly RowState[] = ['refused', 'conflict', 'handed_on'];

export interface Closed {
  intentId: string;
  /** The outcome that the caller gives. */
  closing: IntentClosing;
  /** How the intent stands afterwards: an outcome that was known already is never changed. */
  standing: IntentState;
  news: RowNews;
  /** The fence is the window's. */
  isHolder: boolean;
}

/**
 * True where the caller may write this outcome. Any process may record `applied`; only the holder of the window
 * writes any other.
 */
export const mayClose = (closing: IntentClosing, isHolder: boolean): boolean =>
  isHolder || closing.state === 'applied';

/** The same object where nothing changes. */
export function afterClosing(row: RowProgress, closed: Closed): RowProgress {
  const { intentId, closing, standing, news, isHolder } = closed;
  if (closing.state === 'applied') return afterApplied(row, intentId, news);
  if (!isHolder || row.intentId !== intentId || !UNDER_WAY.includes(row.state)) return row;
  if (standing === 'applied') return afterApplied(row, intentId, {});
  return { ...row, ...idsOf(row, news), state: becomes(closed), code: news.code, why: news.why };
}

/** A row that was cancelled before anything was sent has no transaction: if one is there after all, that must be seen. */
const isBeforeCreation = ({ state, transactionId }: RowProgress): boolean =>
  TO_DO.includes(state) || NOT_OURS.includes(state) || (state === 'cancelled' && transactionId === undefined);

function afterApplied(row: RowProgress, intentId: string, news: RowNews): RowProgress {
  const { state = 'created' } = news;
  invariant(
    !TO_DO.includes(state) && !NOT_OURS.includes(state),
    'a row whose intent was applied has its transaction',
  );
  const ids = { ...idsOf(row, news), ...payeeOf(row, news) };
  if (isBeforeCreation(row))
    return { ...row, ...ids, state, intentId, code: news.code, why: news.why, found: news.found };
  const isNew = (Object.keys(ids) as (keyof typeof ids)[]).some((name) => ids[name] !== row[name]);
  return isNew ? { ...row, ...ids } : row;
}

/** Keeps the ids and amounts that were known first: a row has one transaction. */
const idsOf = (row: RowProgress, news: RowNews) => ({
  transactionId: row.transactionId ?? news.transactionId,
  recipientId: row.recipientId ?? news.recipientId,
  cost: row.cost ?? news.cost,
  arrives: row.arrives ?? news.arrives,
});

/** Whom the record shows, where that says something new. */
function payeeOf(
  row: RowProgress,
  { shown }: RowNews,
  onUnexplained?: (externalId: string) => void,
): Partial<Pick<RowProgress, 'stands' | 'redirected'>> {
  const after = afterShown(row, shown);
  if (after === 'unexplained') onUnexplained?.(row.externalId);
  return typeof after === 'object' ? after : {};
}

function becomes({ closing, standing, news }: Closed): RowState {
  if (standing === 'unknown') return 'unknown';
  if (standing === 'conflict') return 'conflict';
  invariant(standing === 'not_applied', 'what was closed is open no more');
  // Another process found out that it was not applied, and the one that closes it now does not know.
  if (closing.state !== 'not_applied') return 'planned';
  const { state } = news;
  invariant(
    state === 'planned' || state === 'refused',
    'a row that was not applied may be sent again, or was refused: its worker says which',
  );
  return state;
}

/** The same object where nothing changes, or what is heard may not be. */
export function afterHearing(
  row: RowProgress,
  news: RowNews,
  mayBecome: (from: RowState, to: RowState) => boolean,
  onUnexplained?: (externalId: string) => void,
): RowProgress {
  const { state = row.state } = news;
  const moves = state !== row.state;
  if (moves && !mayBecome(row.state, state)) return row;
  // The row never had a request of ours, so the payment is another's.
  const isAnothers = row.intentId === undefined && isBeforeCreation(row) && moves;
  const heard: RowProgress = {
    ...row,
    state,
    found: isAnothers ? news.found : row.found,
    transactionId: row.transactionId ?? news.transactionId,
    recipientId: row.recipientId ?? news.recipientId,
    cost: news.cost ?? row.cost,
    arrives: news.arrives ?? row.arrives,
    code: moves ? news.code : (news.code ?? row.code),
    why: moves ? news.why : (news.why ?? row.why),
    ...payeeOf(row, news, onUnexplained),
  };
  const differs = (Object.keys(heard) as (keyof RowProgress)[]).some((name) => heard[name] !== row[name]);
  return differs ? heard : row;
}
