/** Writes the lines of `--log json`: each an event of the table, as one line of JSON. */
import { type Clock, isoTime } from '../../core/clock.ts';
import {
  LOG_VERSION,
  type LogEventName,
  type LogFacts,
  type LogLevel,
  logEvents,
  logLevels,
} from './events.ts';

export interface Log {
  event<Name extends LogEventName>(name: Name, facts: LogFacts<Name>): void;
  /** A text for people, each of its lines as an event `said`. */
  said(text: string, level?: LogLevel): void;
  /** Tells warnings and errors alone from now on, and how it ended. */
  hush(): void;
}

/** Events that say where the program listens, and that it ended: with --quiet too, readers of the log need them. */
const ALWAYS: ReadonlySet<LogEventName> = new Set(['ready', 'stopped']);

const MEMBERS = Object.fromEntries(
  Object.entries(logEvents).map(([name, { members }]) => [name, Object.keys(members)]),
) as Record<LogEventName, string[]>;

/** Events that are written at the end of the turn: a write for each delivery would cost as much as a quarter of its intake. */
const MAY_WAIT: ReadonlySet<LogLevel> = new Set(['debug', 'info']);

/**
 * @param mask takes what looks like personal data out of a text
 * @param soon calls at the end of the turn
 */
export function createLog(
  clock: Clock,
  write: (lines: string) => void,
  mask: (text: string) => string,
  soon: (flush: () => void) => void = setImmediate,
): Log {
  let least: LogLevel = 'debug';
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') write(lines);
  };
  const tell = <Name extends LogEventName>(name: Name, facts: LogFacts<Name>, level: LogLevel): void => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least) && !ALWAYS.has(name)) return;
    const line: Record<string, unknown> = { v: LOG_VERSION, time: isoTime(clock.now()), level, event: name };
    const given = facts as Record<string, unknown>;
    for (const key of MEMBERS[name]) if (given[key] !== undefined) line[key] = masked(given[key], mask);
    const isFirst = waiting === '';
    waiting += `${JSON.stringify(line)}\n`;
    if (!MAY_WAIT.has(level) || ALWAYS.has(name)) flush();
    else if (isFirst) soon(flush);
  };
  return {
    event: (name, facts) => tell(name, facts, logEvents[name].level),
    said(text, level = 'info') {
      for (const line of plain(text).split(/[\r\n]+/)) {
        const message = line.replace(/^remit: /, '').trim();
        if (message !== '') tell('said', { message }, level);
      }
    },
    hush() {
      least = 'warn';
    },
  };
}

/** A log has no colours, even if they are set. */
const plain = (text: string): string => text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');

function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member, mask)]));
}
