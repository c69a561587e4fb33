import { type ExitCode, exitCodes } from '../../../frame/exit-codes.ts';
import { problemOf } from '../../problem-of.ts';
import type { Context } from '../context.ts';
import { type Result, result } from '../result.ts';
import { type Done, doneView } from '../views/triage.ts';

/** The acts that were done so far, and the worst of their exit codes. */
export interface Round {
  done: Done[];
  exit: ExitCode;
}

export const isUntouched = ({ done, exit }: Round): boolean => done.length === 0 && exit === exitCodes.ok;

/** Ctrl-C ends the round, and what was done before it stays done: it is reported, never taken back in words. */
export async function wentRound(context: Context, go: (round: Round) => Promise<void>): Promise<Round> {
  const round: Round = { done: [], exit: exitCodes.ok };
  try {
    await go(round);
    return round;
  } catch (error) {
    if (isUntouched(round) || problemOf(error).facts.category !== 'interrupted') throw error;
    context.streams.err(`remit: stopped; ${STOPPED[round.done.length === 0 ? 'tried' : 'done']}\n`);
    return { ...round, exit: exitCodes.interrupted };
  }
}

const STOPPED = {
  done: 'what was done before is below',
  tried: 'what became of what was tried is told above, and in remit history',
};

export const shownRound = ({ done, exit }: Round): Result =>
  done.length === 0 ? { done: true, exit } : result(doneView, done, { exit });
