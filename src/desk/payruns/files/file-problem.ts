import type { Said } from '../../../core/next.ts';
import { Problem } from '../../../core/problem.ts';

/** The problem of a file as a whole: none of its rows is used. */
export const fileProblem = (code: string, message: string, hint?: Said): Problem =>
  new Problem({
    category: 'usage',
    code,
    message,
    hint,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });

/** Returns the name of a file for sentences: `-` is standard input. */
export const wordsOfFile = (name: string): string => (name === '-' ? 'standard input' : name);
