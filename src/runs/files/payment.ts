/** A row that was checked: one transaction, its prints, and what it will be rounded to. */
import { hash } from 'node:crypto';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { roundsUp } from '../../core/currency.ts';
import { roundingNote } from '../../payments/body.ts';
import type { FileRow } from '../../tables/row.ts';
import { nameOf, partsOf } from '../payee.ts';
import type { NewRow } from '../store/port.ts';
import type { KnownCorridor } from './corridors.ts';
import type { Money } from './money.ts';

/** The members that are kept as they stand; they are described where they are kept. */
type Kept = Pick<
  NewRow,
  'n' | 'key' | 'type' | 'amount' | 'currency' | 'inputCurrency' | 'account' | 'payee' | 'person' | 'holder'
>;

export interface FilePayment extends Kept {
  at: string;
  externalId: string | undefined;
  /** An id or external id that has to be looked up; undefined where the row describes the sender. */
  sender: string | undefined;
  /** Without an external id; the sender as the row has it. */
  body: TransactionWrite;
  /** `1200.50 NGN will be paid as 1201 NGN: …`. */
  roundings: string[];
}

export interface Parts {
  names: { key: string; externalId: string | undefined };
  money: Money;
  known: KnownCorridor;
  kind: PartyKind;
  details: Record<string, string>;
  sender: { sender: TransactionWrite['sender']; lookUp: string | undefined };
}

export function filePayment(row: FileRow, metadata: Record<string, string>, parts: Parts): FilePayment {
  const { known, kind, details, sender } = parts;
  const { key, externalId } = parts.names;
  const { amount, currency, inputCurrency } = parts.money;
  const { type } = known.corridor;
  const body: TransactionWrite = {
    input_currency: inputCurrency,
    sender: sender.sender,
    recipients: [
      {
        type: kind,
        requested_amount: amount,
        requested_currency: currency,
        payout_method: { type, details },
      },
    ],
    metadata: sortedMembers(metadata),
  };
  return {
    n: row.n,
    at: row.at,
    key,
    externalId,
    type,
    amount,
    currency,
    inputCurrency,
    sender: sender.lookUp,
    body,
    ...payeePrints(type, known.account, details, [amount, currency]),
    roundings: roundsUp(currency) && amount.includes('.') ? roundingNote(currency, amount) : [],
  };
}

/** The prints of whom a row pays. @param account the details that tell accounts of the type apart */
export function payeePrints(
  type: string,
  account: readonly string[],
  details: Readonly<Record<string, unknown>>,
  money: readonly [amount: string, currency: string],
): Pick<NewRow, 'account' | 'payee' | 'person'> {
  const parts = [type, ...partsOf({ account }, details)];
  const name = nameOf(details);
  return {
    account: print([...parts, ...money].join('\0')),
    payee: print(parts.join('\0')),
    person: name === '' ? undefined : print(name),
  };
}

/** SHA-256, shortened. */
export const print = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

function sortedMembers(members: Record<string, string>): Record<string, string> {
  const names = Object.keys(members);
  if (names.length < 2) return members;
  return Object.fromEntries(names.sort().map((name) => [name, members[name] ?? '']));
}
