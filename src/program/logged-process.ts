/**
 * The process of a command whose stderr is a log. Whatever is written to stderr becomes a line of JSON here, from any writer: an event where the
 * command knows one, and `said` otherwise. To the command stderr is no terminal, so nothing is asked, coloured or drawn again.
 */

import { FOR_PROGRAMS } from '../frame/log/flag.ts';
import { createLog, type Log } from '../frame/log/log.ts';
import type { Process } from '../frame/process.ts';
import type { Streams } from '../frame/terminal/streams.ts';
import { maskText } from '../payments/words/mask-text.ts';

export type LoggedWorld = Process & { log: Log };

export function loggedWorld(process: Process): LoggedWorld {
  const { err, colour } = process.streams;
  const log = createLog(process.clock, err, maskText);
  const streams: Streams = Object.assign(Object.create(process.streams) as Streams, {
    stderrIsTerminal: false,
    colour: { stdout: colour.stdout, stderr: false },
    err: (text: string) => log.said(text),
  });
  return { ...process, streams, log };
}

/** Tells that it is to end, and what Node would print by itself. */
export function logSignals({ interrupt, strays }: Process, log: Log): void {
  interrupt.addEventListener('abort', () => log.event('draining', {}), { once: true });
  strays?.({
    onWarning: ({ name, message }) => log.said(`${name}: ${message}`, 'warn'),
    onCrash: ({ message, stack = '' }) => log.event('crashed', { message, stack: framesOf(stack) }),
  });
}

/** Only where it was: the message stands above, and may be of many lines. */
const framesOf = (stack: string): string[] =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at /.test(line));

/**
 * Asked before anything is parsed: an error in the flags is told as it was asked for too. What stands behind `--` is another program's.
 */
export function asksForLog(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const ours = end < 0 ? argv : argv.slice(0, end);
  return ours.some(
    (word, at) => /^--log=json$/i.test(word) || (word === '--log' && /^json$/i.test(ours[at + 1] ?? '')),
  );
}

/** False where the words that asked for it were those of another program. */
export const isLogged = ({ flags: given }: { flags: object }): boolean =>
  (given as { log?: string }).log === FOR_PROGRAMS;
