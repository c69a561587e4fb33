/** The round at a terminal: choose a row, attend to it, come back to the list. What attending needs is loaded when it is needed. */
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { board } from './board.ts';
import type { Feed } from './feed.ts';
import type { Round } from './round.ts';

export async function sitAt(context: Context, feed: Feed): Promise<Round> {
  const round: Round = { done: [], exit: exitCodes.ok };
  let chosen: string | undefined;
  for (;;) {
    chosen = await chooseRow(context, feed, chosen);
    if (chosen === undefined) break;
    const { attend } = await import('./attend.ts');
    if ((await attend(context, feed, chosen, round)) === 'end') break;
  }
  const failure = feed.failure();
  if (failure !== undefined) throw failure;
  return round;
}

function chooseRow(context: Context, feed: Feed, chosen: string | undefined): Promise<string | undefined> {
  const { streams, world, paint } = context;
  const lines = (streams.stderr as { rows?: number }).rows ?? 24;
  return board(
    { feed, paint, columns: streams.columns, lines, chosen },
    { input: streams.stdin, output: streams.stderr, signal: world.interrupt, clearPromptOnDone: true },
  );
}
