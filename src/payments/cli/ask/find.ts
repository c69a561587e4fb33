/**
 * A person names a thing: where it may be one of several, a terminal is asked which one; elsewhere all of
 * them are told.
 */

import { Ambiguous } from '../../../core/problem.ts';
import * as mandate from '../../lookup/mandate.ts';
import * as payinMethod from '../../lookup/payin-method.ts';
import * as recipient from '../../lookup/recipient.ts';
import type { Context } from '../context.ts';

/** `bare` where the lines alone tell the choices apart. @throws Ambiguous without a user to ask */
export async function chooseOne<T>(context: Context, find: () => Promise<T>, bare = false): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Ambiguous) || !context.interactive) throw error;
    const { question, candidates } = error as Ambiguous<T>;
    const { askChoice } = await import('../../../frame/terminal/prompt.ts');
    const choices = candidates.map(({ id, line }) => ({ value: id, label: line, bare }));
    const chosen = await askChoice(context, question, choices);
    const one = candidates.find(({ id }) => id === chosen);
    if (one === undefined) throw error;
    return one.take();
  }
}

export const chooseRecipient = (context: Context, given: string, how: recipient.HowToFind) =>
  chooseOne(context, () => recipient.findRecipient(context, given, how));

export const chooseRecipientOf = (context: Context, transactionId: string) =>
  chooseOne(context, () => recipient.findRecipientOf(context, transactionId), true);

export const chooseRecipients = (context: Context, given: readonly string[], how: recipient.HowToFind) =>
  recipient.findRecipients(context, given, how, (_, one) => chooseRecipient(context, one, how));

export const choosePayinMethod = (context: Context, given: string, use: 'read' | 'write') =>
  chooseOne(context, () => payinMethod.findPayinMethod(context, given, use));

export const withChosenMandate = <T>(
  context: Context,
  what: { given: string; use: 'read' | 'write' },
  act: (id: string) => Promise<T>,
): Promise<T> => chooseOne(context, () => mandate.withMandate(context, what, act));
