/** The questions of a payment, in the order in which they are asked. Each answer goes into the draft where the request has it. */

import { isRecord } from '../../../client/fields.ts';
import { describeField } from '../../../contract/corridors/check.ts';
import type { PartyKind } from '../../../contract/corridors/corridor.ts';
import { knownFlow } from '../../../contract/corridors/wrong-details.ts';
import type { FieldDescription } from '../../../contract/resources/info.ts';
import { transaction as transactionSchema } from '../../../contract/resources/transaction.ts';
import { roundsUp } from '../../../core/currency.ts';
import { askChoice, askText } from '../../../frame/terminal/prompt.ts';
import type { BodyDraft } from '../../body.ts';
import { flowsOf } from '../../collection.ts';
import type { Descriptors } from '../../offered.ts';
import type { Context } from '../context.ts';
import {
  type AskedDetails,
  askType,
  detailQuestions,
  dropForeign,
  fieldQuestion,
  openBeside,
  openDescriptors,
} from './details.ts';
import type { Form, Question } from './form.ts';
import { judgeAmount, judgeCurrency } from './judges.ts';
import { senderQuestion } from './sender-question.ts';

interface Recipient {
  type?: string;
  requested_amount?: string;
  requested_currency?: string;
  payout_method: { type?: string; details: AskedDetails };
}

interface Payin {
  type?: string;
  ux_flow?: string;
  in_details?: AskedDetails;
}

interface How {
  /** True where everything that is missing is asked; else only what is refused is. */
  asks: boolean;
  /** Only what an amount can be quoted by. */
  short: boolean;
}

export function paymentForm(context: Context, draft: BodyDraft, { asks, short }: How): Form {
  const recipients = recipientsOf(draft, asks);
  const given = recipients.map(({ payout_method: { details } }) => Object.keys(details));
  const opened = openAtFirst(draft, recipients, asks);
  const learnt: (Descriptors | undefined)[] = [];
  const types = recipients.map(({ payout_method: { type } }) => type);
  const sender = senderQuestion(context, draft, { isOpen: opened.sender && !short });
  const isOpen = (index: number) => (name: string, required: boolean) =>
    asks && !short && openBeside(given[index] ?? [])(name, required);
  return {
    async questions() {
      const each = recipients.map((one, index) => recipientQuestions(context, one, { index, opened }));
      const details = recipients.map((one, index) => {
        const { type } = one.payout_method;
        const isOther = types[index] !== undefined && types[index] !== type;
        if (isOther) learnt[index] = undefined;
        types[index] = type;
        return payoutQuestions(context, one, {
          index,
          isOther,
          isOpen: isOpen(index),
          descriptors: learnt[index],
        });
      });
      return [
        ...((draft.payin_methods as Payin[] | undefined) ?? []).flatMap((payin, index) =>
          payinQuestions(context, payin, index, asks),
        ),
        ...each.flatMap((questions, index) => numbered(questions, index, recipients.length)),
        currencyQuestion(context, draft, opened.currency),
        sender,
        ...(await Promise.all(details)).flatMap((questions, index) =>
          numbered(questions, index, recipients.length),
        ),
      ];
    },
    learn({ resource }) {
      const repeated = transactionSchema.safeParse(resource);
      if (!repeated.success) return;
      for (const [index, one] of (repeated.data.recipients ?? []).entries())
        learnt[index] = (one.payout_method?.fields as Descriptors | undefined) ?? learnt[index];
    },
  };
}

/** Where anything is asked there is one at least, and each has a payout method to be filled in. */
function recipientsOf(draft: BodyDraft, asks: boolean): Recipient[] {
  const written = Array.isArray(draft.recipients) ? (draft.recipients as unknown[]) : [];
  if (asks && written.length === 0) written.push({});
  if (asks) draft.recipients = written;
  const recipients = written.filter(isRecord) as (Partial<Recipient> & object)[];
  if (asks) for (const one of recipients) one.payout_method ??= { details: {} };
  return recipients.flatMap((one) => {
    if (!isRecord(one.payout_method)) return [];
    one.payout_method.details ??= {};
    return [one as Recipient];
  });
}

/** Returns the questions of one recipient. With several recipients a label says which. */
const numbered = (questions: Question[], index: number, count: number): Question[] =>
  count === 1
    ? questions
    : questions.map((one) => ({ ...one, label: `Recipient ${index + 1}: ${one.label}` }));

interface Opened {
  type: boolean[];
  amount: boolean[];
  currency: boolean;
  sender: boolean;
  /** The currency of the amount was said, so it stays where the payout type changes. */
  ownCurrency: boolean[];
}

