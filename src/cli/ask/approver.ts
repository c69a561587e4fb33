/** The questions that a write may come to, asked of the person at the terminal. Each defaults to No. */
import type { Question } from '../../desk/payments/gate.ts';
import type { Context } from '../context.ts';
import { askConfirm, askText } from '../terminal/prompt.ts';

export async function approve(context: Context, question: Question): Promise<boolean> {
  if (question.about !== 'word') return askConfirm(context, wordsOf(context, question));
  context.say(question.said);
  const typed = await askText(context, `To say so, type "${question.word}"`, { required: true });
  return typed.trim().toLowerCase() === question.word;
}

function wordsOf(context: Context, question: Exclude<Question, { about: 'word' }>): string {
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
