/** Tells who signed a run and how long that holds, for display: by the keys that this profile accepts, or as the signatures say themselves. */

import { counted } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Desk } from '../payments/desk.ts';
import { serviceNow } from '../payments/service-time.ts';
import { judgeStatements, type SignatureCount, type SignatureRule } from './signatures.ts';
import { ruleOf } from './signed.ts';
import { signedRunOf } from './statement.ts';
import type { PayRun } from './store/port.ts';

export interface WhoSigned {
  judged: SignatureCount;
  /** Undefined where the profile wants no signatures: then it is unknown whose keys these are. */
  wants: number | undefined;
  now: number;
}

/** Two days before too few signatures hold, a signer still has the time to sign again. */
const WARN_MS = 2 * 24 * 3_600_000;

/** Undefined if it is unsigned and needs no signature, or was forgotten. Asks a sandbox of this machine what time it is, and no service. */
export async function whoSigned(desk: Desk, run: PayRun): Promise<WhoSigned | undefined> {
  if (run.forgotten !== undefined) return undefined;
  const { limits } = await desk.connection();
  const rule = ruleOf(limits);
  if (rule === undefined && run.statements.length === 0) return undefined;
  const now = await serviceNow(desk);
  const judged = judgeStatements(signedRunOf(run), run.statements, { rule: rule ?? asTheySay(run), now });
  return { judged, wants: rule?.needed, now };
}

/** Each key under the name that it has there: that it signed the run is true; whose key it is is unknown. */
function asTheySay({ statements }: PayRun): SignatureRule {
  const accepted = statements.map(({ approver: name, key }) => ({ name, key }));
  const approving = statements.flatMap(({ verdict, key }) => (verdict === 'approve' ? [key] : []));
  return { needed: Math.max(1, new Set(approving).size), accepted };
}

/** @param isOpen rows are still to be sent */
export function signedNotes(run: PayRun, { judged, wants, now }: WhoSigned, isOpen: boolean): Hint[] {
  const { until, counting, needed, rejections, forged } = judged;
  const again = hint`An approver signs again: ${{ do: 'approve_run', name: run.name }}`;
  return [
    ...(forged === 0
      ? []
      : [
          `${counted(forged, 'signature')} in the store did not come from the approver named there: find out who can write to the store.`,
        ]),
    ...(rejections.length > 0 || !isOpen
      ? []
      : until === undefined
        ? wants === undefined
          ? []
          : [hint`${counting} of ${counted(needed, 'signature')} that this profile wants. ${again}`]
        : until - now > WARN_MS
          ? []
          : [
              hint`The approval ends at ${isoTime(until)}: rows that were not sent before are not sent after it. ${again}`,
            ]),
  ];
}
