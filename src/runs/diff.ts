/**
 * Two lists of payments compared: who is new, who is gone, and whose account, name, corridor, sender or amount is another. Each is a file
 * or a run. A payee is known again by the key of the row; then by the account, then by the name, where only one on each side has it.
 */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { counted, money } from '../core/amount-words.ts';
import { fold } from '../core/fold.ts';
import { add, eq } from '../core/money.ts';
import type { DataOf } from '../frame/shape.ts';
import { type MaskLevel, maskData } from '../payments/words/mask.ts';
import { fullName, payoutAccountOf } from '../payments/words/person.ts';
import type { FilePayment } from './files/payment.ts';
import { refuseForgottenRun } from './forgotten.ts';
import { knownBy } from './payee.ts';
import { isOfRun } from './plan-text.ts';
import { rowsIn } from './rows-in.ts';
import { CHANGES, type PayeeChangeKind, type payeeChangeShape } from './shapes.ts';
import type { NewRow, PayRun, PayRuns, Standing } from './store/port.ts';

export type PayeeChange = DataOf<typeof payeeChangeShape>;

export interface Payee {
  key: string;
  type: string;
  amount: string;
  currency: string;
  /** The name as it is compared. */
  name: string;
  /** The account with its bank, as it is compared. */
  account: string;
  /** The sender as it is compared: an id, or all that the row says of it. */
  sender: string;
  payer: Readonly<Record<string, unknown>>;
  inputCurrency: string;
  /** The account was changed elsewhere after it was asked for. */
  isElsewhere: boolean;
  /** Undefined where remit makes it. */
  externalId: string | undefined;
  /** The details, for what is shown of them. */
  details: Readonly<Record<string, unknown>>;
}

type Asked = Pick<NewRow, 'key' | 'type' | 'amount' | 'currency' | 'inputCurrency'> & {
  externalId: string | undefined;
  body: TransactionWrite;
  stands?: Standing | undefined;
  sender?: string | undefined;
};

async function payeeOf({ body, stands, sender: given, ...row }: Asked): Promise<Payee> {
  const { key, type, amount, currency, inputCurrency, externalId } = row;
  const details = (stands?.now ?? body.recipients[0]?.payout_method?.details ?? {}) as Record<
    string,
    unknown
  >;
  const { name, account } = await knownBy(type, details);
  const { id, external_id: reference, documents: _, ...payer } = body.sender;
  const described = Object.keys(payer).length === 0 ? [] : Object.entries({ ...payer, reference }).sort();
  return {
    ...{ key, type, amount, currency, inputCurrency, externalId, details, name, account, payer },
    isElsewhere: stands?.elsewhere !== undefined,
    sender: given ?? id ?? (described.length > 0 ? fold(JSON.stringify(described)) : (reference ?? '')),
  };
}

export async function payeesOfPayments(payments: Iterable<FilePayment>): Promise<Payee[]> {
  const payees: Payee[] = [];
  for (const payment of payments) payees.push(await payeeOf(payment));
  return payees;
}

/** @throws Problem (conflict) for a run that was forgotten: it has no names and accounts */
export async function payeesOfRun(payruns: PayRuns, run: PayRun): Promise<Payee[]> {
  refuseForgottenRun(run);
  const payees: Payee[] = [];
  for await (const page of rowsIn(payruns, run))
    for (const row of page)
      payees.push(
        await payeeOf({
          ...row,
          externalId: isOfRun(run.name, row.externalId) ? undefined : row.externalId,
          body: JSON.parse(row.body) as TransactionWrite,
        }),
      );
  return payees;
}

export interface Differences {
  changes: PayeeChange[];
  /** Sums of each corridor, then and now. */
  totals: string[];
}

export function differencesOf(old: readonly Payee[], now: readonly Payee[], mask: MaskLevel): Differences {
  const pairs = pairsOf(old, now);
  const owners = new Map(old.map(({ type, account, key }) => [`${type} ${account}`, key]));
  const changes = pairs.flatMap(([before, after]) => {
    const kinds = kindsOf(before, after);
    const owner =
      after && kinds.includes('account') ? owners.get(`${after.type} ${after.account}`) : undefined;
    return kinds.length === 0 ? [] : [shown(before, after, { kinds, mask, owner: owner ?? null })];
  });
  const rank = ({ changes: kinds }: PayeeChange): number => CHANGES.indexOf(kinds[0] as PayeeChangeKind);
  return { changes: changes.sort((a, b) => rank(a) - rank(b)), totals: totalsOf(old, now) };
}

