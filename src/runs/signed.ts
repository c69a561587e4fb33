/**
 * A profile that pays may want signatures on a run; here they are asked for (decision 0065). Whose keys
 * count, and how many, is in the settings of the machine that pays and in a file beside it: outside the
 * store. The service says how late it is, by the `Date` of an answer.
 */

import { counted } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import { configProblem, Problem, refuse, usage } from '../core/problem.ts';
import { type Desk, note } from '../payments/desk.ts';
import { serviceDate } from '../payments/service-time.ts';
import { approversIn, fingerprintOf } from '../profiles/approver-key.ts';
import { signaturesWanted } from '../profiles/policy-downgrade.ts';
import { readFileText } from '../profiles/profiles.ts';
import type { ProfileLimits } from '../profiles/schema.ts';
import { judgeStatements, type SignatureCount, type SignatureRule } from './signatures.ts';
import { signedRunOf } from './statement.ts';
import type { PayRun, SignedVerdict } from './store/port.ts';

/**
 * Returns the rule of a profile; undefined where it wants no signatures. `others` are in the file, and were
 * never accepted.
 */
export function ruleOf(limits: ProfileLimits): (SignatureRule & { others: readonly string[] }) | undefined {
  const needed = signaturesWanted(limits);
  if (needed === undefined) return undefined;
  const { approvers: file, accepted_approvers: prints = {} } = limits;
  const inFile = file === undefined ? [] : approversIn(readFileText(file), file);
  const isAccepted = ({ name, key }: { name: string; key: string }): boolean =>
    Object.hasOwn(prints, name) && prints[name] === fingerprintOf(key);
  return {
    needed,
    accepted: inFile.filter(isAccepted),
    others: inFile.filter((one) => !isAccepted(one)).map(({ name }) => name),
  };
}

/**
 * Where the profile wants signatures and the run does not have them, whatever the time is. Sends nothing: workers ask it again and again.
 * @throws Problem (usage) where some are missing, (conflict) where an approver rejected it, (check) where one is forged, (config)
 */
export async function refuseUnsigned(desk: Desk, run: PayRun): Promise<void> {
  const { limits } = await desk.connection();
  const rule = ruleOf(limits);
  if (rule !== undefined)
    refuseNotApproved(run, judgeStatements(signedRunOf(run), run.statements, { rule, now: undefined }));
}

/**
 * The same, now: before anything of a run is sent for the first time. @param run as the store has it now
 * @throws Problem as `refuseUnsigned`, and where the service does not say what time it is; CallError
 */
export async function refuseUnsignedNow(desk: Desk, run: PayRun): Promise<void> {
  const { limits } = await desk.connection();
  const rule = ruleOf(limits);
  if (rule === undefined) return;
  if (rule.others.length > 0)
    note(
      desk,
      `${rule.others.join(', ')} in the file of approvers: the key was never accepted here, and counts for nothing`,
    );
  await refuseUnsigned(desk, run);
  const now = await timeOfService(desk);
  const judged = judgeStatements(signedRunOf(run), run.statements, { rule, now });
  refuseNotApproved(run, judged);
  if (judged.forged > 0)
    note(
      desk,
      `${counted(judged.forged, 'signature')} of the run in the store did not come from an approver and counts for nothing: find out who can write to the store`,
    );
}

/** @throws Problem (config) where money is real and the service does not say it; CallError */
async function timeOfService(desk: Desk): Promise<number> {
  const theirs = await serviceDate(desk);
  if (theirs !== undefined) return theirs;
  const { environment } = await desk.connection();
  if (environment === 'sandbox') return desk.clock.now();
  throw configProblem(
    'no_service_time',
    'the service does not say what time it is, so nobody knows whether the approvals of the run still hold',
    'something between here and the service takes the header Date out of its answers',
  );
}

function refuseNotApproved(run: PayRun, judged: SignatureCount): void {
  const { rejections, counting, needed, forged } = judged;
  const [rejection] = rejections;
  if (rejection !== undefined) throw rejected(run, rejection);
  if (counting >= needed) return;
  const has = `it has ${counting === 0 ? 'none' : counting} of ${counted(needed, 'signature')} that this profile wants`;
  if (forged > 0)
    throw refuse(
      'check',
      'signature_forged',
      `the run "${run.name}" is not approved: ${has}, and ${counted(forged, 'signature')} in the store did not come from ${forged === 1 ? 'the approver' : 'the approvers'} named there`,
      {
        hint: hint`find out who can write to the store; then an approver signs again: ${{ do: 'approve_run', name: run.name }}. What was sent before is looked for with ${{ do: 'settle_run', name: run.name }}`,
        note: NOT_SENT,
      },
    );
  throw new Problem({
    ...usage(
      `the run "${run.name}" is not approved: ${has}${endedWords(judged)}`,
      hint`an approver signs it: ${{ do: 'approve_run', name: run.name }}. What was sent before is looked for with ${{ do: 'settle_run', name: run.name }}`,
    ).facts,
    code: 'not_signed',
    outcomeNote: NOT_SENT,
  });
}

const NOT_SENT = 'nothing was sent that was not sent before';

function endedWords({ each }: SignatureCount): string {
  const ended = each.filter(({ standing }) => standing === 'ended');
  if (ended.length === 0) return '';
  const named = ended.map(
    ({ statement: { approver, until = '' } }) => `that of ${approver} ended at ${until}`,
  );
  return ` (${named.join(', ')})`;
}

const rejected = (run: PayRun, { approver, because, at }: SignedVerdict): Problem =>
  refuse(
    'conflict',
    'run_rejected',
    `the run "${run.name}" was rejected by ${approver} at ${at}: ${because ?? ''}`,
    {
      hint: hint`${approver} approves it again, where the reason is gone: ${{ do: 'approve_run', name: run.name }}`,
      note: NOT_SENT,
    },
  );
