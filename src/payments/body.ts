/** Makes the body of a transaction from flags and file: plain texts, checked before anything is sent. */
import type * as z from 'zod/mini';
import { RequestError } from '../client/errors.ts';
import { roundedIn } from '../client/rounding.ts';
import { type TransactionWrite, transactionWrite } from '../contract/resources/transaction.ts';
import { roundFor, roundsUp } from '../core/currency.ts';
import { isUuid } from '../core/ids.ts';
import { AmountError, type AmountFrom, eq, format, round } from '../core/money.ts';
import { hint } from '../core/next.ts';
import { type FieldProblem, type Problem, refuse, usage } from '../core/problem.ts';
import { readAmount } from './amount.ts';
import { chosenFlow, flowsOf, type PayinFlags } from './collection.ts';

export type BodyDraft = Record<string, unknown> & { recipients?: unknown };

export interface BodyFlags {
  inputCurrency?: string | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
  type?: string | undefined;
  recipientType?: string | undefined;
  details: Record<string, string>;
  payin?: PayinFlags | undefined;
  sender?: string | undefined;
  senderFields: Record<string, string>;
  externalId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  recipientMetadata?: Record<string, unknown> | undefined;
  payoutMetadata?: Record<string, unknown> | undefined;
  autoRefund?: boolean | undefined;
  accountValidation?: boolean | undefined;
}

/** The file's members, with the flags laid over them. `asks`: what the flags leave open is asked later. */
export function draftOf(
  file: Record<string, unknown> | undefined,
  flags: BodyFlags,
  { asks = false }: { asks?: boolean } = {},
): BodyDraft {
  const inner = file?.transaction;
  const base = structuredClone(
    (typeof inner === 'object' && inner !== null ? inner : (file ?? {})) as BodyDraft,
  );
  if (flags.inputCurrency !== undefined) base.input_currency = flags.inputCurrency;
  if (flags.externalId !== undefined) base.external_id = flags.externalId;
  if (flags.metadata !== undefined) base.metadata = flags.metadata;
  layTraits(base, flags);
  laySender(base, flags);
  layRecipient(base, flags);
  layPayin(base, flags, asks);
  return base;
}

function layTraits(base: BodyDraft, { autoRefund, accountValidation }: BodyFlags): void {
  const traits: Record<string, unknown> = { ...(base.traits as object | undefined) };
  for (const [name, value] of Object.entries(traits))
    if (value === 'true' || value === 'false') traits[name] = value === 'true';
  if (autoRefund !== undefined) traits.auto_refund = autoRefund;
  if (accountValidation !== undefined) traits.account_validation = accountValidation;
  if (Object.keys(traits).length > 0) base.traits = traits;
}

/** `--sender` is an id where it is a UUID, else an external id (docs/wire.md 7). */
function laySender(base: BodyDraft, { sender, senderFields }: BodyFlags): void {
  if (sender === undefined && Object.keys(senderFields).length === 0) return;
  const reference =
    sender === undefined ? {} : isUuid(sender) ? { id: sender.toLowerCase() } : { external_id: sender };
  const earlier = Object.entries((base.sender ?? {}) as Record<string, unknown>);
  const sent: Record<string, unknown> = {
    // The flag gives the members that a skeleton leaves empty.
    ...Object.fromEntries(earlier.filter(([, value]) => sender === undefined || value !== '')),
    ...reference,
    ...senderFields,
  };
  base.sender = isNewPerson(sent, senderFields) ? { documents: [], metadata: {}, ...sent } : sent;
}

/** Flags that name a person describe a new sender: it has the defaults that `sender create` has. */
function isNewPerson(sent: Record<string, unknown>, flags: Record<string, string>): boolean {
  const named = flags.name !== undefined || (flags.first_name !== undefined && flags.last_name !== undefined);
  return named && sent.id === undefined;
}

function layRecipient(base: BodyDraft, flags: BodyFlags): void {
  const { recipientMetadata, payoutMetadata } = flags;
  const given =
    flags.amount ??
    flags.currency ??
    flags.type ??
    flags.recipientType ??
    recipientMetadata ??
    payoutMetadata;
  if (given === undefined && Object.keys(flags.details).length === 0) return;
  const list = Array.isArray(base.recipients) ? base.recipients : [{}];
  if (list.length > 1)
    throw usage('the file has several recipients: flags for one recipient do not say which');
  const [one = {}] = list as Record<string, unknown>[];
  const method = (one.payout_method ?? {}) as Record<string, unknown>;
  const type = flags.type ?? method.type;
  const currency =
    flags.currency ?? one.requested_currency ?? (type === undefined ? type : String(type).split('::')[0]);
  // An amount that is typed can be read in two ways; one in a file was written by a program.
  if (flags.amount !== undefined && typeof currency === 'string')
    amountAt('recipients.0.requested_amount', flags.amount, currency, 'typed');
  base.recipients = [
    {
      ...one,
      ...(flags.recipientType === undefined ? {} : { type: flags.recipientType }),
      ...(flags.amount === undefined ? {} : { requested_amount: flags.amount }),
      ...(flags.currency === undefined ? {} : { requested_currency: flags.currency }),
      ...(recipientMetadata === undefined ? {} : { metadata: recipientMetadata }),
      payout_method: {
        ...method,
        ...(flags.type === undefined ? {} : { type: flags.type }),
        ...(payoutMetadata === undefined ? {} : { metadata: payoutMetadata }),
        details: { ...(method.details as object | undefined), ...flags.details },
      },
    },
  ];
}

