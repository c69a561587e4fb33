/**
 * Books without names (decision 0058): of names, accounts, phone numbers, e-mail addresses and what else a partner wrote, only
 * keyed hashes are kept, so that each is found by the whole of it and by nothing less. Everything else of a person is not kept.
 */
import { createHmac } from 'node:crypto';
import type { PlainMember } from '../contract/personal.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import { type Find, findsOf, findTexts, hashedFind, personalFinds } from '../payments/finds.ts';
import type { BookEntry, Books } from './store/port.ts';

export interface Hider {
  /** Tells which key it is. */
  print: string;
  /** Begins with `#`; of one length, so that a part is never the whole of another. */
  hash(text: string): string;
}

/** 82 bits: no two texts of an account share one. */
const HASH_LENGTH = 16;

export function hiderOf(key: string): Hider {
  invariant(key.length >= 32, 'a key that nobody can guess');
  const digest = (text: string): bigint =>
    BigInt(`0x${createHmac('sha256', key).update(text).digest('hex')}`);
  const hash = (text: string): string =>
    `#${digest(`text ${text}`).toString(36).slice(-HASH_LENGTH).padStart(HASH_LENGTH, '0')}`;
  return { hash, print: digest('print').toString(36).slice(-HASH_LENGTH) };
}

/** Whatever is kept in them is hidden before; reading needs no key. */
export function withoutNames(books: Books, hider: () => Hider): Books {
  return {
    ...books,
    keep: async (entries, progress) =>
      books.keep(
        entries.map((entry) => hidden(entry, hider())),
        progress,
      ),
  };
}

export function hidden(entry: BookEntry, hider: Hider): BookEntry {
  const transaction = reduced(JSON.parse(entry.body) as Transaction, hider);
  const [body, finds] = [JSON.stringify(transaction), findsOf(transaction)];
  return { ...entry, body, finds, hiddenBy: hider.print };
}

/**
 * The members of a transaction that are kept. A member that is not named here is left out: a new member of
 * the service may be anything. A personal one cannot be named.
 */
const OF_TRANSACTION: readonly PlainMember[] = [
  'id',
  'external_id',
  'state',
  'input_currency',
  'input_amount',
  'paid_amount',
  'due_amount',
  'payin_reference',
  'created_at',
  'updated_at',
  'expires_at',
];
const OF_SENDER: readonly PlainMember[] = ['id', 'type', 'state', 'external_id', 'country', 'created_at'];
const OF_RECIPIENT: readonly PlainMember[] = [
  'id',
  'type',
  'transaction_id',
  'transaction_external_id',
  'external_id',
  'created_at',
  'state',
  'transaction_state',
  'editable',
  'retriable',
  'may_cancel',
  'requested_amount',
  'requested_currency',
  'input_amount',
  'input_currency',
  'input_usd_amount',
  'output_amount',
  'output_currency',
  'exchange_rate',
  'fee_fractional',
  'mandate_id',
];
const OF_METHOD: readonly PlainMember[] = ['id', 'type', 'provider', 'ux_flow', 'state'];

type Members = Record<string, unknown>;

function reduced(transaction: Transaction, hider: Hider): Transaction {
  const { sender, recipients, payin_methods: payins } = transaction;
  return {
    ...picked(transaction, OF_TRANSACTION),
    ...reasonOf(transaction),
    ...hashesOf(personalFinds.ofTransaction(transaction), transaction, hider),
    sender: sender && {
      ...picked(sender, OF_SENDER),
      ...hashesOf(personalFinds.ofSender(sender), sender, hider),
    },
    recipients: recipients?.map((one) => reducedRecipient(one, hider)),
    payin_methods: payins?.map((one) => ({ ...picked(one, OF_METHOD), ...reasonOf(one) })),
  };
}

function reducedRecipient(recipient: Recipient, hider: Hider): Recipient {
  const { payout_method: method } = recipient;
  return {
    ...picked(recipient, OF_RECIPIENT),
    ...reasonOf(recipient),
    payout_method: method && picked(method, OF_METHOD),
    ...hashesOf(personalFinds.ofRecipient(recipient), recipient, hider),
  };
}

function picked(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.flatMap((name) => (name in members ? [[name, members[name]]] : [])));
}

/** A sentence of the provider may repeat what was sent: a word and a code do not. */
function reasonOf({ state_reason: reason, state_reason_details: details }: Members): Members {
  const { code, category } = (details ?? {}) as Members;
  return {
    ...(typeof reason === 'string' && /^[a-z_]{2,40}$/.test(reason) ? { state_reason: reason } : {}),
    ...(details == null ? {} : { state_reason_details: { code, category } }),
  };
}

/** One that was reduced before has nothing left to hash: its hashes stay. */
function hashesOf(finds: readonly Find[], { hashes }: Members, { hash }: Hider): Members {
  const made = finds.flatMap((find) =>
    findTexts(find).map((text) => hashedFind({ ...find, text: hash(text) })),
  );
  return made.length > 0 ? { hashes: [...new Set(made)] } : hashes === undefined ? {} : { hashes };
}

/** Removes the hashes, which only the search needs. */
export function withoutHashes(transaction: Transaction): Transaction {
  const bare = <T extends Members>({ hashes: _, ...rest }: T) => rest;
  return {
    ...bare(transaction),
    sender: transaction.sender && bare(transaction.sender),
    recipients: transaction.recipients?.map(bare),
  };
}
