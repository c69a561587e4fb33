/** SQL about runs and rows that both engines share. */
import { type NewRow, type RowState, rowStatesThat } from './port.ts';
import { NEW_ROW_COLUMNS, rowValues } from './records.ts';

/** A run that an approval changes: planned, or rejected after it was approved. */
export const TO_BE_APPROVED = "(state = 'planned' OR (state = 'paused' AND rejection IS NOT NULL))";
/** SQL that says whether a run can be put on hold: its hold is looked at beside it. */
export const HOLDABLE = "state IN ('planned', 'approved', 'paused') AND forgotten_at IS NULL";
/** A run that may be signed or rejected. */
export const SIGNABLE = "state IN ('planned', 'approved', 'paused') AND forgotten_at IS NULL";

/** States of a row for which nothing was paid, or whose money is back. */
const MAY_BE_HANDED_ON: readonly RowState[] = ['planned', 'refused', 'cancelled', 'refunded'];
export const HANDABLE = MAY_BE_HANDED_ON.map((state) => `'${state}'`).join(', ');

/** SQL that says whether a row may be corrected. */
export const FIXABLE = `state IN (${rowStatesThat(({ fixable }) => fixable)
  .map((state) => `'${state}'`)
  .join(', ')})`;
/** Columns of a row that a correction sets, in the order of `fixedValues`. */
export const FIXED_COLUMNS = ['content', 'account', 'body', 'payee', 'person', 'holder'] as const;
export const fixedValues = (row: NewRow): (string | number | bigint | null)[] => {
  const values = rowValues(row);
  return FIXED_COLUMNS.map((name) => values[NEW_ROW_COLUMNS.indexOf(name)] ?? null);
};

/** Columns of a row whose payee is another one by now. */
export const REDIRECTED_COLUMNS = ['payee', 'account', 'person', 'elsewhere'] as const;

/** Replaces the print of an account: none is below 0, so a row that was forgotten is like no other. */
export const NO_PRINT = -1;
/** Columns of a row without the person that it is about. */
export const EMPTIED = `body = '', content = '', account = ${NO_PRINT}, why = NULL, payee = NULL, person = NULL,
  holder = NULL, stands = NULL, elsewhere = NULL`;
/** SQL for the service's reason, which is left out for a row that was forgotten: it may name a person. */
export const keptWhy = (why: string): string => `CASE WHEN account = ${NO_PRINT} THEN NULL ELSE ${why} END`;
/** Rows that are emptied in one transaction. */
export const EMPTIED_AT_ONCE = 1000;
/** Values of `forget_owed`: the work that is still to be done for a run that was marked as forgotten. */
export const OWED = { rows: 2, bytes: 1 } as const;
