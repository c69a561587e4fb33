/** The questions that a write may come to, asked of the person at the terminal. Each defaults to No. */

import { askConfirm, askText, askWord } from '../../../frame/terminal/prompt.ts';
import { asksToType, type Confirmation, isConfirmed } from '../../confirmation.ts';
import type { Confirmable } from '../../gate.ts';
import type { Context } from '../context.ts';

export async function confirm(context: Context, question: Confirmable): Promise<boolean> {
  if (question.about !== 'word') {
    const words = wordsOf(context, question);
    const confirm = 'confirm' in question ? question.confirm : undefined;
    return confirm === undefined ? askConfirm(context, words) : typeIt(context, words, confirm);
  }
  context.say(question.said);
  const typed = await askWord(context, `To say so, type "${question.word}"`);
  return typed.trim().toLowerCase() === question.word;
}

/** A `y` is typed before the question is read, so in production the thing itself is typed. Enter alone means No. */
async function typeIt(context: Context, message: string, confirm: Confirmation): Promise<boolean> {
  const typed = await askText(context, `${message} ${asksToType(confirm)}`, {
    fresh: true,
    validate: (text) =>
      isNo(text) || isConfirmed(confirm, text) || `This is not ${confirm.shown}. Enter alone stops`,
  });
  return !isNo(typed);
}

const isNo = (text: string): boolean => ['', 'n', 'no'].includes(text.trim().toLowerCase());

function wordsOf(context: Context, question: Exclude<Confirmable, { about: 'word' }>): string {
  switch (question.about) {
    case 'proceed':
      return question.said;
    case 'second_payment':
      context.say(question.said);
      return 'Pay it a second time?';
    case 'wrong_account':
    case 'unknown_account':
    case 'other_holder':
      context.say(question.said, context.paint.yellow);
      return 'Use this account all the same?';
  }
}
