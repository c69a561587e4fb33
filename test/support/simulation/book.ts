/** What the partners have written down: their transactions as answers showed them, from the newest to the oldest. */
import type { TransactionWrite } from '../../../src/contract/resources/transaction.ts';
import { person } from '../sandbox.ts';
import type { Json } from './look.ts';
import type { Operation } from './operations.ts';
import { type Payee, partners } from './partners.ts';

export interface Entry {
  id: string;
  externalId: string;
  partner: string;
  asked: TransactionWrite & { external_id: string };
  inputAmount: string;
  inputCurrency: string;
  recipients: { id: string; type: string; mandateId: string | undefined }[];
  payins: { id: string; type: string }[];
}

/** How far back a partner looks. */
const REMEMBERED = 40;

export class Book {
  readonly #entries: Entry[] = [];
  #count = 0;

  nextExternalId(partner: string): string {
    this.#count += 1;
    return `${partner.replace(' ', '-')}-${this.#count}`;
  }

  note(partner: string, asked: Entry['asked'], shown: Json): Entry | undefined {
    if (typeof shown?.id !== 'string' || !shown.recipients) return undefined;
    const entry: Entry = {
      id: shown.id,
      externalId: asked.external_id,
      partner,
      asked,
      inputAmount: String(shown.input_amount),
      inputCurrency: shown.input_currency,
      recipients: shown.recipients.map((each: Json) => ({
        id: each.id,
        type: each.payout_method.type,
        mandateId: each.mandate_id,
      })),
      payins: shown.payin_methods.map(({ id, type }: Json) => ({ id, type })),
    };
    if (!this.#entries.some(({ id }) => id === entry.id)) this.#entries.unshift(entry);
    return entry;
  }

  /** What the partners know of a transaction's state. */
  readonly #stateOf: (id: string) => string | undefined;

  constructor(stateOf: (id: string) => string | undefined) {
    this.#stateOf = stateOf;
  }

  /** The one that is meant, of those that fit: mostly one in a state in which the operation means something. */
  choose(operation: Operation, fits: (entry: Entry) => boolean = () => true): Entry | undefined {
    const { partner, pick, kind, word } = operation;
    const wanted = wantedStates[kind === 'review' ? word : kind];
    const minded = wanted !== undefined && Math.floor(pick * 1_000) % 10 < 8;
    const own = this.#entries
      .filter((entry) => entry.partner === partner && fits(entry))
      .slice(0, REMEMBERED);
    const meant = minded ? own.filter(({ id }) => wanted.includes(this.#stateOf(id) ?? '')) : own;
    const near = meant.length > 0 ? meant : own;
    return near[Math.floor(pick * near.length)];
  }

  /** Payments that can be funded, and one that may be funded already. */
  several({ partner }: Operation, count: number): Entry[] {
    const own = this.#entries.filter((entry) => entry.partner === partner && entry.payins.length === 0);
    return own.filter(({ id }, index) => index === 7 || this.#stateOf(id) === 'approved').slice(0, count);
  }
}

const OPEN = ['approved', 'received', 'mispaid', 'processing', 'manual', 'exception'];
const PAYING = ['received', 'mispaid', 'processing', 'manual'];
const COLLECTING = ['approved', 'pending'];

/** By kind, or by word where that decides. */
const wantedStates: Readonly<Record<string, readonly string[]>> = {
  fund: ['approved'],
  fund_again: ['approved'],
  fund_and_cancel: ['approved'],
  cancel: PAYING,
  cancel_twice: PAYING,
  cancel_against_success: PAYING,
  edit: OPEN,
  force_payout: PAYING,
  force_payin: COLLECTING,
  payin_retry: COLLECTING,
  payin_edit: COLLECTING,
  payin_cancel: [...COLLECTING, ...PAYING],
  payin_word: COLLECTING,
  payout_word: [...PAYING, 'exception'],
  refund_by_hand: ['manual', 'canceled'],
  hold: ['received', 'mispaid'],
  release: ['processing'],
  exception: OPEN,
  resume: ['exception', 'manual'],
};

/** A customer of the partner: eight for each, by the pick. */
export function senderOf({ partner, pick }: Operation): string {
  return `${partner.replace(' ', '-')}-customer-${Math.floor(pick * 97) % 8}`;
}

export function transactionBody(
  operation: Operation,
  externalId: string,
  payees = operation.payees,
): Entry['asked'] {
  const currency = partners.find(({ name }) => name === operation.partner)?.currency ?? 'EUR';
  return {
    external_id: externalId,
    input_currency: currency,
    sender: { external_id: senderOf(operation), ...person, type: 'person' },
    recipients: payees.map(recipientBody),
    ...traits(operation),
  };
}

function traits({ word }: Operation): Pick<TransactionWrite, 'traits'> {
  if (word === 'keep') return { traits: { auto_refund: false } };
  return word === 'check' ? { traits: { account_validation: true } } : {};
}

function recipientBody({ type, amount, currency, details }: Payee) {
  return {
    type: 'person' as const,
    requested_amount: amount,
    requested_currency: currency,
    payout_method: { type, details },
  };
}

const PAYINS: Readonly<Record<string, Json>> = {
  'GHS::Mobile': {
    ux_flow: 'ussd_popup',
    in_details: { phone_number: '+233302123455', mobile_provider: 'mtn' },
  },
  'GHS::Mobile otp': {
    ux_flow: 'otp_verified_ussd_popup',
    in_details: { phone_number: '+233302123455', mobile_provider: 'mtn' },
  },
  'XOF::Mobile 0': {
    ux_flow: 'ussd_voucher',
    in_details: { phone_number: '+221771234700', mobile_provider: 'orange', country: 'SN', otp: '123456' },
  },
  'XOF::Mobile 9': {
    ux_flow: 'ussd_voucher',
    in_details: { phone_number: '+221771234709', mobile_provider: 'orange', country: 'SN', otp: '123456' },
  },
  'EUR::Bank': { ux_flow: 'bank_transfer', in_details: {} },
  'NGN::Bank': { ux_flow: 'bank_transfer', in_details: {} },
};

/** To the own balance, or paid out to a bank as soon as it is there. */
export function collectionBody(operation: Operation, externalId: string): Entry['asked'] {
  const [type = ''] = operation.word.split(' ');
  const currency = type.slice(0, 3);
  const amount = operation.pick * 900 + 100;
  const requested =
    currency === 'XOF' || currency === 'NGN' ? String(Math.ceil(amount) * 10) : amount.toFixed(2);
  const naira = { first_name: 'Chidi', last_name: 'Eze', bank_code: '044', bank_account: '0123456708' };
  const payout_method = operation.fund
    ? { type: `${currency}::Balance`, details: { reference: externalId } }
    : { type: 'NGN::Bank', details: naira };
  return {
    external_id: externalId,
    input_currency: currency,
    sender: { external_id: senderOf(operation), ...person, type: 'person' },
    recipients: [
      { type: 'person', requested_amount: requested, requested_currency: currency, payout_method },
    ],
    payin_methods: [{ type, ...PAYINS[operation.word] }],
  };
}
