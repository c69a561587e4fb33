/**
 * A calculation tells the cost of a payment. The service calculates a whole payment; without sender and
 * account the rates of now give an indication.
 */
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { sameCommand } from '../../../frame/output/command-line.ts';
import { type BodyDraft, roundingNotes } from '../../body.ts';
import { calculate as calculateWhole } from '../../calculate.ts';
import { senderIdOf } from '../../lookup/sender.ts';
import { type QuoteRequest, quote } from '../../quote.ts';
import { namingSender } from '../../sender-words.ts';
import { throughForm } from '../ask/form.ts';
import { paymentFrom } from '../ask/payment.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { paymentFlags, paymentWords, readPaymentFlags } from '../flags/payment.ts';
import { result } from '../result.ts';
import { calculationView } from '../views/transaction.ts';

export const command = defineCommand({
  description:
    'What a payment would cost and what would arrive. It creates nothing. Payout type, amount and currency are enough for an indication by the rates of now; with sender and details the service calculates the whole payment.',
  flags: paymentFlags,
  shows: [calculationView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit tx calculate --type NGN::Bank --amount 25000 --input-currency EUR',
    'remit tx calculate --input-currency EUR --amount 25000 --type NGN::Bank --sender customer-17 --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit tx calculate --file payment.yaml',
  ],
  read: readPaymentFlags,
  async run(context, flags) {
    const {
      form,
      draft,
      body: bodyOf,
    } = await paymentFrom(context, flags, {
      short: flags.body.payin === undefined,
    });
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const same = (): string[] => (wasAsked() ? sameCommand(context, paymentWords(draft)) : []);
      if (!isWhole(draft)) {
        const quoted = await indication(context, draft);
        return result(calculationView, quoted, { notes: [INDICATION, ...same()] });
      }
      const { transaction: body } = await bodyOf(confirmer);
      const calculated = await namingSender(context, body, () => calculateWhole(context, body));
      return result(calculationView, calculated, { notes: [...roundingNotes(body), ...same()] });
    });
  },
});

const INDICATION =
  'This is an indication by the rates of now: no sender and no account were given. A transaction gets the rate of the moment when it is made';

interface Recipient {
  requested_amount?: unknown;
  requested_currency?: unknown;
  payout_method?: { type?: unknown; details?: object };
}

const recipientsOf = ({ recipients }: BodyDraft): Recipient[] =>
  Array.isArray(recipients) ? (recipients as Recipient[]) : [];

/** A calculation of the service wants a sender, and somewhere to pay out. */
function isWhole(draft: BodyDraft): boolean {
  const hasDetails = recipientsOf(draft).some(
    ({ payout_method: method }) => Object.keys(method?.details ?? {}).length > 0,
  );
  return (draft.sender !== undefined && hasDetails) || draft.payin_methods !== undefined;
}

async function indication(context: Context, draft: BodyDraft): Promise<Transaction> {
  const from = textOf(draft.input_currency);
  const wanted = recipientsOf(draft).map(wantedOf);
  const [missing] = [
    from === undefined ? 'the currency you pay in is missing' : undefined,
    ...(wanted.length === 0 ? ['the payout type is missing'] : wanted.map(({ lacks }) => lacks)),
  ].filter((one) => one !== undefined);
  if (missing !== undefined || from === undefined)
    throw usage(missing ?? '', 'such as --type NGN::Bank --amount 25000 --input-currency EUR');
  const { id, external_id: reference } = (draft.sender ?? {}) as { id?: unknown; external_id?: unknown };
  const sender = textOf(id ?? reference);
  const senderId = sender === undefined ? undefined : await senderIdOf(context, sender);
  return quote(context, { from, senderId, wanted });
}

function wantedOf(recipient: Recipient): QuoteRequest & { lacks?: string | undefined } {
  const to = textOf(recipient.payout_method?.type)?.split('::')[0];
  const amount = textOf(recipient.requested_amount);
  const lacks =
    to === undefined
      ? 'the payout type is missing'
      : amount === undefined
        ? 'the amount is missing'
        : undefined;
  return {
    amount: amount ?? '',
    to: to ?? '',
    currency: textOf(recipient.requested_currency) ?? to ?? '',
    lacks,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
