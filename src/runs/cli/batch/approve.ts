import type { Hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes, exitOfEnding } from '../../../frame/exit-codes.ts';
import type { Input, SwitchFlag, TextFlag } from '../../../frame/flags/flag.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { readWhen } from '../../../payments/cli/flags/when.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { instantOf } from '../../../payments/lists/period.ts';
import { signerOf } from '../../../profiles/cli/signer.ts';
import {
  approvedNote,
  heldNotes,
  refuseUnsignedApproval,
  rejectedNote,
  signedNote,
} from '../../approval-notes.ts';
import { approveRun } from '../../approve.ts';
import { findRun } from '../../find-run.ts';
import { shownRun } from '../../run-output.ts';
import { rejectRun, signRun } from '../../sign.ts';
import { acceptChangedFlag, readAcceptChanged } from '../flags/batch.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `The digest stands for the rows, their totals, the rates and the limits: take it from whoever planned the run, and compare all of it. Where the profile says two_person=true, the key must be another than the one that planned it. Nothing is sent by this. A run on hold stays on hold (exit 8).

Where this machine has a key of an approver (remit approver create), the approval is signed with it, and holds for seven days, or until the day that --until names. A machine that pays with approvers=FILE in its profile takes signed approvals alone. --reject says that the run is not to be paid: nobody pays it before it is approved again, and whoever signed the rejection must be the one who signs that.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    digest: { value: 'digest', summary: 'the digest of the plan, all 32 digits' },
    as: { value: 'name', summary: 'the approver who signs, where this machine has several' },
    until: { value: 'date', summary: 'how long the signature holds; a day counts to its end' },
    reject: { summary: 'say no: the run is not paid before it is approved again' },
    because: { value: 'text', summary: 'why it is rejected' },
    ...acceptChangedFlag,
    ...sharedStoreFlags,
  },
  shows: [runView],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.pending, exitCodes.check],
  examples: [
    'remit batch approve wages-2026-11 --digest 5d1f0c9a-31be77e2-90ab41d6-c8f3be05',
    'remit batch approve wages-2026-11 --digest 5d1f0c9a-31be77e2-90ab41d6-c8f3be05 --reject --because "Ada Obi left in May"',
  ],
  read(input) {
    const digest = input.flags.digest;
    if (digest === undefined)
      throw usage('the digest is missing', 'remit batch plan printed it: --digest DIGEST');
    const until = input.flags.until;
    const because = reasonIn(input);
    if (because !== undefined && until !== undefined)
      throw usage('a rejection has no end: leave out --until');
    const changed = readAcceptChanged(input);
    if (because !== undefined && changed !== undefined)
      throw usage('a rejection accepts no changed payees: leave out --accept-changed');
    return {
      run: input.args[0] ?? '',
      digest,
      as: input.flags.as,
      until: until === undefined ? undefined : readWhen(until, 'until'),
      because,
      changed,
      store: readStore(input),
    };
  },
  async run(context, { run: given, digest, as, until, because, changed, store }) {
    const opened = await openStore(context, store);
    const run = await findRun(context, opened.payruns, given, 'write');
    const about = { run, digest, changed, confirmer: context.confirmer };
    const signer = signerOf(context, as);
    if (because !== undefined) {
      const rejected = await rejectRun(context, opened, { ...about, because, signer });
      return shown(rejected, rejectedNote(signer));
    }
    if (signer !== undefined) {
      const holds = until && ((now: number) => instantOf(until, { now, zone: context.zone, toEnd: true }));
      const signed = await signRun(context, opened, { ...about, signer, ...(holds && { until: holds }) });
      return shown(signed, signedNote(signer, signed), 'pays');
    }
    if (until !== undefined) throw usage('only a signed approval has an end', 'remit approver create NAME');
    await refuseUnsignedApproval(context);
    const approved = await approveRun(context, opened, about);
    return shown(approved, approvedNote(run, approved), 'pays');
  },
});

/** @param then `pays` where the next step is to pay it, which a hold keeps from everybody */
const shown = (run: Parameters<typeof shownRun>[0], note: Hint, then?: 'pays'): Result => {
  const held = then === 'pays' ? heldNotes(run) : [];
  const exit = held.length === 0 ? undefined : exitOfEnding('pending');
  return result(runView, shownRun(run), { notes: [note, ...held], ...(exit && { exit }) });
};

/** @throws Problem (usage) where one of the two is without the other */
function reasonIn(input: Input<{ because: TextFlag; reject: SwitchFlag }>): string | undefined {
  const because = input.flags.because?.trim();
  if (!input.flags.reject) {
    if (because === undefined) return undefined;
    throw usage('--because goes with --reject');
  }
  if (!because) throw usage('a rejection has a reason', '--because TEXT');
  return because;
}
