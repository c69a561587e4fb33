/** Holds a ledger against the service and against bank statements, each for itself. */

import { counted } from '../../core/amount-words.ts';
import { hint } from '../../core/next.ts';
import { interrupted, usage } from '../../core/problem.ts';
import type { Progress } from '../../core/progress.ts';
import { type Desk, note } from '../../payments/desk.ts';
import { wordsOfFile } from '../../tables/row.ts';
import type { AccountBalances } from './accounts.ts';
import { closePeriod, type DayPeriod, dayIn, dayPeriodOf, monthPeriod } from './days.ts';
import type { Matched } from './fates.ts';
import { type LedgerOptions, readLedger } from './ledger.ts';
import { match } from './match.ts';
import type { Rules } from './rules.ts';
import { type AmountKind, type DaySpan, type ServiceRecords, serviceSide } from './service.ts';
import type { Side, StatementBalance } from './side.ts';
import { readStatement, type Sums } from './statement.ts';
import { suggest } from './suggest.ts';

export interface ReconcileRequest {
  ledger: Omit<LedgerOptions, 'dayOf' | 'note' | 'columns'> & { bytes: AsyncIterable<Uint8Array> };
  /** Undefined: not against the service. */
  service: { by: AmountKind; records(span: DaySpan, progress: Progress): ServiceRecords } | undefined;
  statements: readonly { name: string; bytes: AsyncIterable<Uint8Array> }[];
  /** The treatment of a statement whose sums are wrong. */
  sums?: Sums | undefined;
  /** `2026-10`. */
  month: string | undefined;
  days: number;
  /** The rules that people keep about their ledger and their banks. */
  rules?: Rules | undefined;
}

export interface Reconciled {
  /** The time that was compared; undefined where the ledger has no dates. */
  period: DayPeriod | undefined;
  /** One for each that the ledger was held against; all statements of banks are one side. */
  found: readonly Matched[];
  /** The accounts of the bank. */
  accounts: readonly AccountBalances[];
}

/** @throws Problem where a side cannot be read whole */
export async function reconcile(desk: Desk, request: ReconcileRequest): Promise<Reconciled> {
  const { days, ledger, statements, service, rules } = request;
  const month = request.month === undefined ? undefined : monthPeriod(request.month, desk.zone);
  if (request.month !== undefined && month === undefined)
    throw usage(`${request.month} is not a month`, 'such as 2026-10');
  const dayOf = dayIn(desk.zone);
  return desk.working('reading the ledger', async (progress) => {
    const { bytes, ...options } = ledger;
    const left = await readLedger(untilStopped(desk, bytes), {
      ...{ ...options, dayOf, columns: rules?.columns },
      note: (words) => note(desk, words),
    });
    const period = month ?? periodOfLedger(left, desk.zone);
    const found: Matched[] = [];
    const against = (side: Side): Matched => {
      const matched = match(left, side, { days });
      closePeriod(matched, period);
      for (const words of suggest(matched, days, rules)) note(desk, words);
      found.push(matched);
      return matched;
    };
    if (service !== undefined) {
      progress.say('reading transactions');
      const records = service.records(spanOf(period, days), progress);
      const { side, without } = await serviceSide(records, service.by, dayOf);
      if (without > 0)
        note(
          desk,
          `${counted(without, 'payout')} of the service ${without === 1 ? 'has' : 'have'} no amount yet and were left out`,
        );
      against(side);
    }
    if (statements.length === 0) return { period, found, accounts: [] };
    const { bank, balances } = await bankSide(desk, request, progress);
    const { left: mine } = against(bank);
    const mates = new Map(
      mine.fates.flatMap(({ row, mate }) => (mate === undefined ? [] : [[row, mate.row]])),
    );
    const { bankAccounts } = await import('./accounts.ts');
    const { accounts, unassigned } = bankAccounts({ ledger: left, bank, mates, period, rules }, balances);
    if (unassigned > 0)
      note(
        desk,
        `${counted(unassigned, 'row')} of the ledger ${unassigned === 1 ? 'is' : 'are'} of no account of these banks, and ${unassigned === 1 ? 'counts' : 'count'} in no balance.`,
      );
    return { period, found, accounts };
  });
}

/** The movements of all statements: a row of the ledger may be in any of them. */
async function bankSide(
  desk: Desk,
  { statements, sums, ledger: { currency } }: ReconcileRequest,
  progress: Progress,
): Promise<{ bank: Side; balances: StatementBalance[] }> {
  const balances: StatementBalance[] = [];
  const names = statements.map(({ name }) => wordsOfFile(name));
  const bank: Side = { kind: 'statement', name: names.join(' and '), rows: [] };
  for (const { name, bytes } of statements) {
    progress.say(`reading ${name}`);
    await readStatement(untilStopped(desk, bytes), {
      ...{ name, sums, currency, side: bank, dayOf: dayIn(desk.zone) },
      note: (words) => note(desk, words),
      balance: (of) => balances.push(of),
    });
  }
  return { bank, balances };
}

async function* untilStopped({ signal }: Desk, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    if (signal.aborted) throw interrupted();
    yield piece;
  }
}

/** The days of the ledger, where no month was named. */
function periodOfLedger(ledger: Side, zone: string): DayPeriod | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { day } of ledger.rows) {
    if (day === undefined) continue;
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return first > last ? undefined : dayPeriodOf(first, last, zone);
}

/** Returns the time to read: so much around the period that a payment near an end finds its other half. */
function spanOf(period: DayPeriod | undefined, days: number): DaySpan {
  if (period === undefined)
    throw usage(
      'the ledger has no dates, so nobody can tell which time of the service it is about',
      hint`${{ give: 'month', value: '2026-10' }} says it, or ${{ give: 'map', value: 'date=NAME' }} names the column of the date`,
    );
  return { first: period.first - days - 1, last: period.last + days + 1, within: period };
}
