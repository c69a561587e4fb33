/** Tools that act: a plan is carried out on a sandbox, its outcome found out, and the sandbox moved. */
import * as z from 'zod';
import { payoutOutcomes } from '../../contract/controls/index.ts';
import type { Problem } from '../../core/problem.ts';
import type { Desk, Opened } from '../../payments/desk.ts';
import { problemOf } from '../../payments/problem-of.ts';
import { deskOfAgent, LONGEST_CALL_MS, type ToolCall, withinTime } from '../call.ts';
import type { Carried, FoundPlan } from '../prepared/carry-out.ts';
import type { PlanStatus } from '../prepared/plan-state.ts';
import type { Wish } from '../prepared/wish.ts';
import type { Prepared } from '../store/port.ts';
import { ours } from '../text.ts';
import { ACTS, given, PLANS, tool } from '../tool.ts';
import { notes, toolNotes } from './look.ts';
import { refusedAnswer, shownProblem } from './refused.ts';
import {
  alikeAnswer,
  answerOf,
  SAYS,
  statusAnswer,
  unknownReason,
  type WriteAnswer,
  written,
} from './written.ts';

export const carryOutTool = tool({
  name: 'carry_out',
  title: 'Carry out a plan',
  description:
    'Carries out a plan on a sandbox, where no money is real. A plan that was carried out already is answered with what stands, and nothing is sent. What is not over after 20 seconds answers that it is under way: ask status.',
  hints: ACTS,
  needs: 'writes',
  input: { handle: given.text('The handle that the plan was given') },
  output: written,
  async run(call, { handle: given }) {
    const { findPlan } = await import('../prepared/carry-out.ts');
    const found = await findPlan(call.desk, given);
    const { handle } = found.plan;
    const running = call.running.get(handle) ?? begin(call, found);
    try {
      const ended = await withinTime(call, running, LONGEST_CALL_MS - 2_000);
      if (ended === undefined) return underWay(handle);
      return ended.alike.length > 0
        ? alikeAnswer(handle, ended.alike)
        : statusAnswer(call, handle, ended.standing);
    } catch (error) {
      return refusedAnswer(call.text, handle, problemOf(error));
    }
  },
});

const underWay = (handle: string) =>
  answerOf(SAYS.under_way, {
    outcome: 'unknown',
    state: 'under_way',
    handle,
    next: { tool: 'status', handle },
  });

/**
 * Begins it with a desk of its own: neither the host's time-out nor its cancel ends it. A run stops at its next window where the pipe is closed; a
 * payment that has left is finished.
 */
function begin(call: ToolCall, found: FoundPlan): Promise<Carried> {
  const { handle } = found.plan;
  const work = async () => {
    const { carryOutPlan: carry } = await import('../prepared/carry-out.ts');
    const { noConfirmer } = await import('../../payments/gate.ts');
    const opened = call.openDesk(`mcp ${handle}`, 'money', call.closing);
    const desk = heardBy(call, opened);
    try {
      const carried = await carry(desk, found, noConfirmer);
      await opened.told();
      return carried;
    } finally {
      await opened.close();
    }
  };
  const running = work().finally(() => call.running.delete(handle));
  call.running.set(handle, running);
  // The caller may be gone: the outcome is in the journal.
  running.catch(() => {});
  return running;
}

/** The desk of a write says what it says to the agent, and never on standard error. */
const heardBy = (call: ToolCall, { desk }: Opened): Desk => deskOfAgent(desk, (one) => call.heard.push(one));

/** For what is under way; the other half is for the look behind it. */
const HALF_MS = LONGEST_CALL_MS / 2;

export const statusTool = tool({
  name: 'status',
  title: 'How a plan stands',
  description:
    'Says how a plan stands: planned, under way, done, or not. Where the outcome is not known it finds out, by looking. It waits for what is under way, at most 20 seconds.',
  hints: PLANS,
  needs: 'prepares',
  input: { handle: given.text('The handle that the plan was given') },
  output: written,
  async run(call, { handle: given }) {
    const { findPlan } = await import('../prepared/carry-out.ts');
    const { plan, wish } = await findPlan(call.desk, given);
    const { handle } = plan;
    const running = call.running.get(handle);
    const waited = running === undefined ? 0 : HALF_MS;
    if (running !== undefined) {
      const ended = await withinTime(
        call,
        running.catch(() => ({ state: 'failed' })),
        HALF_MS,
      );
      if (ended === undefined) return underWay(handle);
    }
    try {
      const settled = withinTime(call, settledStanding(call, plan, wish), LONGEST_CALL_MS - 2_000 - waited);
      const status = await settled;
      return status === undefined ? notKnown(handle, SLOW) : statusAnswer(call, handle, status);
    } catch (error) {
      return cannotSay(call, handle, problemOf(error));
    }
  },
});

/** How it stands, after what is not known was looked for: on a sandbox the same is sent once more under the same id, which cannot pay twice. */
async function settledStanding(call: ToolCall, plan: Prepared, wish: Wish): Promise<PlanStatus> {
  const { planStatusOf } = await import('../prepared/plan-status.ts');
  const status = await planStatusOf(call.desk, plan, wish);
  const { state, intentId } = status;
  if (state !== 'unknown' || intentId === undefined) return status;
  const [{ settleOne }, { noConfirmer }] = await Promise.all([
    import('../../payments/history.ts'),
    import('../../payments/gate.ts'),
  ]);
  const { writes } = call.rights;
  const how = { id: intentId, look: !writes, as: undefined, because: undefined, confirmer: noConfirmer };
  const opened = call.openDesk(`mcp ${plan.handle}`, writes ? 'money' : 'read', call.closing);
  let why: string | undefined;
  try {
    await settleOne(heardBy(call, opened), how);
  } catch (error) {
    why = problemOf(error).message;
  } finally {
    await opened.close();
  }
  const now = await planStatusOf(call.desk, plan, wish);
  return now.state === 'unknown' && why !== undefined ? { ...now, why } : now;
}

const UNREAD = 'UNKNOWN. How it stands cannot be read just now: ask again, and do not plan it anew.';

const SLOW = unknownReason('the look took longer than a call may');

const notKnown = (handle: string, problem: WriteAnswer['problem']) =>
  answerOf(UNREAD, {
    ...{ outcome: 'unknown', state: 'unknown', handle, problem },
    next: { tool: 'status', handle },
  });

/** A look that failed says nothing of the payment. */
function cannotSay({ text }: ToolCall, handle: string, problem: Problem) {
  return { ...notKnown(handle, shownProblem(text, problem)), isError: true };
}

export const sandboxTool = tool({
  name: 'sandbox',
  title: 'Move the sandbox',
  description:
    'Controls the sandbox of this machine, where no money is real: moves its clock, credits a balance, makes sample payments, or answers a payout as its provider would.',
  hints: { ...ACTS, destructiveHint: false, idempotentHint: false },
  needs: 'controls',
  input: {
    act: z.enum(['advance', 'credit', 'seed', 'answer']),
    by: given.text('advance: how far, such as 30m, 2h or 3d').optional(),
    currency: given.text('credit: the balance').optional(),
    amount: given.text('credit: how much').optional(),
    id: given.text('answer: the id of the payout or of its payment').optional(),
    outcome: z.enum(payoutOutcomes).optional().meta({ description: 'answer: what the provider says' }),
  },
  output: { done: ours('What was done.'), notes },
  async run(call, asked) {
    const { moveSandbox } = await import('./sandbox-act.ts');
    const done = await moveSandbox(call.desk, asked);
    return { says: done, data: { done, notes: toolNotes(call, []) } };
  },
});
