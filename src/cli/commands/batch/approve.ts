import { said } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { approveRun } from '../../../desk/payruns/approve.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { openStore } from '../../batch/store.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { flagText } from '../../flags/flag.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { runView, shownRun } from '../../views/payrun.ts';

interface ApproveOptions {
  run: string;
  digest: string;
  store: StoreChoice;
}

export { approve as command };

const approve = command<ApproveOptions>({
  description: `The digest stands for the rows, their totals, the rates and the limits: take it from whoever planned the run, and compare all of it. Where the profile says two_person=true, the key must be another than the one that planned it. Nothing is sent by this.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: [
    { flags: '--digest <digest>', summary: 'the digest of the plan, all 32 digits' },
    ...sharedStoreFlags,
  ],
  shows: [runView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit batch approve wages-2026-11 --digest 5d1f0c9a-31be77e2-90ab41d6-c8f3be05'],
  read(input) {
    const digest = flagText(input, 'digest');
    if (digest === undefined)
      throw usage('the digest is missing', 'remit batch plan printed it: --digest DIGEST');
    return { run: input.args[0] ?? '', digest, store: readStore(input) };
  },
  async run(context, { run: given, digest, store }) {
    const opened = await openStore(context, store);
    const run = await findRun(context, opened.payruns, given, 'write');
    const wasApproved = run.approval !== undefined;
    const approved = await approveRun(context, opened, { run, digest, approver: context.approver });
    return result(runView, shownRun(approved), {
      notes: [
        said`${wasApproved ? 'It was approved before; nothing was changed' : 'Approved; nothing was sent'}. To pay it: ${{ do: 'pay_run', name: run.name }}`,
      ],
    });
  },
});
