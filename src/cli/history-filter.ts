/** Which intents of the journal are meant: by time, profile, command and outcome. */
import { parseDuration } from '../core/clock.ts';
import type { Intent, IntentState } from '../core/ports/intents.ts';
import { type Flag, flagMany, flagText, type Input } from './command.ts';
import { usage } from './failure.ts';

const STATES: readonly IntentState[] = ['open', 'applied', 'not_applied', 'unknown', 'conflict'];

export const filterFlags: readonly Flag[] = [
  { flags: '--state <state>', summary: 'only with this outcome; repeat it', many: true, choices: STATES },
  { flags: '--since <time>', summary: 'from this day or time on, or so long ago: 2026-11-21, 2h, 3d' },
  { flags: '--until <time>', summary: 'until this day (included) or time, or so long ago' },
  {
    flags: '--of-profile <name>',
    summary: 'only what was sent with this profile; --profile chooses the one to work with',
  },
  {
    flags: '--command <words>',
    summary: 'only of this command, such as "tx fund", or of a group, such as tx',
  },
];

/** A point in time, or so long before now. */
type When = { at: number } | { agoMs: number };

export interface HistoryFilter {
  states: string[];
  since: When | undefined;
  until: When | undefined;
  profile: string | undefined;
  command: string | undefined;
}

const DAY_MS = 86_400_000;

/** Pure. @throws Failure (usage) */
export function readFilter(input: Input): HistoryFilter {
  return {
    states: flagMany(input, 'state'),
    since: when(input, 'since', 0),
    // The day that is named counts to its end.
    until: when(input, 'until', DAY_MS - 1),
    profile: flagText(input, 'ofProfile'),
    command: flagText(input, 'command'),
  };
}

function when(input: Input, flag: string, dayMs: number): When | undefined {
  const text = flagText(input, flag);
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { at: isDay ? at + dayMs : at };
  const agoMs = parseDuration(text);
  if (agoMs !== null && !isDay) return { agoMs };
  throw usage(
    `--${flag} ${text} is neither a time nor a duration`,
    'such as 2026-11-21, 2026-11-21T09:00:00Z, 2h or 3d',
  );
}

export const isFiltering = ({ states, since, until, profile, command }: HistoryFilter): boolean =>
  states.length > 0 || [since, until, profile, command].some((one) => one !== undefined);

export function fitsFilter(filter: HistoryFilter, now: number): (intent: Intent) => boolean {
  const from = instant(filter.since, now) ?? Number.NEGATIVE_INFINITY;
  const to = instant(filter.until, now) ?? Number.POSITIVE_INFINITY;
  const { states, profile, command } = filter;
  return (intent) =>
    intent.createdAt >= from &&
    intent.createdAt <= to &&
    (states.length === 0 || states.includes(intent.state)) &&
    (profile === undefined || intent.profile === profile) &&
    (command === undefined || intent.command === command || intent.command.startsWith(`${command} `));
}

function instant(time: When | undefined, now: number): number | undefined {
  if (time === undefined) return undefined;
  return 'at' in time ? time.at : now - time.agoMs;
}