type Pair = readonly [Payee | undefined, Payee | undefined];

function pairsOf(old: readonly Payee[], now: readonly Payee[]): Pair[] {
  const left = new Set(old);
  const partner = new Map<Payee, Payee>();
  for (const mark of [
    ({ key }: Payee) => key,
    ({ type, account }: Payee) => `${type} ${account}`,
    ({ name }: Payee) => name,
  ]) {
    const [before, after] = [
      onlyOnes(left, mark),
      onlyOnes(
        now.filter((one) => !partner.has(one)),
        mark,
      ),
    ];
    for (const [text, payee] of after) {
      const same = before.get(text);
      if (same === undefined) continue;
      partner.set(payee, same);
      left.delete(same);
    }
  }
  return [
    ...now.map((one): Pair => [partner.get(one), one]),
    ...[...left].map((one): Pair => [one, undefined]),
  ];
}

/** Returns the payees whose mark no other has: of two with the same name, the one meant is unknown. */
function onlyOnes(payees: Iterable<Payee>, mark: (payee: Payee) => string): Map<string, Payee> {
  const ones = new Map<string, Payee | undefined>();
  for (const payee of payees) ones.set(mark(payee), ones.has(mark(payee)) ? undefined : payee);
  ones.delete('');
  return new Map([...ones].flatMap(([text, payee]) => (payee === undefined ? [] : [[text, payee] as const])));
}

function kindsOf(before: Payee | undefined, after: Payee | undefined): PayeeChangeKind[] {
  if (before === undefined) return ['new'];
  if (after === undefined) return ['gone'];
  const differs: Readonly<Partial<Record<PayeeChangeKind, boolean>>> = {
    // Whoever changed it elsewhere is not known: it counts, whichever account stands in the other list.
    account: before.account !== after.account || before.isElsewhere,
    corridor: before.type !== after.type,
    name: before.name !== after.name,
    sender: before.sender !== after.sender,
    input_currency: before.inputCurrency !== after.inputCurrency,
    external_id: before.externalId !== after.externalId,
    amount: before.currency !== after.currency || !eq(before.amount, after.amount),
  };
  return CHANGES.filter((kind) => differs[kind]);
}

function shown(
  before: Payee | undefined,
  after: Payee | undefined,
  { kinds, mask, owner }: { kinds: PayeeChangeKind[]; mask: MaskLevel; owner: string | null },
): PayeeChange {
  const seen = (payee: Payee | undefined) => {
    const details = payee && maskData(payee.details, mask, 'details');
    const payer = payee && fullName(maskData(payee.payer, mask));
    return {
      name: fullName(details) || null,
      account: payoutAccountOf(details) || null,
      sender: payer || payee?.sender || null,
    };
  };
  const [was, is] = [seen(before), seen(after)];
  const one = (after ?? before) as Payee;
  return {
    key: one.key,
    changes: kinds,
    name: is.name ?? was.name,
    account: is.account,
    amount: after?.amount ?? null,
    currency: one.currency,
    type: one.type,
    sender: is.sender,
    input_currency: after?.inputCurrency ?? null,
    external_id: after?.externalId ?? null,
    old_key: before?.key ?? null,
    old_name: was.name,
    old_account: was.account,
    old_amount: before?.amount ?? null,
    old_currency: before?.currency ?? null,
    old_type: before?.type ?? null,
    old_sender: was.sender,
    old_input_currency: before?.inputCurrency ?? null,
    old_external_id: before?.externalId ?? null,
    account_was_of: owner === before?.key ? null : owner,
  };
}

/** `NGN::Bank: 2 rows, 43500 NGN before; 3 rows, 61000 NGN now`. */
function totalsOf(old: readonly Payee[], now: readonly Payee[]): string[] {
  const sums = (payees: readonly Payee[]) => {
    const all = new Map<string, { rows: number; amount: string }>();
    for (const { type, currency, amount } of payees) {
      const { rows, amount: sum } = all.get(`${type} ${currency}`) ?? { rows: 0, amount: '0' };
      all.set(`${type} ${currency}`, { rows: rows + 1, amount: add(sum, amount) });
    }
    return all;
  };
  const [before, after] = [sums(old), sums(now)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((pair) => {
    const [type = '', currency = ''] = pair.split(' ');
    const words = (sum: { rows: number; amount: string } | undefined): string =>
      sum === undefined ? 'no row' : `${counted(sum.rows, 'row')}, ${money(sum.amount, currency)}`;
    return `${type}: ${words(before.get(pair))} before; ${words(after.get(pair))} now.`;
  });
}
