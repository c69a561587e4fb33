/**
 * The service's side as its own monthly reports have it: they are read as they come and kept nowhere. Which columns they have is
 * printed nowhere; what is read here is what the sandbox writes (its assumption `report-columns`), by names and not by places.
 */

import { firstSight } from '../../client/pages.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { isDecimal } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { interrupted, notFound, Problem, refuse } from '../../core/problem.ts';
import type { Progress } from '../../core/progress.ts';
import { type Desk, note } from '../../payments/desk.ts';
import { readCsv } from '../../tables/csv.ts';
import { type FileRow, isFault } from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import { downloadReport } from '../reports/download.ts';
import { fetchReports, type MonthlyReport } from '../reports/list.ts';
import { isMonthOver, monthsOf } from '../reports/months.ts';
import { type DaySpan, type ServiceRecord, serviceRecords, spanMs } from './service.ts';

/**
 * The reports that the time needs. Some of the months around it may not have a report: an account has a first
 * month.
 */
interface Needed {
  reports: readonly MonthlyReport[];
  /** Months around the time without a report. */
  missing: readonly string[];
}

const DAY_MS = 86_400_000;

/** @throws Problem where a month that is compared has no report, or one cannot be read whole */
export async function* reportedRecords(
  desk: Desk,
  span: DaySpan,
  progress?: Progress,
): AsyncGenerator<readonly ServiceRecord[]> {
  const { reports, missing } = await neededReports(desk, span);
  const isNew = firstSight<ServiceRecord>();
  let read = 0;
  for (const report of reports) {
    const name = `the service's report of ${report.month}`;
    progress?.say(`reading ${name}`);
    for await (const records of recordsIn(await downloadReport(desk, report.path), name)) {
      if (desk.signal.aborted) throw interrupted();
      read += records.length;
      progress?.tell(read);
      yield records.filter(isNew);
    }
  }
  await sayWhich(desk, reports, missing);
}

async function neededReports(desk: Desk, span: DaySpan): Promise<Needed> {
  const { from, to } = spanMs(span);
  const compared = monthsOf(span.within.first * DAY_MS, span.within.last * DAY_MS);
  const all = await fetchReports(desk, { type: 'transaction' });
  const { environment } = await desk.connection();
  const reports: MonthlyReport[] = [];
  const missing: string[] = [];
  for (const month of monthsOf(from, to - 1)) {
    const report = reportFor(all, month, environment === 'sandbox' ? 'test' : 'live');
    if (report !== undefined) reports.push(report);
    else if (compared.includes(month)) throw noReport(month, all);
    else missing.push(month);
  }
  return { reports, missing };
}

/** An account may have reports of both environments: those of the other one are not meant. */
function reportFor(
  all: readonly MonthlyReport[],
  month: string,
  ours: NonNullable<MonthlyReport['environment']>,
): MonthlyReport | undefined {
  const found = all.filter((one) => one.month === month && (one.environment ?? ours) === ours);
  if (found.length < 2) return found[0];
  throw refuse(
    'server',
    'several_reports',
    `the service has ${found.length} transaction reports for ${month}: ${found.map(({ path }) => path).join(', ')}`,
    { hint: 'compare with the service itself or with the books' },
  );
}

function noReport(month: string, all: readonly MonthlyReport[]): Problem {
  const months = [...new Set(all.flatMap((one) => one.month ?? []))];
  const [newest] = months;
  const span = newest === undefined ? '' : `; there are those from ${months.at(-1)} to ${newest}`;
  return notFound(
    `the service has no transaction report for ${month}${span}`,
    hint`${'`'}${{ do: 'list_reports' }}${'`'} lists all that there are`,
  );
}

async function sayWhich(
  desk: Desk,
  reports: readonly MonthlyReport[],
  missing: readonly string[],
): Promise<void> {
  const months = reports.flatMap(({ month }) => month ?? []);
  note(desk, `The service is taken from its reports of ${months.join(', ')}.`);
  const last = months.at(-1);
  if (last !== undefined && !(await isMonthOver(desk, last)))
    note(desk, `${last} is not over (UTC): the rest of the month is not in this report yet.`);
  if (missing.length > 0)
    note(
      desk,
      `There is no report for ${missing.join(', ')}: what was made then and booked in this time is shown as only in the ledger.`,
    );
}

/** Without these a payout cannot be told from another, or has no amount. */
const NEEDED = [
  'transaction_id',
  'created_at',
  'transaction_state',
  'recipient_id',
  'recipient_state',
  'input_currency',
  'input_amount',
];
const READ = [...NEEDED, 'external_id', 'funded_at', 'payout_type', 'output_currency', 'output_amount'];

/** @throws Problem (server) where any row cannot be read: half a report agrees with nothing */
async function* recordsIn(bytes: Uint8Array, name: string): AsyncGenerator<ServiceRecord[]> {
  try {
    const header = (record: readonly string[]): (string | null)[] => {
      const lacks = NEEDED.filter((column) => !record.includes(column));
      if (lacks.length > 0) throw unreadable(`${name} has no column ${lacks.join(', ')}`);
      return record.map((column) => (READ.includes(column) ? column : null));
    };
    for await (const batch of readCsv(utf8Pieces(whole(bytes), name), { name, header }))
      yield batch.flatMap((row) => {
        if (isFault(row)) throw unreadable(`${name}: ${row.at ?? 'a row'} ${row.words}`);
        return serviceRecords(transactionOf(row, name));
      });
  } catch (error) {
    if (!(error instanceof Problem) || error.facts.category !== 'usage') throw error;
    // A month in which nothing was paid has a report too.
    if (error.facts.code !== 'no_rows') throw unreadable(error.message);
  }
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const unreadable = (message: string): Problem =>
  refuse('server', 'unreadable_report', message, {
    hint: 'nothing was compared; compare with the service itself or with the books',
  });

/** Returns the transaction as the list of transactions would say it, as far as the report does. */
function transactionOf({ at, cells }: FileRow, name: string): Transaction {
  const wrong = (words: string): Problem => unreadable(`${name}: ${at} ${words}`);
  for (const column of NEEDED)
    if (cells[column] === undefined && !column.startsWith('input_')) throw wrong(`has no ${column}`);
  for (const column of ['input_amount', 'output_amount'])
    if (cells[column] !== undefined && !isDecimal(cells[column])) throw wrong(`has no decimal in ${column}`);
  if (Number.isNaN(Date.parse(cells.created_at ?? ''))) throw wrong('has no time in created_at');
  return {
    id: cells.transaction_id,
    external_id: cells.external_id,
    state: cells.transaction_state,
    created_at: cells.created_at,
    paid_amount: cells.funded_at === undefined ? '0' : cells.input_amount,
    recipients: [
      {
        id: cells.recipient_id,
        state: cells.recipient_state,
        created_at: cells.created_at,
        input_amount: cells.input_amount,
        input_currency: cells.input_currency,
        // The report lacks the amount that was asked for: in the currency that arrives it is the one that arrives.
        requested_amount: cells.output_amount,
        requested_currency: cells.output_currency,
        payout_method: { type: cells.payout_type },
      },
    ],
  } as Transaction;
}
