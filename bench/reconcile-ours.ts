/**
 * A ledger of so many rows, read from a CSV file and matched with as many records of the service, which come from a loop. Every hundredth
 * payment differs in some way. Prints what it found as JSON: `node reconcile-ours.mjs FILE ROWS`.
 */
import { createReadStream } from 'node:fs';
import { casesOf } from '../src/books/reconcile/cases.ts';
import { closePeriod, dayIn, monthPeriod } from '../src/books/reconcile/days.ts';
import { isDifference } from '../src/books/reconcile/endings.ts';
import { readLedger } from '../src/books/reconcile/ledger.ts';
import { match } from '../src/books/reconcile/match.ts';
import { type ServiceRecord, serviceSide } from '../src/books/reconcile/service.ts';
import { totalsOf } from '../src/books/reconcile/totals.ts';

const [file = '', count = '0'] = process.argv.slice(2);
const rows = Number(count);
const PAGE = 100;
const BEGAN = Date.UTC(2026, 9, 1);

const hex = (n: number, width: number): string => n.toString(16).padStart(width, '0');

function recordOf(i: number): ServiceRecord {
  const amount = { amount: `${20 + (i % 5_000)}.50`, currency: 'EUR' };
  return {
    id: `${hex(i, 8)}-aaaa-4bbb-8ccc-${hex(i, 12)}`,
    transactionId: `${hex(i, 8)}-dddd-4eee-8fff-${hex(i, 12)}`,
    transactionExternalId: i % 2 === 0 ? `wages-${i}` : undefined,
    reference: `salary ${i}`,
    requested: amount,
    input: amount,
    isIncoming: false,
    kind: i % 100 === 7 ? 'back' : 'paid',
    state: i % 100 === 7 ? 'refunded' : 'success',
    createdAt: BEGAN + (i % 30) * 86_400_000 + 43_200_000,
  };
}

async function* records(): AsyncGenerator<ServiceRecord[]> {
  for (let from = 0; from < rows; from += PAGE)
    yield Array.from({ length: Math.min(PAGE, rows - from) }, (_, i) => recordOf(from + i));
}

const dayOf = dayIn('Europe/Lisbon');
const left = await readLedger(createReadStream(file), {
  name: 'ledger.csv',
  map: {},
  decimalComma: false,
  currency: undefined,
  payments: undefined,
  dayOrder: undefined,
  dayOf,
});
const { side } = await serviceSide(records(), 'input', dayOf);
const matched = match(left, side);
const month = monthPeriod('2026-10', 'Europe/Lisbon');
closePeriod(matched, month);
let differences = 0;
for (const one of casesOf(matched, month, isDifference)) if (one.against !== '') differences++;
const totals = totalsOf(matched).length;
process.stdout.write(`${JSON.stringify({ rows: left.rows.length, differences, totals })}\n`);
