/** Makes a body that is ready to be sent, from flags, a file and, on a terminal, questions. */
import { wrongDetailsIn } from '../../../contract/corridors/wrong-details.ts';
import type { TransactionWrite } from '../../../contract/resources/transaction.ts';
import { parseTextFile, readTextFile } from '../../../frame/flags/text-file.ts';
import { type BodyDraft, checkBody, draftOf } from '../../body.ts';
import type { Confirmer } from '../../gate.ts';
import { refuseGaps, unknownNames } from '../../missing-fields.ts';
import { type Guard, guardDetails } from '../../wrong-accounts.ts';
import type { Context } from '../context.ts';
import type { PaymentFlags } from '../flags/payment.ts';
import type { Form } from './form.ts';

/** A payment on its way to be sent: what is given, and the questions for the rest. */
export interface PaymentDraft {
  form: Form;
  /** The answers so far; the questions write into it. */
  draft: BodyDraft;
  /** @throws Problem (usage) where something is missing, or cannot be right, or looks wrong and is not meant */
  body(confirmer: Confirmer): Promise<PreparedBody>;
}

export interface PreparedBody {
  transaction: TransactionWrite;
  /** An account looks wrong by itself, and is meant. */
  isAsWritten: boolean;
}

/** `short`: only what an amount can be quoted by is asked. */
export async function paymentFrom(
  context: Context,
  flags: PaymentFlags,
  { short = false }: { short?: boolean } = {},
): Promise<PaymentDraft> {
  const isBegun = flags.file !== undefined || flags.from !== undefined;
  const asks = context.interactive && !isBegun;
  const draft = await draftFrom(context, flags, asks);
  return {
    form: await formFor(context, draft, { asks, short }),
    draft,
    body: (confirmer) => bodyOf(context, draft, { confirmer, asWritten: flags.accountAsWritten }),
  };
}

/** Loads its questions only where there is a user to ask. */
async function formFor(
  context: Context,
  draft: BodyDraft,
  how: { asks: boolean; short: boolean },
): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  return (await import('./payment-form.ts')).paymentForm(context, draft, how);
}

/** A body that was asked for, without another look at it. */
export async function preparedBody(context: Context, flags: PaymentFlags): Promise<TransactionWrite> {
  const [{ form, body }, { throughForm }] = await Promise.all([
    paymentFrom(context, flags),
    import('./form.ts'),
  ]);
  return throughForm(context, form, async (confirmer) => (await body(confirmer)).transaction);
}

async function draftFrom(
  context: Context,
  { file, from, body }: PaymentFlags,
  asks: boolean,
): Promise<BodyDraft> {
  if (from !== undefined) {
    const { likeEarlier } = await import('../../from-earlier.ts');
    return draftOf(await likeEarlier(context, from), body);
  }
  if (file === undefined) return draftOf(undefined, body, { asks });
  const text = await readTextFile(context.process, file);
  return draftOf(await parseTextFile(text, file === '-' ? 'standard input' : file), body);
}

async function bodyOf(context: Context, draft: BodyDraft, guard: Guard): Promise<PreparedBody> {
  await refuseGaps(draft);
  const body = checkBody(structuredClone(draft));
  const isAsWritten = await guardDetails(context, guard, await wrongDetailsIn(body));
  const { listedSoFar } = await import('../../offered.ts');
  for (const note of unknownNames(body, await listedSoFar(context))) context.say(note);
  return { transaction: body, isAsWritten };
}
