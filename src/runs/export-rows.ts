/**
 * The rest of a run, handed on to a file that is planned elsewhere; and taken back.
 *
 * If the process dies
 *   after the run is paused      nothing more is sent by it; the same command again goes on.
 *   after the file is there      its rows are still this run's. Paid by both, they have one external id each: the service refuses the second.
 *   while rows are closed        the same command again writes the same file, and closes the others.
 *   after they are closed        the run stays paused; `run` goes on with what is left of it.
 */

import { counted } from '../core/amount-words.ts';
import { type Problem, refuse, usage } from '../core/problem.ts';
import { byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { refuseRepeat } from './again.ts';
import { asItStands } from './fixed-row.ts';
import { keysPaid, type Left, type Remaining, remainingRows } from './remaining.ts';
import { rowsIn } from './rows-in.ts';
import type { PayRow, PayRun, PayRuns } from './store/port.ts';

export interface ExportWish {
  /** Its whole path. */
  file: string;
  refunded: boolean;
  confirmer: Confirmer;
  /** Writes the file whole (0600), on the disk when it resolves. False where something else has that name. */
  write: (rows: readonly Left[]) => Promise<boolean>;
}

/** @throws Problem where nothing is left, a row is unknown, the file is another one, or the user declined */
export async function exportRows(
  desk: Desk,
  payruns: PayRuns,
  run: PayRun,
  { file, refunded, confirmer, write }: ExportWish,
): Promise<Remaining> {
  const first = await remainingRows(desk, payruns, run, { refunded, file });
  if (first.left.length === 0)
    throw nothing(
      `no row of run "${run.name}" is left to hand on`,
      first.standing.length > 0 ? `the service has a payment of ${keyList(first.standing)}` : undefined,
    );
  const what = `hand on ${counted(first.left.length, 'row')} of run ${run.name} to ${file}: this run never sends ${first.left.length === 1 ? 'it' : 'them'}`;
  await authorizeWrite(desk, { effect: 'destructive', what: [what], confirm: byName(run.name) }, confirmer);
  // From here on no row of it is begun.
  const wasApproved = await payruns.move(run.id, ['approved'], 'paused', 'its rows are being handed on');
  try {
    const [now = run] = await payruns.find(run.account.baseUrl, run.id);
    const found = await remainingRows(desk, payruns, now, { refunded, file });
    if (!(await write(found.left))) throw isThere(file);
    const handed = await payruns.handOn(
      run.id,
      found.left.map(({ n, externalId }) => ({ n, as: externalId })),
      file,
    );
    await refuseOthers(payruns, run, { file, left: found.left, handed });
    return found;
  } finally {
    if (wasApproved) await payruns.move(run.id, ['paused'], 'approved');
  }
}

/** Refuses where the run was approved and begun meanwhile: then a row of the file is not this file's alone. */
async function refuseOthers(
  payruns: PayRuns,
  run: PayRun,
  { file, left, handed }: { file: string; left: readonly Left[]; handed: number },
): Promise<void> {
  if (handed === left.length) return;
  const ours = new Set<number>();
  for await (const page of rowsIn(payruns, run, ['handed_on']))
    for (const row of page) if (row.handed?.file === file) ours.add(row.n);
  const others = left.filter(({ n }) => !ours.has(n)).map(({ key }) => key);
  if (others.length === 0) return;
  throw refuse(
    'conflict',
    'rows_begun',
    `${keyList(others)} ${others.length === 1 ? 'was' : 'were'} begun by this run meanwhile, and ${others.length === 1 ? 'is' : 'are'} in the file too`,
    {
      hint: 'take these rows out of the file before you plan it; the others are handed on',
      note: 'the service takes each of their external ids once, so none is paid twice',
    },
  );
}

const isThere = (file: string): Problem =>
  usage(`${file} is there already, with something else in it`, 'name a file that is not there');

const nothing = (message: string, hint?: string): Problem =>
  refuse('conflict', 'nothing_left', message, { ...(hint && { hint }), note: 'nothing was changed' });

export const keyList = (keys: readonly string[]): string => {
  const more = keys.length > 10 ? `, and ${keys.length - 10} more` : '';
  return `${keys.length === 1 ? 'row' : 'rows'} ${keys.slice(0, 10).join(', ')}${more}`;
};

export interface TakenBack {
  rows: number;
  /** The service has a record of these: they stay handed on. */
  standing: string[];
}

/**
 * Rows of which the service has no record become what they were.
 * @param repeats names of runs that pay the same, and are to be paid as well
 * @throws Problem (check) where another run paid one of them under another external id, or may; what keeps the service from being asked
 */
export async function takeBack(
  desk: Desk,
  payruns: PayRuns,
  run: PayRun,
  { confirmer, repeats }: { confirmer: Confirmer; repeats: readonly string[] },
): Promise<TakenBack> {
  const rows: PayRow[] = [];
  for await (const page of rowsIn(payruns, run, ['handed_on'])) rows.push(...page);
  if (rows.length === 0) throw nothing(`no row of run "${run.name}" is handed on`);
  const standing = await keysPaid(desk, rows);
  const known = new Set(standing);
  const left = rows.filter(({ key }) => !known.has(key));
  const free = left.map(({ n }) => n);
  if (free.length === 0) return { rows: 0, standing };
  const again = () => refusePaidByOthers(desk, payruns, { run, rows: left, repeats });
  await again();
  const what = `take back ${counted(free.length, 'row')} of run ${run.name}: the file that ${free.length === 1 ? 'it was' : 'they were'} handed on to must not be paid any more`;
  const step = { effect: 'destructive' as const, what: [what], confirm: byName(run.name), again };
  await authorizeWrite(desk, step, confirmer);
  // Behind the answer the service is asked once more: the file may have been paid while the question stood.
  const paidSince = new Set(await keysPaid(desk, left));
  const back = left.filter(({ key }) => !paidSince.has(key)).map(({ n }) => n);
  return { rows: await payruns.takeBack(run.id, back), standing: [...standing, ...paidSince] };
}

/** Asks about runs that were planned after this one, by the order of the store: those before it were asked about when it was planned. */
async function refusePaidByOthers(
  desk: Desk,
  payruns: PayRuns,
  { run, rows, repeats }: { run: PayRun; rows: readonly PayRow[]; repeats: readonly string[] },
): Promise<void> {
  const { account, maker, windowSize } = run;
  const all = await payruns.list({ baseUrl: account.baseUrl, limit: Number.MAX_SAFE_INTEGER });
  const earlier = all.slice(all.findIndex(({ id }) => id === run.id)).map(({ name }) => name);
  const name = `${run.name}~back`;
  const draft = await payruns.draft({ name, account, maker, windowSize });
  try {
    for (const row of rows) {
      const same = row.handed?.from === 'refunded' ? undefined : await asItStands(desk, row);
      if (same) await draft.append([same]);
    }
    const { runs } = await draft.repeated(0);
    const allowed = [...repeats, ...earlier];
    await refuseRepeat(desk, payruns, {
      name,
      rows: rows.length,
      at: undefined,
      runs,
      allowed,
      isEach: true,
    });
  } finally {
    await draft.discard();
  }
}
