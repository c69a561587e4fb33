/** The texts by which a transaction of the service can be found, as the books keep them. */

import { type Member, personalOf } from '../contract/personal.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { fold } from '../core/fold.ts';

/** The kind of a text that finds a transaction: an exact one is compared whole, of another a part is enough. */
export type FindKind = 'id' | 'account' | 'phone' | 'name' | 'email' | 'reference' | 'amount';

export interface Find {
  kind: FindKind;
  /** Folded: without diacritics, in lower case; see `core/fold`. */
  text: string;
}

/** An id of the service is found by so many characters of its beginning; the caller compares the rest. */
export const ID_INDEXED = 8;

/** Tells whose each text is: a recipient's row is found by the recipient's own, and by those of the payment and its sender. */
export interface OwnFinds {
  payment: Find[];
  sender: Find[];
  /** Follows the order of the record's recipients. */
  recipients: Find[][];
}

export function ownFindsOf(transaction: Transaction): OwnFinds {
  return {
    payment: [...findsOfPayment(transaction), ...findsOfMetadata(transaction)],
    sender: findsOfSender(transaction),
    recipients: (transaction.recipients ?? []).map(findsOfRecipient),
  };
}

/** Fewer characters than an index knows name no account. */
const SHORTEST = 3;

export const isAccount = ({ kind }: Find): boolean => kind === 'account' || kind === 'phone';

/** Texts that name the account of a recipient, as the books compare them; also of one that is only wished. */
export const accountTexts = (recipient: Pick<Recipient, 'payout_method'>): string[] =>
  findsOfRecipient(recipient)
    .filter(isAccount)
    .map(({ text }) => text)
    .filter((text) => text.length >= SHORTEST);

/** All that a customer may read out. A name is one text, so that its parts are found together. */
export const findsOf = (transaction: Transaction): Find[] => [
  ...findsOfPayment(transaction),
  ...findsOfSender(transaction),
  ...(transaction.recipients ?? []).flatMap(findsOfRecipient),
  ...findsOfMetadata(transaction),
];

function findsOfPayment(transaction: Transaction): Find[] {
  const finds: Find[] = [];
  const add = addTo(finds);
  add('id', transaction.id);
  add('id', transaction.external_id);
  add('reference', transaction.payin_reference);
  add('amount', transaction.input_amount);
  return finds;
}

const findsOfMetadata = (transaction: Transaction): Find[] => [
  ...personalFinds.ofTransaction(transaction),
  ...hashedFinds(transaction),
];

function findsOfSender({ sender }: Transaction): Find[] {
  if (!sender) return [];
  const finds: Find[] = [];
  addTo(finds)('id', sender.id);
  addTo(finds)('id', sender.external_id);
  return [...finds, ...personalFinds.ofSender(sender), ...hashedFinds(sender)];
}

function findsOfRecipient(recipient: Recipient): Find[] {
  const finds: Find[] = [];
  addRecipient(recipient, addTo(finds));
  return [...finds, ...personalFinds.ofRecipient(recipient), ...hashedFinds(recipient)];
}

type Add = (kind: FindKind, value: unknown) => void;

const addTo =
  (finds: Find[]): Add =>
  (kind, value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = kind === 'account' || kind === 'phone' ? bare(String(value)) : fold(String(value));
    if (text !== '') finds.push({ kind, text });
  };

type Members = Record<string, unknown>;

/** The finds of which the books without names keep nothing but hashes. */
export const personalFinds = {
  ofSender: (sender: Members): Find[] => personal(sender, undefined),
  ofRecipient: ({ payout_method: method, metadata }: Recipient): Find[] =>
    personal(method?.details ?? {}, metadata),
  ofTransaction: ({ metadata }: Transaction): Find[] => personal({}, metadata),
};

function personal(party: Members, metadata: Members | null | undefined): Find[] {
  const finds: Find[] = [];
  addParty(party, addTo(finds));
  for (const value of Object.values(metadata ?? {})) addTo(finds)('reference', value);
  return finds;
}

/** Returns the texts that are hashed of a find: each word where it has words, and the whole. */
export const findTexts = ({ kind, text }: Find): string[] =>
  kind === 'name' || kind === 'reference' ? [...new Set([...text.split(' '), text])] : [text];

/** Returns a find as a record without names has it: `account #0a1b…`. */
export const hashedFind = ({ kind, text }: Find): string => `${kind} ${text}`;
export const isHashed = ({ text }: Find): boolean => HASHED.test(text);
const HASHED = /^#[0-9a-z]{16}$/;

function hashedFinds({ hashes }: Members): Find[] {
  if (!Array.isArray(hashes)) return [];
  return hashes.map((one: string) => {
    const [kind, text = ''] = one.split(' ');
    return { kind: kind as FindKind, text };
  });
}

function addRecipient(recipient: Recipient, add: Add): void {
  add('id', recipient.id);
  add('id', recipient.external_id);
  add('amount', recipient.requested_amount);
  add('amount', recipient.input_amount);
  add('amount', recipient.output_amount);
}

/** The kind that finds a member: what of a person it is. A text that goes with the money is found too. */
function kindOf(member: string): FindKind | undefined {
  if (member === 'reference' || member === 'narration') return 'reference';
  switch (personalOf(member)) {
    case 'account':
      return 'account';
    case 'number':
      return member.includes('phone') ? 'phone' : 'account';
    case 'name':
      return 'name';
    case 'contact':
      return member.includes('email') ? 'email' : undefined;
    default:
      return undefined;
  }
}

const NAMES: readonly string[] = ['first_name', 'middle_name', 'last_name', 'name'] satisfies Member[];

function addParty(members: Members, add: Add): void {
  const parts = NAMES.map((name) => members[name]).filter((one) => typeof one === 'string' && one !== '');
  if (parts.length > 0) add('name', parts.join(' '));
  for (const [name, value] of Object.entries(members)) {
    if (NAMES.includes(name)) continue;
    const kind = kindOf(name);
    if (kind !== undefined) add(kind, value);
  }
}

/** Blanks and dashes make no other account. */
export const bare = (text: string): string => fold(text).replace(/[\s.-]/g, '');
