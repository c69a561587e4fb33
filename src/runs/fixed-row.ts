/** A row with another payee: checked by the rules of a file of payments, and in all else as it was. */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import { Problem, refuse, usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import type { Fault } from '../tables/row.ts';
import { withAccounts } from './files/accounts.ts';
import { checkRows } from './files/check.ts';
import { OWN_COLUMNS } from './files/columns.ts';
import type { FilePayment } from './files/payment.ts';
import { rowCells } from './files/write.ts';
import { contentOf } from './plan-text.ts';
import type { NewRow, PayRow } from './store/port.ts';

export interface RowCorrection {
  /** Payout details as they are to be; an empty one is taken out. */
  set: Readonly<Record<string, string>>;
  /** The account looks wrong by itself, and is meant. */
  isAsWritten: boolean;
  /** The bank is asked about the account. */
  isAsked: boolean;
}

/** The row as a file would bring it, with its new details, by the rules of such a file. @throws Problem (usage, validation) */
export async function checkedAgain(
  desk: Desk,
  row: PayRow,
  { set, isAsWritten, isAsked, notes }: RowCorrection & { notes: string[] },
): Promise<FilePayment> {
  const notDetails = Object.keys(set).filter(
    (name) => (OWN_COLUMNS as readonly string[]).includes(name) || name.includes('.'),
  );
  if (notDetails.length > 0)
    throw usage(
      `${notDetails.join(', ')}: a correction changes whom a row pays, and nothing else of it`,
      'another amount, currency or sender is another payment: cancel the row, and plan it in another run',
    );
  const cells = { ...rowCells({ ...row, body: JSON.parse(row.body) as TransactionWrite }), ...set };
  const given = Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''));
  const { environment } = await desk.connection();
  const rule = isAsWritten ? 'as_written' : environment === 'sandbox' ? 'sandbox' : 'refuse';
  const rows = checkRows(only([{ n: row.n, at: row.key, cells: given }]), {
    allowDuplicates: false,
    accounts: rule,
  });
  const remarks = {
    differ: (says: string) => notes.push(says),
    unchecked: (says: string) => notes.push(says),
  };
  for await (const { payments, faults, doubts } of isAsked ? withAccounts(desk, rows, remarks) : rows) {
    for (const { column, words } of doubts) notes.push(`${column} ${words}; it is taken as it is written`);
    const [payment] = payments;
    if (faults.length > 0 || payment === undefined) throw faulty(row, faults);
    return payment;
  }
  throw faulty(row, []);
}

async function* only<T>(one: T): AsyncGenerator<T> {
  yield one;
}

const faulty = ({ n, key }: PayRow, faults: readonly Fault[]): Problem =>
  refuse('validation', 'details_not_right', `row ${n} (${key}) would not be right`, {
    fields: faults.map(({ column, words, right }) => ({
      path: column ?? 'row',
      words: [right === undefined ? words : `${words}: ${right}`],
    })),
    note: 'nothing was changed, and nothing was sent',
  });

export const detailsIn = ({ body }: FilePayment): Record<string, string> =>
  (body.recipients[0]?.payout_method.details ?? {}) as Record<string, string>;

/** The row with another payee, and in all else as it is. */
export function rowWith(row: PayRow, { body: checked, account, payee, person, holder }: FilePayment): NewRow {
  const body = JSON.parse(row.body) as TransactionWrite;
  const [recipient] = body.recipients;
  const [{ payout_method: method } = { payout_method: undefined }] = checked.recipients;
  invariant(recipient && method, 'a row is one recipient');
  recipient.payout_method = method;
  const text = JSON.stringify(body);
  const { n, key, externalId, type, amount, currency, inputCurrency, estimate } = row;
  const kept = { n, key, externalId, type, amount, currency, inputCurrency, estimate };
  return { ...kept, body: text, content: contentOf(externalId, text), account, payee, person, holder };
}

/** Undefined where rules that came later would not take it: then it is no new payee. */
export async function asItStands(desk: Desk, row: PayRow): Promise<NewRow | undefined> {
  const same = { set: {}, isAsWritten: true, isAsked: false, notes: [] };
  const payment = await checkedAgain(desk, row, same).catch((error: unknown) => {
    if (error instanceof Problem && error.facts.category === 'validation') return undefined;
    throw error;
  });
  return payment && rowWith(row, payment);
}
