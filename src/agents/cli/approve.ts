/**
 * Approves what an agent prepared (`remit mcp`): a person at a terminal sees all of it, types the word, and it is sent. There is no other way: not `--yes`, no
 * address, no token.
 *
 * If the process dies before the answer, nothing was sent. After it, `agents/prepared/carry-out.ts` says what stands where.
 */
import { usage } from '../../core/problem.ts';
import { type ExitCode, exitCodes } from '../../frame/exit-codes.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { type Result, result, wholeList } from '../../payments/cli/result.ts';
import { byName } from '../../payments/confirmation.ts';
import { listPrepared, shownPrepared } from '../prepared/plan-output.ts';
import type { PlanState } from '../prepared/plan-state.ts';
import { preparedView } from './prepared-view.ts';

export const command = defineCommand({
  description: `Without a name it lists what agents have prepared on this machine for this account in the last three days; nothing is asked of the service.

With a name it shows all of one, at the rate of now, and asks. It is sent when you have typed the word that stands in the question, in production and on a sandbox alike. It needs a terminal, and takes no --yes: a program cannot approve. A plan that was carried out already is shown as it stands, and nothing is sent.`,
  args: [{ name: 'NAME', summary: 'the name that the agent told you, such as k7fq2m9x4t', optional: true }],
  shows: [preparedView],
  isTabular: true,
  effect: 'money',
  exits: [exitCodes.check, exitCodes.pending, exitCodes.unknown],
  examples: ['remit approve', 'remit approve k7fq2m9x4t'],
  read: (input) => ({ name: input.args[0] }),
  async run(context, { name }) {
    if (name === undefined) return wholeList(preparedView, await listPrepared(context));
    refuseUnattended(context);
    return approveOne(context, name);
  },
});

/** @throws Problem (usage) without a terminal, or with `--yes` */
function refuseUnattended({ interactive, globals }: Context): void {
  if (globals.yes)
    throw usage(
      'a plan of an agent is approved by typing the word: --yes does not stand for it',
      'leave --yes out',
    );
  if (!interactive)
    throw usage(
      'a plan of an agent is approved by a person at a terminal, and here is none',
      'open a terminal, and run it there',
    );
}

const EXITS: Readonly<Record<PlanState, ExitCode>> = {
  planned: exitCodes.ok,
  applied: exitCodes.ok,
  under_way: exitCodes.pending,
  unknown: exitCodes.unknown,
  expired: exitCodes.failed,
  not_applied: exitCodes.failed,
  taken: exitCodes.failed,
};

async function approveOne(context: Context, name: string): Promise<Result> {
  const [{ carryOutPlan, findPlan }, { alikeSince }] = await Promise.all([
    import('../prepared/carry-out.ts'),
    import('../../payments/recent-payments.ts'),
  ]);
  const found = await findPlan(context, name);
  const { handle } = found.plan;
  const { standing, isSent, alike } = await carryOutPlan(context, found, {
    isAttended: true,
    stance: () => ({ kind: 'asks' }),
    // A yes is typed before the question is read: on a sandbox the name of the plan is typed instead.
    confirm: (question) =>
      context.confirmer.confirm(
        question.about === 'proceed'
          ? { ...question, confirm: question.confirm ?? byName(handle) }
          : question,
      ),
  });
  if (alike.length > 0) throw alikeSince(alike);
  const notes = [
    ...(isSent ? [] : ['nothing was sent this time: this is how it stands']),
    ...(standing.why === undefined ? [] : [`it is not known what became of it: ${standing.why}`]),
  ];
  return result(preparedView, shownPrepared(found.plan, standing), { exit: EXITS[standing.state], notes });
}
