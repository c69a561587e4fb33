/** Who planned a run, and who approved it: the user, the profile and the key, such as `finance, acme, key …7f3c`. */
import type { Approval, Hold, PayRun, Rejection } from '../../core/ports/payruns.ts';

export const whoPlanned = ({ maker, account }: PayRun): string => person({ by: maker, ...account });
export const whoApproved = ({ approval }: PayRun): string | undefined => approval && person(approval);
export const whoRejected = ({ approver, ...rejection }: Rejection): string =>
  approver === undefined ? person(rejection) : `${approver}, signed (${person(rejection)})`;
export const whoHolds = (hold: Hold): string => person(hold);

const person = ({ by, profile, keyLast4 }: Omit<Approval, 'at'>): string =>
  `${by === undefined ? '' : `${by}, `}${profile}, key …${keyLast4}`;
