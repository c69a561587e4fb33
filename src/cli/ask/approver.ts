/** The questions that a write may come to, asked of the person at the terminal. */
import type { Question } from '../../desk/payments/gate.ts';
import type { Context } from '../context.ts';
import { askConfirm } from '../terminal/prompt.ts';

export const approve = (context: Context, question: Question): Promise<boolean> =>
  askConfirm(context, wordsOf(context, question));

function wordsOf(context: Context, question: Question): string {
  switch (question.about) {
    case 'production':
      return 'This is production. Do it?';
    case 'second_payment':
      context.say(question.said);
      return 'Make a second one?';
    case 'unknown_account':
      context.say(question.said, context.paint.yellow);
      return 'Use this account all the same?';
  }
}
