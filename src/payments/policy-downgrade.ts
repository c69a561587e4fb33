/**
 * The protection of a production profile is taken off only by a user who names it, and leaves a line in
 * the journal. The line comes first: if the process dies after it, the journal says what was about to be
 * changed, and the profile is as before.
 */

import type { Intent } from '../client/store/port.ts';
import { accountWith } from '../contract/account-key.ts';
import { isoTime } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import { policyDowngrades } from '../profiles/policy-downgrade.ts';
import type { Profile, ProfileLimits } from '../profiles/schema.ts';
import type { Desk } from './desk.ts';

const OPERATION = 'profiles.loosen';
/** The time for which a loosening is worth a line: a month's wages, and some days. */
const WORTH_A_LINE_MS = 35 * 24 * 3_600_000;

export interface Loosening {
  name: string;
  before: Profile | undefined;
  after: ProfileLimits;
  /** The profile that the caller named, as what this is about. */
  live: string | undefined;
}

/** Runs before a profile is written. @throws Problem (usage) if it protects less and is not named */
export async function guardLoosening(desk: Desk, { name, before, after, live }: Loosening): Promise<void> {
  if (before?.environment !== 'production') return;
  const off = policyDowngrades(before, after);
  if (off.length === 0) return;
  const words = off.join('; ');
  if (live !== name)
    throw usage(
      `profile "${name}" is production, and this takes off what protects it: ${words}`,
      hint`if you mean it: ${{ give: 'live', value: name }}`,
    );
  const { intents } = await desk.store();
  const begun = await intents.open({
    command: desk.by.words,
    operation: OPERATION,
    user: desk.by.user,
    profile: name,
    environment: before.environment,
    ...accountWith(before.baseUrl, before.key),
    digest: desk.newId(),
    summary: `loosened: ${words}`,
    request: '',
  });
  invariant('opened' in begun, 'nothing refuses a line of the journal');
  const { opened } = begun;
  await intents.close(opened.id, { state: 'applied', note: words });
  await intents.told(opened.id);
}

/** Returns the loosenings of a profile since a moment, newest first. */
export async function policyDowngradesOf(desk: Desk, profile: string, since?: number): Promise<Intent[]> {
  const from = since ?? desk.clock.now() - WORTH_A_LINE_MS;
  const { intents } = await desk.store();
  const found = await intents.list({ profile, from });
  return found.filter(({ operation }) => operation === OPERATION);
}

/** A line for each loosening of a run's profile since it was planned. */
export const policyDowngradeNotes = async (desk: Desk, profile: string, since: number): Promise<string[]> =>
  (await policyDowngradesOf(desk, profile, since)).map(
    (one) => `The profile ${profile} was loosened ${policyDowngradeText(one)}.`,
  );

/** `on 2026-11-23 by ada: two_person is off`. */
export const policyDowngradeText = ({ createdAt, user, note }: Intent): string =>
  `on ${isoTime(createdAt).slice(0, 10)}${user === undefined ? '' : ` by ${user}`}: ${note ?? ''}`;
