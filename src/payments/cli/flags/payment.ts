/** Flags of a payment, shared by `tx create`, `tx calculate` and `tx validate`. */
import { currencyRule } from '../../../core/currency.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { flagWords, pairWords } from '../../../frame/output/command-line.ts';
import type { BodyDraft, BodyFlags } from '../../body.ts';
import type { PayinFlags } from '../../collection.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from './details.ts';
import { metadataFlag, readMetadata } from './metadata.ts';

export const paymentFlags = flags({
  file: { short: '-f', value: 'path', summary: 'the transaction as JSON or YAML; - reads standard input' },
  from: { value: 'tx', summary: 'copy an earlier transaction (id or external id), all but its external id' },
  inputCurrency: { value: 'currency', summary: 'currency you pay in' },
  amount: { value: 'amount', summary: 'amount, in --currency' },
  currency: { value: 'currency', summary: 'currency of the amount: yours, the recipient’s, or a third' },
  type: { value: 'type', summary: 'payout type, such as NGN::Bank' },
  recipientType: {
    value: 'kind',
    summary: 'person (the default) or business',
    choices: ['person', 'business'],
  },
  detail: { value: 'name=value', summary: 'one payout detail, such as bank_code=044; repeat it', many: true },
  payin: { value: 'type', summary: 'collect the money from the sender this way, such as GHS::Mobile' },
  payinFlow: {
    value: 'flow',
    summary: 'how the sender is asked to pay, such as ussd_popup; not needed if there is only one',
  },
  payinDetail: {
    value: 'name=value',
    summary: 'one detail of the payin, such as phone_number=+233302123400; repeat it',
    many: true,
  },
  sender: { value: 'id', summary: 'the sender’s id or external id' },
  senderField: { value: 'name=value', summary: 'one member of the sender; repeat it', many: true },
  externalId: { value: 'id', summary: 'your reference for this payment; remit makes one if you give none' },
  metadata: metadataFlag(),
  recipientMetadata: metadataFlag('the recipient'),
  payoutMetadata: metadataFlag('the payout method'),
  noAutoRefund: { summary: 'keep trying after 24 hours instead of refunding' },
  accountValidation: { summary: 'have the bank check the name first' },
  noAccountValidation: { summary: 'do not have the bank check the name, where that is the default' },
  ...accountAsWrittenFlag,
});

export interface PaymentFlags {
  file: string | undefined;
  /** An earlier transaction, by id or external id. */
  from: string | undefined;
  body: BodyFlags;
  accountAsWritten: boolean;
}

export function readPaymentFlags(input: Input<typeof paymentFlags>): PaymentFlags {
  const given = input.flags;
  const currency = (text: string | undefined) => text?.trim().toUpperCase();
  return {
    file: given.file,
    from: readFrom(input),
    accountAsWritten: readAccountAsWritten(input),
    body: {
      inputCurrency: currency(given.inputCurrency),
      amount: given.amount,
      currency: currency(given.currency),
      type: given.type,
      recipientType: given.recipientType,
      details: readPairs(given.detail, '--detail'),
      payin: readPayin(input),
      sender: given.sender,
      senderFields: readPairs(given.senderField, '--sender-field'),
      externalId: given.externalId,
      metadata: readMetadata(given.metadata),
      recipientMetadata: readMetadata(given.recipientMetadata, 'recipient-metadata'),
      payoutMetadata: readMetadata(given.payoutMetadata, 'payout-metadata'),
      autoRefund: given.noAutoRefund ? false : undefined,
      accountValidation: given.accountValidation ? true : given.noAccountValidation ? false : undefined,
    },
  };
}

/** @throws Problem (usage) */
function readFrom(input: Input<typeof paymentFlags>): string | undefined {
  const from = input.flags.from;
  if (from === undefined) return undefined;
  if (input.flags.file !== undefined)
    throw usage('--from starts from an earlier transaction, --file from a file: take one of them');
  if (/^[A-Z]{3}$/.test(from) && currencyRule(from) !== undefined)
    throw usage(
      `--from takes an earlier transaction, and ${from} is a currency`,
      `the currency you pay in: --input-currency ${from}`,
    );
  return from;
}

function readPayin(input: Input<typeof paymentFlags>): PayinFlags | undefined {
  const [type, flow] = [input.flags.payin, input.flags.payinFlow];
  const details = readPairs(input.flags.payinDetail, '--payin-detail');
  if (type === undefined && flow === undefined && Object.keys(details).length === 0) return undefined;
  return { type, flow, details };
}

/** The flags that say the same as a draft of one recipient. */
export function paymentWords(draft: BodyDraft): string[] {
  const [recipient, ...more] = records(draft.recipients);
  const [payin] = records(draft.payin_methods);
  if (recipient === undefined || more.length > 0) return [];
  const method = (recipient.payout_method ?? {}) as { type?: string; details?: object; metadata?: unknown };
  const { type, details, metadata } = method;
  const currency = text(recipient.requested_currency);
  const { id, external_id: reference, ...fields } = (draft.sender ?? {}) as Record<string, unknown>;
  const plainFields = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  const traits = (draft.traits ?? {}) as { auto_refund?: unknown; account_validation?: unknown };
  return [
    ...flagWords({
      'input-currency': payin === undefined ? text(draft.input_currency) : undefined,
      amount: text(recipient.requested_amount),
      currency: currency === type?.split('::')[0] ? undefined : currency,
      type,
      'recipient-type': recipient.type === 'business' ? 'business' : undefined,
      sender: text(id ?? reference),
    }),
    ...pairWords('sender-field', Object.fromEntries(plainFields)),
    ...pairWords('detail', { ...details }),
    ...flagWords({ payin: text(payin?.type), 'payin-flow': text(payin?.ux_flow) }),
    ...pairWords('payin-detail', { ...(payin?.in_details as object | undefined) }),
    ...flagWords({
      'external-id': text(draft.external_id),
      metadata: jsonOf(draft.metadata),
      'recipient-metadata': jsonOf(recipient.metadata),
      'payout-metadata': jsonOf(metadata),
    }),
    ...(traits.auto_refund === false ? ['--no-auto-refund'] : []),
    ...(traits.account_validation === undefined
      ? []
      : [traits.account_validation ? '--account-validation' : '--no-account-validation']),
  ];
}

const records = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : [];
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const jsonOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? JSON.stringify(value)
    : undefined;
