/** Tells who planned a run, and who approved it: the user, the profile and the key, such as `finance, acme, key …7f3c`. */
import { knownKey } from '../contract/account-key.ts';
import type { Desk } from '../payments/desk.ts';
import type { FixedRow } from './plan-text.ts';
import type { Approval, PayRun, Rejection, RunHold } from './store/port.ts';

export const whoPlanned = ({ maker, account }: PayRun): string => person({ by: maker, ...account });
export const whoApproved = ({ approval }: PayRun): string | undefined => approval && person(approval);
export const whoRejected = ({ approver, ...rejection }: Rejection): string =>
  approver === undefined ? person(rejection) : `${approver}, signed (${person(rejection)})`;
export const whoHolds = (hold: RunHold): string => person(hold);
export const whoFixed = (fixed: FixedRow): string => person(fixed);

const person = ({ by, profile, keyLast4 }: Omit<Approval, 'at'>): string =>
  `${by === undefined ? '' : `${by}, `}${profile}, key …${keyLast4}`;

/** The person who says something of a run now: the machine's user, by this key. */
export async function whoSays(desk: Desk): Promise<Approval> {
  const { name: profile, credentials } = await desk.connection();
  return { by: desk.by.user, profile, ...knownKey(credentials.key), at: desk.clock.now() };
}