/** The answers still missing when the questions begin. */
const openAtFirst = (draft: BodyDraft, recipients: readonly Recipient[], asks: boolean): Opened => ({
  type: recipients.map(({ payout_method: { type } }) => asks && type === undefined),
  amount: recipients.map(({ requested_amount: amount }) => asks && amount === undefined),
  ownCurrency: recipients.map(({ requested_currency: currency }) => currency !== undefined),
  currency: asks && draft.input_currency === undefined,
  sender: asks && draft.sender === undefined,
});

const kindOf = ({ type }: Recipient): PartyKind => (type === 'business' ? 'business' : 'person');
const currencyOf = (type: string | undefined): string => type?.split('::')[0] ?? '';

function recipientQuestions(
  context: Context,
  one: Recipient,
  { index, opened }: { index: number; opened: Opened },
): Question[] {
  const method = one.payout_method;
  const currency = one.requested_currency ?? currencyOf(method.type);
  return [
    {
      path: `recipients.${index}.payout_method.type`,
      label: 'Paid out by',
      isOpen: opened.type[index] ?? false,
      shown: method.type,
      ask: ({ back }) => askType(context, method.type, back),
      take(type) {
        method.type = type;
        if (!opened.ownCurrency[index]) one.requested_currency = currencyOf(type);
      },
    },
    {
      path: `recipients.${index}.requested_amount`,
      label: 'Amount',
      dependsOn: currency,
      isOpen: opened.amount[index] ?? false,
      shown: one.requested_amount && `${one.requested_amount} ${currency}`,
      ask: ({ back }) =>
        askText(context, `Amount in ${currency}${roundsUp(currency) ? ' (whole units, rounded up)' : ''}`, {
          default: one.requested_amount,
          required: true,
          validate: (text) => judgeAmount(text, currency),
          back,
        }),
      take(amount) {
        one.requested_amount = amount;
        one.requested_currency ??= currency;
      },
    },
    {
      path: `recipients.${index}.requested_currency`,
      label: 'Currency of the amount',
      isOpen: false,
      shown: undefined,
      ask: ({ back }) => askCurrency(context, 'Currency of the amount', currency, back),
      take(code) {
        one.requested_currency = code.toUpperCase();
      },
    },
  ];
}

function currencyQuestion(context: Context, draft: BodyDraft, isOpen: boolean): Question {
  const standing = typeof draft.input_currency === 'string' ? draft.input_currency : undefined;
  return {
    path: 'input_currency',
    label: 'Paid in',
    isOpen,
    shown: standing,
    ask: ({ back }) => askCurrency(context, 'Which currency do you pay in?', standing ?? 'EUR', back),
    take(code) {
      draft.input_currency = code.toUpperCase();
    },
  };
}

const askCurrency = (context: Context, message: string, standing: string, back: boolean): Promise<string> =>
  askText(context, message, { default: standing, required: true, validate: judgeCurrency, back });

async function payoutQuestions(
  context: Context,
  one: Recipient,
  {
    index,
    isOther,
    isOpen,
    descriptors: learnt,
  }: {
    index: number;
    /** Another type than before: answers that it does not know go. */
    isOther: boolean;
    isOpen: (name: string, required: boolean) => boolean;
    descriptors: Descriptors | undefined;
  },
): Promise<Question[]> {
  const { type, details } = one.payout_method;
  if (type === undefined) return [];
  const kind = kindOf(one);
  const at = { type, kind, prefix: `recipients.${index}.payout_method.details.`, details, isOpen };
  const descriptors = learnt ?? (await openDescriptors(context, at));
  if (isOther) dropForeign(details, descriptors);
  return detailQuestions(context, { ...at, descriptors });
}

/** How the customer is asked to pay, and what that flow must know. */
function payinQuestions(context: Context, payin: Payin, index: number, asks: boolean): Question[] {
  const { type = '', ux_flow: flow } = payin;
  const flows = Object.keys(flowsOf(type) ?? {});
  payin.in_details ??= {};
  const details = payin.in_details;
  const prefix = `payin_methods.${index}.in_details.`;
  const fields = knownFlow(payin)?.inDetails ?? [];
  const questions = fields.map((known) =>
    fieldQuestion(
      context,
      {
        type: `${type} ${flow}`,
        kind: 'person',
        prefix,
        details,
        isOpen: (_, required) => asks && required && known.name in details === false,
      },
      { name: known.name, known, field: describeField(known, () => ({})) as FieldDescription },
    ),
  );
  const choices = flows.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  const flowQuestion: Question = {
    path: `payin_methods.${index}.ux_flow`,
    label: 'The customer pays by',
    isOpen: asks && flow === undefined && choices.length > 0,
    shown: flow,
    ask: ({ back }) =>
      askChoice(context, 'How is the customer asked to pay?', choices, { standing: flow, back }),
    take(chosen) {
      payin.ux_flow = chosen;
    },
  };
  return choices.length > 1 ? [flowQuestion, ...questions] : questions;
}