/** A collection is paid in the currency of its payin. */
function layPayin(base: BodyDraft, { payin }: BodyFlags, asks: boolean): void {
  if (payin === undefined) return;
  const list = Array.isArray(base.payin_methods) ? base.payin_methods : [{}];
  if (list.length > 1) throw usage('the file has several payin methods: flags for one do not say which');
  const [one = {}] = list as Record<string, unknown>[];
  const type = payin.type ?? one.type;
  if (typeof type !== 'string')
    throw usage('the payin type is missing', hint`such as ${{ give: 'payin', value: 'GHS::Mobile' }}`);
  const isOther = payin.type !== undefined && payin.type !== one.type;
  const flow = payin.flow ?? (isOther ? undefined : one.ux_flow);
  base.payin_methods = [
    {
      ...one,
      type,
      ...flowMember(type, typeof flow === 'string' ? flow : undefined, asks),
      in_details: { ...(one.in_details as object | undefined), ...payin.details },
    },
  ];
  base.input_currency ??= type.split('::')[0];
}

function flowMember(type: string, flow: string | undefined, asks: boolean): { ux_flow?: string } {
  const isOpen = asks && flow === undefined && Object.keys(flowsOf(type) ?? {}).length > 1;
  return isOpen ? {} : { ux_flow: chosenFlow(type, flow) };
}

/** A body that fits the contract, amounts in plain digits. @throws Problem (usage): nothing was sent */
export function checkBody(draft: BodyDraft): TransactionWrite {
  fillDefaults(draft);
  readAmounts(draft);
  const checked = transactionWrite.safeParse(draft);
  if (!checked.success) throw misfit(checked.error.issues);
  return checked.data;
}

/**
 * Fills in the members that the service requires and users need not type: the kind of recipient, and empty
 * metadata.
 */
function fillDefaults(draft: BodyDraft): void {
  draft.metadata ??= {};
  if (!Array.isArray(draft.recipients)) return;
  for (const recipient of draft.recipients as Record<string, unknown>[]) {
    if (typeof recipient !== 'object' || recipient === null) continue;
    recipient.type ??= 'person';
    const type = (recipient.payout_method as { type?: unknown } | undefined)?.type;
    if (recipient.requested_currency === undefined && typeof type === 'string')
      recipient.requested_currency = type.split('::')[0];
  }
}

/** Checks amounts before the rest: a mistyped amount is reported as an amount. */
function readAmounts(draft: BodyDraft): void {
  if (!Array.isArray(draft.recipients)) return;
  for (const [index, recipient] of (draft.recipients as Record<string, unknown>[]).entries()) {
    const { requested_amount: amount, requested_currency: currency } = recipient ?? {};
    if (typeof amount !== 'string' || typeof currency !== 'string') continue;
    recipient.requested_amount = amountAt(
      `recipients.${index}.requested_amount`,
      amount,
      currency,
      'written',
    );
  }
}

function amountAt(path: string, text: string, currency: string, from: AmountFrom): string {
  try {
    return readAmount(text, currency, from);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw refuse('usage', 'amount', error.message, {
      fields: [{ path, words: [error.message] }],
      note: 'nothing was sent',
    });
  }
}

/** `1200.50 NGN will be paid as 1201 NGN`, for each requested amount that the service will round up. */
export function roundingNotes(body: TransactionWrite): string[] {
  return roundedIn(body).flatMap(({ currency, asked }) => roundingNote(currency, asked));
}

/** None where nothing is rounded. */
export function roundingNote(currency: string, amount: string): string[] {
  const rounded = roundFor(currency, amount);
  if (eq(rounded, amount)) return [];
  // The product of a rate is shown with two places; rounded up, so that it never looks as if nothing were rounded.
  const exact = `${round(amount, 2, 'up')} ${currency}`;
  return roundsUp(currency)
    ? [`${exact} will be paid as ${rounded} ${currency}: ${currency} is paid in whole units, rounded up`]
    : [`${format(amount, 2)} ${currency} is rounded to ${rounded} ${currency}`];
}

function misfit(issues: readonly z.core.$ZodIssue[]): Problem {
  const fields = issues.flatMap(problemsOf);
  const missing = issues.filter(isMissing).map(({ path }) => path.join('.'));
  const error = new RequestError('transactions.create', []);
  return refuse(
    'usage',
    'body',
    missing.length > 0
      ? `the transaction is not complete: ${missing.join(', ')}`
      : 'the transaction does not fit the contract',
    {
      hint:
        missing.length > 0
          ? hint`give it by flag (${{ do: 'describe_payment' }}) or in ${{ give: 'file' }}`
          : undefined,
      fields,
      cause: error,
      note: 'nothing was sent',
    },
  );
}

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.input === undefined;

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      words: ['is not a member that the service knows'],
    }));
  }
  if (isMissing(issue)) return [{ path, words: ['is missing'] }];
  return [{ path, words: [issue.message] }];
}
