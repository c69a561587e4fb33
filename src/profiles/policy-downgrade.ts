/** The protections of a profile, and those that a change of it takes off. */
import { gt } from '../core/money.ts';
import { RATE_TOLERANCE } from './rate-tolerance.ts';
import { type ProfileLimits, REPEAT_DAYS } from './schema.ts';

/** Words, such as `two_person is off`; empty where nothing is allowed that was not before. */
export function policyDowngrades(before: ProfileLimits, after: ProfileLimits): string[] {
  const off = (['read_only', 'two_person'] as const).filter(
    (name) => before[name] === true && after[name] !== true,
  );
  return [
    ...off.map((name) => `${name} is off`),
    ...higher('max_amount', before, after),
    ...higher('max_per_day', before, after),
    ...shorter(before.repeat_days, after.repeat_days),
    ...wider(before.max_rate_tolerance, after.max_rate_tolerance),
    ...fewerSignatures(before, after),
    ...(after.agent !== undefined && after.agent !== before.agent ? [`agent is ${after.agent}`] : []),
  ];
}

/** The number of signatures that the profile wants on a run before it pays it; undefined where it wants none. */
export const signaturesWanted = ({
  approvers,
  approvals_needed: needed,
}: ProfileLimits): number | undefined =>
  approvers === undefined && needed === undefined ? undefined : (needed ?? 1);

/** One more who may approve allows more, however many it takes. */
function fewerSignatures(before: ProfileLimits, after: ProfileLimits): string[] {
  const [was, wants] = [signaturesWanted(before), signaturesWanted(after)];
  if (was === undefined) return [];
  if (wants === undefined) return ['approvers is off'];
  const known = before.accepted_approvers ?? {};
  const added = Object.entries(after.accepted_approvers ?? {}).filter(
    ([name, print]) => known[name] !== print,
  );
  return [
    ...(wants < was ? [`approvals_needed is ${wants}, and was ${was}`] : []),
    ...added.map(([name, print]) => `${name} may approve, with the key ${print.slice(0, 32)}`),
  ];
}

function shorter(was = REPEAT_DAYS, days = REPEAT_DAYS): string[] {
  return days < was ? [`repeat_days is ${days}, and was ${was}`] : [];
}

function wider(was = RATE_TOLERANCE, most = RATE_TOLERANCE): string[] {
  return gt(most, was) ? [`max_rate_tolerance is ${most}, and was ${was}`] : [];
}

/** Where a profile has limits, a currency without one is refused: to give it one allows more. */
function higher(
  name: 'max_amount' | 'max_per_day',
  { [name]: before }: ProfileLimits,
  { [name]: after }: ProfileLimits,
): string[] {
  if (before === undefined) return [];
  if (after === undefined) return [`${name} is off`];
  return Object.entries(after).flatMap(([currency, most]) => {
    const was = before[currency];
    if (was !== undefined && !gt(most, was)) return [];
    return [`${name}.${currency} is ${most}, and was ${was ?? 'none: it was refused'}`];
  });
}
