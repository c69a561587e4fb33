/** The answer about a write, of one form for every tool that plans or acts: its outcome first, whatever it came to. */
import * as z from 'zod';
import type { Similar } from '../../payments/recent-payments.ts';
import type { ToolCall } from '../call.ts';
import type { PlanStatus } from '../prepared/plan-state.ts';
import {
  aCurrency,
  anAmount,
  asId,
  asTheirs,
  asTime,
  asWord,
  aTime,
  id,
  ours,
  theirs,
  theirsOrNull,
  word,
} from '../text.ts';
import { notes, toolNotes } from './look.ts';

export const outcomes = ['applied', 'not_applied', 'unknown'] as const;
export type WriteOutcome = (typeof outcomes)[number];

/** The answer about a write. */
export const written = {
  outcome: z.enum(outcomes).meta({
    description:
      'applied: it was done, by this call or before. not_applied: nothing was done. unknown: it may have been done; the tool status finds out.',
  }),
  state: z
    .enum([
      'planned',
      'expired',
      'under_way',
      'applied',
      'not_applied',
      'unknown',
      'taken',
      'alike',
      'refused',
    ])
    .meta({ description: 'Where the plan stands. alike: an earlier payment may be this one.' }),
  handle: id('The name of the plan, for carry_out and status.').nullable(),
  approve: ours('The command by which a person approves it, in a terminal of their own.').nullable(),
  now: word('The state of the payment, the payout or the run.').nullable(),
  transaction_id: id('The payment.').nullable(),
  costs: anAmount('What it would cost by the rates of now.').nullable(),
  costs_currency: aCurrency('Of the cost.').nullable(),
  lines: z.array(theirs('What would happen, or what stands.')).max(20),
  earlier: z
    .array(
      z.strictObject({
        id: id('For not_the_same_as.').nullable(),
        from: z.enum(['plan', 'payment', 'request', 'row']),
        summary: theirs('What it pays.'),
        state: word('How it stands.').nullable(),
        at: aTime('When it was made.').nullable(),
        reference: theirs('What it was for.').nullable(),
      }),
    )
    .max(20),
  problem: z
    .strictObject({
      category: word('The kind of it.'),
      code: word('The kind of it, more exactly.').nullable(),
      says: theirs('What is wrong.'),
      fields: z
        .array(z.strictObject({ path: theirs('Where.'), says: theirs('What is wrong there.') }))
        .max(20),
    })
    .nullable(),
  next: z.strictObject({ tool: z.enum(['carry_out', 'status']), handle: id('For it.') }).nullable(),
  notes,
};
const writtenShape = z.strictObject(written);
export type WriteAnswer = z.output<typeof writtenShape>;

const BLANK = {
  ...{ handle: null, approve: null, now: null, transaction_id: null, costs: null, costs_currency: null },
  ...{ lines: [], earlier: [], problem: null, next: null, notes: [] },
} satisfies Partial<WriteAnswer>;

/** Fitted to its form before it is handed over: a payment that was made is never reported as a failed call. */
export function answerOf(says: string, data: Partial<WriteAnswer> & Pick<WriteAnswer, 'outcome' | 'state'>) {
  const whole = { ...BLANK, ...data };
  const fitted = writtenShape.safeParse(whole);
  if (fitted.success) return { says, data: fitted.data };
  const { outcome, state } = data;
  const handle = asId(data.handle);
  const next = handle === null ? null : { tool: 'status' as const, handle };
  return { says, data: { ...BLANK, outcome, state, handle, next } as WriteAnswer };
}

export const shownEarlier = (earlier: readonly Similar[]): WriteAnswer['earlier'] =>
  earlier.slice(0, 20).map(({ id, from, summary, state, at, reference }) => ({
    ...{ id: asId(id), from, summary: asTheirs(summary), state: asWord(state), at: asTime(at) },
    reference: theirsOrNull(reference),
  }));

const OUTCOME_OF: Readonly<Record<PlanStatus['state'], WriteOutcome>> = {
  ...{ planned: 'not_applied', expired: 'not_applied', not_applied: 'not_applied', taken: 'not_applied' },
  ...{ applied: 'applied', under_way: 'unknown', unknown: 'unknown' },
};

export const SAYS: Readonly<Record<PlanStatus['state'], string>> = {
  planned: 'NOT APPLIED. It is planned, and nothing was sent.',
  expired: 'NOT APPLIED. Its three days are over, and nothing was sent: plan it again.',
  under_way: 'UNKNOWN. It is under way: ask for its status, and do not plan it anew.',
  applied: 'APPLIED. It was done, once.',
  not_applied:
    'NOT APPLIED. It cannot be done any more: it is over, or its money came back. A new payment needs a reference of its own.',
  unknown: 'UNKNOWN. It may have been done. The tool status finds out; do not plan it anew.',
  taken: 'NOT APPLIED. This reference belongs to another payment. A payment keeps its reference for ever.',
};

const MADE = 'NOT APPLIED. Its transaction was created and is not paid: to carry the plan out pays it, once.';

/** An outcome that is not known says why. */
export const unknownReason = (why: string): WriteAnswer['problem'] => ({
  ...{ category: 'unknown', code: null, fields: [] },
  says: asTheirs(why),
});

/** How a plan stands, as every tool tells it. */
export function statusAnswer(
  call: ToolCall,
  handle: string | null,
  status: PlanStatus,
  more: Partial<WriteAnswer> = {},
) {
  const { state, now, transactionId, lines, why } = status;
  const { rights } = call;
  const isOpen = state === 'planned' && handle !== null;
  const next =
    handle === null ? null : isOpen && rights.writes ? ('carry_out' as const) : ('status' as const);
  return answerOf(state === 'planned' && transactionId ? MADE : SAYS[state], {
    outcome: OUTCOME_OF[state],
    state,
    handle,
    approve: isOpen && !rights.writes ? call.approveCommand(handle) : null,
    now: asWord(now),
    transaction_id: asId(transactionId),
    lines: lines.slice(0, 20).map(asTheirs),
    problem: why === undefined ? null : unknownReason(why),
    next: next === null || handle === null ? null : { tool: next, handle },
    notes: toolNotes(call, []),
    ...more,
  });
}

const ALIKE =
  'NOT APPLIED. An earlier payment or plan may be this one: is it? If a person says that it is another, plan it again with not_the_same_as.';

export const alikeAnswer = (handle: string | null, earlier: readonly Similar[]) =>
  answerOf(ALIKE, { outcome: 'not_applied', state: 'alike', handle, earlier: shownEarlier(earlier) });
