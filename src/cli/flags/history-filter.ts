/** Which intents of the journal are meant: by time, profile, command and outcome. */
import type { When } from '../../desk/lists/period.ts';
import { type HistoryFilter, OUTCOMES } from '../../desk/payments/history.ts';
import { flags, type Input } from './flag.ts';
import { dateFlags, readWhen } from './when.ts';

export const filterFlags = flags({
  state: { value: 'state', summary: 'only with this outcome; repeat it', many: true, choices: OUTCOMES },
  ...dateFlags,
  allProfiles: { summary: 'of every profile; without this, only of the profile in use' },
  command: { value: 'words', summary: 'only of this command, such as "tx fund", or of a group, such as tx' },
});

/** The profile is known only when it runs. */
export interface AskedHistory extends Omit<HistoryFilter, 'profile'> {
  allProfiles: boolean;
}

/** Pure. @throws Problem (usage) */
export function readFilter(input: Input<typeof filterFlags>): AskedHistory {
  return {
    states: input.flags.state as AskedHistory['states'],
    since: when(input.flags.since, 'since'),
    until: when(input.flags.until, 'until'),
    allProfiles: input.flags.allProfiles,
    command: input.flags.command,
  };
}

function when(text: string | undefined, flag: string): When | undefined {
  return text === undefined ? undefined : readWhen(text, flag);
}

export const isFiltering = ({ states, since, until, allProfiles, command }: AskedHistory): boolean =>
  allProfiles || states.length > 0 || [since, until, command].some((one) => one !== undefined);
