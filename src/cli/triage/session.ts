/** The round at a terminal: choose a row, attend to it, come back to the list. What attending needs is loaded when it is needed. */

import { problemOf } from '../../desk/problem-of.ts';
import type { Context } from '../context.ts';
import { exitCodes, exitOf, worst } from '../exit-codes.ts';
import { reportProblem } from '../output/report.ts';
import { asking } from '../terminal/asking.ts';
import { board } from './board.ts';
import type { Feed } from './feed.ts';
import type { Round } from './round.ts';

export async function sitAt(context: Context, feed: Feed): Promise<Round> {
  const round: Round = { done: [], exit: exitCodes.ok };
  const nothingDone = (): boolean => round.done.length === 0 && round.exit === exitCodes.ok;
  try {
    await goRound(context, feed, round);
  } catch (error) {
    // Ctrl-C ends the round, and what was done before it stays done: it is told, never taken back in words.
    if (nothingDone() || problemOf(error).facts.category !== 'interrupted') throw error;
    context.streams.err(`remit: stopped; ${STOPPED[round.done.length === 0 ? 'tried' : 'done']}\n`);
    return { ...round, exit: exitCodes.interrupted };
  }
  const failure = feed.failure();
  if (failure === undefined) return round;
  if (nothingDone()) throw failure;
  const told = problemOf(failure);
  await reportProblem(told, context.world, { json: false, debug: context.globals.debug !== 'off' });
  return { ...round, exit: worst([round.exit, exitOf(told)]) };
}

const STOPPED = {
  done: 'what was done before is below',
  tried: 'what became of what was tried is told above, and in remit history',
};

async function goRound(context: Context, feed: Feed, round: Round): Promise<void> {
  let chosen: string | undefined;
  for (;;) {
    chosen = await chooseRow(context, feed, chosen);
    if (chosen === undefined) return;
    const { attend } = await import('./attend.ts');
    if ((await attend(context, feed, chosen, round)) === 'end') return;
  }
}

function chooseRow(context: Context, feed: Feed, chosen: string | undefined): Promise<string | undefined> {
  const { streams, paint } = context;
  const lines = (streams.stderr as { rows?: number }).rows ?? 24;
  return asking(context, (at) =>
    board({ feed, paint, columns: streams.columns, lines, chosen }, { ...at, clearPromptOnDone: true }),
  );
}
