/**
 * Rows that are asked about again before they are sent: whom they pay was compared with earlier payments when the run was planned, and other runs
 * paid since. A row that pays another account than its payee was paid at by now, or what another payment paid by now, is set aside: this run does
 * not send it, it needs a person, and the others are paid as approved.
 *
 * If the process dies before rows are set aside, they are planned as before, and the next window asks again; after it, they stay aside.
 */

import type { Desk } from '../payments/desk.ts';
import { note } from '../payments/desk.ts';
import { refuseAlteredWindow } from './altered.ts';
import { paidSince } from './like-payments.ts';
import type { Plan } from './plan-text.ts';
import type { PayRow, PayRun, PayRuns } from './store/port.ts';

/** Returns the rows of a window as they may be sent. @throws Problem (check) where they are not as planned */
export async function rowsOfWindow(
  desk: Desk,
  payruns: PayRuns,
  { run, plan, window, isSettled }: { run: PayRun; plan: Plan; window: number; isSettled: boolean },
): Promise<PayRow[]> {
  // One more than there may be: a row that was put between them is seen.
  const rows = await payruns.rows(run.id, { window, limit: run.windowSize + 1 });
  await refuseAlteredWindow(payruns, { run, plan, window, rows });
  const unsent = rows.filter(({ state, tries }) => state === 'planned' && tries === 0);
  if (isSettled || unsent.length === 0) return rows;
  const changed = await changedSince(payruns, { run, plan, rows: unsent });
  const paid = await paidSince(desk, payruns, { plan, rows: unsent });
  if (changed.length + paid.length === 0) return rows;
  await setAside(desk, payruns, { run, rows: changed, ...CHANGED });
  await setAside(desk, payruns, { run, rows: paid.filter((row) => !changed.includes(row)), ...PAID });
  return payruns.rows(run.id, { window, limit: run.windowSize + 1 });
}

const CHANGED = {
  code: 'payee_changed',
  why: 'its payee was paid at another account since the run was planned, or the account as another payee',
};
const PAID = {
  code: 'paid_alike',
  why: 'its account was paid the same amount by another payment since the run was planned',
};

async function setAside(
  desk: Desk,
  payruns: PayRuns,
  { run, rows, code, why }: { run: PayRun; rows: readonly PayRow[]; code: string; why: string },
): Promise<void> {
  if (rows.length === 0) return;
  const seen = rows.map(({ externalId }) => ({ externalId, news: { state: 'refused', code, why } as const }));
  // Only what is still planned: another process may have begun a row, or a person cancelled it.
  await payruns.observe(run.id, seen, (from) => from === 'planned');
  note(desk, `set aside: ${rows.map(({ key }) => key).join(', ')}: ${why}`);
}

async function changedSince(
  payruns: PayRuns,
  { run, plan, rows }: { run: PayRun; plan: Plan; rows: readonly PayRow[] },
): Promise<PayRow[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  // A plan of an earlier version compared nothing.
  if (plan.payees === undefined || first === undefined || last === undefined) return [];
  const known = new Set(plan.payees.changed.map(({ n }) => n));
  const { changed } = await payruns.payees(run, first.n, last.n);
  const fresh = new Set(changed.map(({ n }) => n).filter((n) => !known.has(n)));
  return rows.filter(({ n }) => fresh.has(n));
}
