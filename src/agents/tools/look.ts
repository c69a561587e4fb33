/** Tools that look at payouts: triage, one payout with its life, and the words of the service. */
import * as z from 'zod';
import { money } from '../../core/amount-words.ts';
import { whoMustAct } from '../../payments/cases/standing.ts';
import { maskData } from '../../payments/words/mask.ts';
import { recipientLine } from '../../payments/words/payment-lines.ts';
import type { ToolCall } from '../call.ts';
import {
  amountField,
  asAmount,
  asCurrency,
  asId,
  asTheirs,
  asTime,
  asWord,
  currencyField,
  id,
  theirs,
  theirsOrNull,
  timeField,
  word,
} from '../text.ts';
import { given, tool } from '../tool.ts';

export const MOST = 25;

export const payoutOutput = z.strictObject({
  recipient_id: id('The payout, for story and plans.').nullable(),
  transaction_id: id('Its payment.').nullable(),
  reference: theirs('The external id of the payment.').nullable(),
  payee: theirs('Who is paid, where; accounts are masked.'),
  amount: amountField('Arrives.').nullable(),
  currency: currencyField('Of the amount.').nullable(),
  state: word('As the service names it; explain says what it means.').nullable(),
  why: theirs('Why it is listed.').nullable(),
});
type ShownPayout = z.output<typeof payoutOutput>;

interface Listed {
  id?: string | null | undefined;
  transaction_id?: string | null | undefined;
  transaction_external_id?: string | null | undefined;
  output_amount?: string | null | undefined;
  output_currency?: string | null | undefined;
  state?: string | null | undefined;
}

export const shownPayout = (
  { desk }: ToolCall,
  row: Listed & Parameters<typeof recipientLine>[0],
  why: string | null,
): ShownPayout => ({
  recipient_id: asId(row.id),
  transaction_id: asId(row.transaction_id),
  reference: theirsOrNull(row.transaction_external_id),
  payee: asTheirs(recipientLine(row, desk.mask)),
  amount: asAmount(row.output_amount),
  currency: asCurrency(row.output_currency),
  state: asWord(row.state),
  why: theirsOrNull(why),
});

export const notes = z.array(theirs('Said beside the answer.')).max(12);
export const toolNotes = (call: ToolCall, said: readonly Parameters<ToolCall['text']>[0][]) =>
  [...call.heard.map(({ says }) => says), ...said].slice(0, 12).map((one) => asTheirs(call.text(one)));

export const payoutCount = (length: number): string => (length === 1 ? '1 payout' : `${length} payouts`);

export const triageTool = tool({
  name: 'triage',
  title: 'Payouts that need somebody',
  description:
    'Lists payouts that need somebody to act, by who must act, the nearest deadline first. It asks the service.',
  input: {
    since: given.text('The first day of creation, such as 2026-10-01').optional(),
    until: given.text('The last day of creation').optional(),
  },
  output: {
    payouts: z.array(
      payoutOutput.extend({
        act: word('edit, cancel, ask the operator, or wait.').nullable(),
        tell: theirs('What is true to tell the customer.').nullable(),
      }),
    ),
    notes,
  },
  async run(call, period) {
    const { troubledNow } = await import('../../payments/cases/troubled.ts');
    const found = await troubledNow(call.desk, { ...period, limit: 200 });
    const rows = found.rows.slice(0, MOST);
    const more = found.rows.length - rows.length;
    return {
      says: `${payoutCount(found.rows.length)} need somebody${more > 0 ? `; the first ${rows.length} are listed` : ''}.`,
      data: {
        payouts: rows.map((row) => ({
          ...shownPayout(call, row, row.standing.because),
          act: asWord(row.standing.act),
          tell: theirsOrNull(row.standing.tell_the_customer),
        })),
        notes: toolNotes(call, found.notes),
      },
    };
  },
});

export const storyTool = tool({
  name: 'story',
  title: 'One payout, and what happened to it',
  description:
    'Tells where one payout stands now, who must act, what is true to tell the customer, what can be planned, and what happened to it so far. It asks the service.',
  input: { id: given.text('The id of a payout, or of a payment with one payout, or its reference') },
  output: {
    payout: payoutOutput,
    who: theirs('Who must act, and what they do.'),
    tell: theirs('What is true to tell the customer.'),
    can: z.array(word('A plan that can be made: edit, cancel, or request_cancel.')),
    events: z.array(
      z.strictObject({
        at: timeField('When; null is now.').nullable(),
        by: word('service or you.'),
        text: theirs('What happened.'),
        note: theirs('More of it.').nullable(),
      }),
    ),
    notes,
  },
  async run(call, { id }) {
    const [{ caseNow }, { lifeOf }, { foundAny }] = await Promise.all([
      import('../../payments/cases/facts.ts'),
      import('../../payments/cases/life.ts'),
      import('../../payments/lookup/recipient.ts'),
    ]);
    const { desk } = call;
    const found = await foundAny(desk, id);
    const [now, life] = await Promise.all([caseNow(desk, found), lifeOf(desk, found)]);
    const told = maskData(now, desk.mask);
    const { recipient, transaction } = found;
    const listed = {
      ...recipient,
      transaction_id: transaction.id,
      transaction_external_id: transaction.external_id,
    };
    return {
      says: `The payout is ${asWord(recipient.state) ?? 'in a state that this program does not know'}.`,
      data: {
        payout: shownPayout(call, listed, told.standing.because),
        who: asTheirs(whoMustAct(told, told.standing)),
        tell: asTheirs(told.standing.tell_the_customer),
        can: [...told.standing.can],
        events: life.moments.slice(-40).map(({ at, by, text, note }) => ({
          ...{ at: asTime(at), by, text: asTheirs(text), note: theirsOrNull(note) },
        })),
        notes: toolNotes(call, life.notes),
      },
    };
  },
});

export const explainTool = tool({
  name: 'explain',
  title: 'What a word of the service means',
  description:
    'Says what a state, a reason code, a category or an event of the service means, who must act, and what may follow. It needs no connection.',
  input: { word: given.text('Such as stuck, 416, recipient_error, recipient.error') },
  output: {
    meanings: z.array(
      z.strictObject({
        kind: theirs('What kind of word it is.'),
        name: theirs('The word.'),
        meaning: theirs('What it means.'),
        who: theirs('Who must act.').nullable(),
        tell: theirs('What is true to tell the customer.').nullable(),
      }),
    ),
  },
  async run(_, { word }) {
    const [{ glossary }, { meaningsOf }] = await Promise.all([
      import('../../integration/glossary.ts'),
      import('../../integration/look-up.ts'),
    ]);
    const found = meaningsOf(word, glossary()).slice(0, 5);
    return {
      says: found.length === 0 ? 'The service has no such word.' : 'The service means this by it.',
      data: {
        meanings: found.map(({ kind, name, meaning, who, tell }) => ({
          ...{ kind: asTheirs(kind), name: asTheirs(name), meaning: asTheirs(meaning) },
          ...{ who: theirsOrNull(who), tell: theirsOrNull(tell) },
        })),
      },
    };
  },
});

/** `12.50 EUR`, for sentences of ours. */
export const moneyText = (amount: string | null, code: string | null): string =>
  money(asAmount(amount), asCurrency(code)) ?? 'an amount that is not known';
