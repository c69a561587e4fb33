/** A pay run as a plan of an agent. */
import { dayLines } from '../../payments/day-ceiling.ts';
import type { Desk } from '../../payments/desk.ts';
import { askedOf } from '../../runs/row-payment.ts';
import type { PayRow } from '../../runs/store/port.ts';
import { paidAlike, wishPayees } from '../prepared/alike.ts';
import { keep, type PreparedAs, planNames } from '../prepared/prepare.ts';
import type { Wish } from '../prepared/wish.ts';

/** A run of more rows is not compared with single payments: an answer names twenty of them. */
export const FEW_ROWS = 20;

/**
 * A run stands in its own store, planned: the plan names it.
 * @param rows all of them where they are few, else none
 */
export async function prepareRun(
  desk: Desk,
  { id, name, digest, rows }: { id: string; name: string; digest: string; rows: readonly PayRow[] },
  { by, summary, lines, given }: RunAbout,
): Promise<PreparedAs> {
  const asked = rows.map((row) => askedOf(row).transaction);
  const recipients = asked.flatMap((one) => one.recipients);
  const ids = asked.map((one) => one.external_id);
  const wish: Wish = { kind: 'run', runId: id, name, digest, recipients, ids };
  const notTheSameAs = await planNames(desk, given);
  const alike = await paidAlike(desk, wishPayees(wish), notTheSameAs);
  if (alike.length > 0) return { kind: 'alike', earlier: alike };
  return keep(desk, wish, { by, summary, notTheSameAs, lines: [...(await dayLines(desk)), ...lines] });
}

interface RunAbout {
  by: string;
  summary: string;
  lines: readonly string[];
  /** Ids of payments and plans that an agent said this run is not. */
  given: readonly string[];
}
