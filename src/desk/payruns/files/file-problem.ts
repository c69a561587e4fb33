import type { Said } from '../../../core/next.ts';
import { Problem } from '../../../core/problem.ts';

/** What is wrong with a file as a whole: none of its rows is used. */
export const fileProblem = (code: string, message: string, hint?: Said): Problem =>
  new Problem({
    category: 'usage',
    code,
    message,
    hint,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });

/** As sentences name it: `-` is standard input. */
export const wordsOfFile = (name: string): string => (name === '-' ? 'standard input' : name);
