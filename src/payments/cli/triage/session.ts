/** The round at a terminal: choose a row, attend to it, come back to the list. What attending needs is loaded when it is needed. */

import type { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:tty';
import { exitCodes, exitOf, worst } from '../../../frame/exit-codes.ts';
import { reportProblem } from '../../../frame/output/report.ts';
import { asking } from '../../../frame/terminal/asking.ts';
import { problemOf } from '../../problem-of.ts';
import type { Context } from '../context.ts';
import { type BoardPlace, board } from './board.ts';
import type { Feed } from './feed.ts';
import { isUntouched, type Round, wentRound } from './round.ts';

export async function sitAt(context: Context, feed: Feed): Promise<Round> {
  const round = await wentRound(context, (begun) => goRound(context, feed, begun));
  const failure = feed.failure();
  if (failure === undefined || round.exit === exitCodes.interrupted) return round;
  if (isUntouched(round)) throw failure;
  const told = problemOf(failure);
  await reportProblem(told, context.process, { json: false, debug: context.globals.debug !== 'off' });
  return { ...round, exit: worst([round.exit, exitOf(told)]) };
}

const CLEAR_SCREEN = '\u001b[2J\u001b[H';

async function goRound(context: Context, feed: Feed, round: Round): Promise<void> {
  let place: BoardPlace = { chosen: undefined, filter: undefined };
  for (;;) {
    place = await chooseRow(context, feed, place);
    if (place.chosen === undefined) return;
    if ((await attendTo(context, feed, place.chosen, round)) === 'end') return;
  }
}

async function attendTo(context: Context, feed: Feed, id: string, round: Round): Promise<'list' | 'end'> {
  const [{ attend }, { chooseRecipient: findRecipient }] = await Promise.all([
    import('./attend.ts'),
    import('../ask/find.ts'),
  ]);
  return attend(
    context,
    {
      find: () => findRecipient(context, id, { use: 'write' }),
      seen: (story) => feed.replace(id, story.standing.act === null ? undefined : story),
    },
    round,
  );
}

function chooseRow(context: Context, feed: Feed, place: BoardPlace): Promise<BoardPlace> {
  const { streams, paint } = context;
  const terminal = streams.stderr as Partial<WriteStream> & EventEmitter;
  const size = () => ({ columns: terminal.columns || streams.columns, lines: terminal.rows || 24 });
  const onResize = (listener: () => void): (() => void) => {
    const look = (): void => {
      // The terminal has wrapped the old lines anew: their number is unknown.
      streams.stderr.write(CLEAR_SCREEN);
      listener();
    };
    terminal.on('resize', look);
    return () => terminal.off('resize', look);
  };
  return asking(context, (at) =>
    board({ feed, paint, size, onResize, place }, { ...at, clearPromptOnDone: true }),
  );
}
