/** Which intents of the journal are meant: by time, profile, command and outcome. */
import type { IntentFilter, IntentState } from '../../core/ports/intents.ts';
import { instantOf, type When } from '../../desk/lists/period.ts';
import { flags, type Input } from './flag.ts';
import { dateFlags, readWhen } from './when.ts';

const STATES: readonly IntentState[] = ['open', 'applied', 'not_applied', 'unknown', 'conflict'];

export const filterFlags = flags({
  state: { value: 'state', summary: 'only with this outcome; repeat it', many: true, choices: STATES },
  ...dateFlags,
  allProfiles: { summary: 'of every profile; without this, only of the profile in use' },
  command: { value: 'words', summary: 'only of this command, such as "tx fund", or of a group, such as tx' },
});

export interface HistoryFilter {
  states: IntentState[];
  since: When | undefined;
  until: When | undefined;
  allProfiles: boolean;
  command: string | undefined;
}

/** Pure. @throws Problem (usage) */
export function readFilter(input: Input<typeof filterFlags>): HistoryFilter {
  return {
    states: input.flags.state as IntentState[],
    since: when(input.flags.since, 'since'),
    until: when(input.flags.until, 'until'),
    allProfiles: input.flags.allProfiles,
    command: input.flags.command,
  };
}

function when(text: string | undefined, flag: string): When | undefined {
  return text === undefined ? undefined : readWhen(text, flag);
}

export const isFiltering = ({ states, since, until, allProfiles, command }: HistoryFilter): boolean =>
  allProfiles || states.length > 0 || [since, until, command].some((one) => one !== undefined);

/**
 * Returns the filter for the journal: `2h` has become an instant.
 * @param profile the one in force; undefined for every one
 */
export const filterAt = (
  { states, since, until, command }: HistoryFilter,
  profile: string | undefined,
  at: { now: number; zone: string },
): IntentFilter => ({
  states: states.length === 0 ? undefined : states,
  profile,
  command,
  from: since && instantOf(since, { ...at, toEnd: false }),
  to: until && instantOf(until, { ...at, toEnd: true }),
});
