/** The objects that events are about, as the service writes them: amounts are JSON numbers, times ISO 8601. All made up. */
import { payinCategories, recipientCategories } from '../../contract/categories.ts';
import { codeInfo, payinCategoryOf } from '../../contract/codes.ts';
import { isEditable, isWithService } from '../../contract/states/recipient.ts';
import { isoTime } from '../../core/clock.ts';
import type { RecipientSample, SampleState, TransactionSample } from './table.ts';

export interface Making {
  /** A new id at each call. */
  id: () => string;
  /** Milliseconds since 1970. */
  now: number;
}

type Plain = Record<string, unknown>;

/** Whoever pays has an hour. */
const PAID_WITHIN_MS = 3_600_000;
const EXTERNAL_ID = 'sample-invoice-17';

const EURO = { currency: 'EUR', amount: 25.5, usd: 27.72, rate: 1667.96, output: 42533 };
const CEDI = { currency: 'GHS', amount: 300, usd: 25.86, rate: 141.7767, output: 42534 };
type Money = typeof EURO;

function reasonOf(
  code: string | undefined,
  word: (info: NonNullable<ReturnType<typeof codeInfo>>) => string,
) {
  const info = code === undefined ? undefined : codeInfo(code);
  if (!info) return null;
  return { code: info.code, category: word(info), messages: info.messages, description: info.description };
}

export function senderSample(
  { id, now }: Making,
  { state, reason }: { state: string; reason?: string },
): Plain {
  return {
    id: id(),
    type: 'person',
    state,
    state_reason: reason ?? null,
    external_id: 'sample-customer-17',
    first_name: 'Sample',
    last_name: 'Sender',
    country: 'DE',
    phone_country: 'DE',
    phone_number: '+4915112345678',
    email: 'sender@example.com',
    street: 'Hauptstrasse 1',
    city: 'Berlin',
    postal_code: '10115',
    birth_date: '1990-02-03',
    identification_type: 'PP',
    identification_number: 'C01X00T47',
    nationality: 'DE',
    ip: '192.0.2.10',
    documents: [],
    metadata: {},
    providers: {},
    created_at: isoTime(now),
  };
}

export function payoutMethodSample({ id }: Making): Plain {
  return {
    id: id(),
    type: 'NGN::Bank',
    details: { first_name: 'Sample', last_name: 'Recipient', bank_code: '044', bank_account: '0123456700' },
    metadata: {},
    provider: 'sandbox',
  };
}

interface Belonging {
  transactionId: string;
  transactionState: string;
  money: Money;
}

export function recipientSample(making: Making, { of: _, ...standing }: RecipientSample): Plain {
  const { transactionState, ...rest } = standing;
  return recipientOf(making, rest, { transactionId: making.id(), transactionState, money: EURO });
}

function recipientOf(
  making: Making,
  { state, code }: SampleState,
  { transactionId, transactionState, money }: Belonging,
): Plain {
  const details = reasonOf(code, ({ category }) => recipientCategories[category].wire);
  return {
    id: making.id(),
    type: 'person',
    transaction_id: transactionId,
    transaction_external_id: EXTERNAL_ID,
    external_id: EXTERNAL_ID,
    transaction_state: transactionState,
    state,
    state_reason: details?.category === 'paid' ? null : (details?.description ?? null),
    state_reason_details: details,
    editable: isEditable(state),
    retriable: false,
    may_cancel: isWithService(state),
    requested_amount: money.amount,
    requested_currency: money.currency,
    input_amount: money.amount,
    input_currency: money.currency,
    input_usd_amount: money.usd,
    output_amount: money.output,
    output_currency: 'NGN',
    exchange_rate: money.rate,
    fee_fractional: 0,
    payout_method: payoutMethodSample(making),
    metadata: {},
    created_at: isoTime(making.now),
  };
}

const PAYIN_REFERENCE = 'SAMPLE17';

export function payinSample(
  { id }: Making,
  { state, code }: SampleState,
  transactionId: string = id(),
): Plain {
  const ux_flow = state === 'incomplete' ? 'otp_verified_ussd_popup' : 'ussd_popup';
  return {
    id: id(),
    type: 'GHS::Mobile',
    ux_flow,
    in_details: { phone_number: '+233302123400', mobile_provider: 'mtn', ux_flow },
    out_details: {},
    instructions: {},
    state,
    state_reason_details: reasonOf(code, (info) => {
      const category = payinCategoryOf(info.code);
      return category === undefined ? '' : payinCategories[category].wire;
    }),
    payin_reference: PAYIN_REFERENCE,
    external_id: EXTERNAL_ID,
    transaction_id: transactionId,
    transaction_external_id: EXTERNAL_ID,
    ...(state === 'incomplete' ? CODE_WANTED : {}),
  };
}

/** The field that a collection lacks while it waits for a one-time code. */
const CODE_WANTED = {
  errors: { otp: [{ error: 'blank' }] },
  fields: { otp: { type: 'input', validations: { presence: true } } },
};

export function transactionSample(making: Making, sample: TransactionSample): Plain {
  const { state, reason, funded, payin, recipient } = sample;
  const { id, now } = making;
  const money = payin ? CEDI : EURO;
  const transactionId = id();
  return {
    id: transactionId,
    external_id: EXTERNAL_ID,
    state,
    state_reason: reason ?? null,
    input_currency: money.currency,
    input_amount: money.amount,
    paid_amount: funded ? money.amount : 0,
    due_amount: funded ? 0 : money.amount,
    payin_reference: payin ? PAYIN_REFERENCE : null,
    sender: senderSample(making, { state: state === 'initial' ? 'initial' : 'approved' }),
    recipients: [recipientOf(making, recipient, { transactionId, transactionState: state, money })],
    payin_methods: payin ? [payinSample(making, payin, transactionId)] : [],
    traits: { account_validation: false, auto_refund: true },
    metadata: {},
    created_at: isoTime(now),
    updated_at: isoTime(now),
    expires_at: isoTime(now + PAID_WITHIN_MS),
  };
}

export function documentSample({ id }: Making): Plain {
  const own = id();
  const address = `https://files.example.com/documents/${own}`;
  return {
    id: own,
    upload: address,
    url: address,
    upload_file_name: 'passport.png',
    upload_content_type: 'image/png',
    upload_file_size: 24_016,
    category: 'uncategorised',
    source: 'Manual',
    metadata: {},
  };
}
