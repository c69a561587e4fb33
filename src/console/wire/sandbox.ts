/** Questions and answers about a sandbox of ours: its state, and what is done with its controls (`contract/controls`). */
import * as z from 'zod/mini';
import { text, textOrNull } from '../../frame/shape.ts';
import { line, moment } from '../../payments/shapes/told.ts';
import { arrayOf, shortText } from './parts.ts';

/** The controls that the page uses, each with its sentence once it is done. Those that throw all data away are commands alone. */
export const CONTROLS = {
  'sandbox.clock.advance': 'The clock has moved, and everything that was due on the way has happened.',
  'sandbox.clock.run': 'Time runs.',
  'sandbox.clock.stop': 'Time stands still.',
  'sandbox.seed': 'Sample payments were made.',
  'sandbox.balances.credit': 'The money came in.',
  'sandbox.payouts.answer':
    'The provider answers that: at once where the payout is pending, else at its next try.',
  'sandbox.faults.arm': 'The fault is armed.',
  'sandbox.faults.disarm': 'The fault is no longer armed.',
};

/** Its body is checked by the sandbox, against the same row that the commands read. */
export const arrangement = z.object({
  control: z.enum(Object.keys(CONTROLS) as (keyof typeof CONTROLS)[]),
  /** The thing that the control is about; a payment may be named by its external id too. */
  id: z.optional(shortText),
  body: z.record(shortText, z.union([shortText, z.number()])),
});
export type Arrangement = z.output<typeof arrangement>;

/** Steps that the page spells beside its controls. */
export const STEPS = [
  'move_clock',
  'run_clock',
  'stop_clock',
  'seed_sandbox',
  'credit_balance',
  'answer_payout',
  'arm_fault',
  'explain_state',
  'play_scenario',
] as const;

export const sandboxPanel = z.object({
  /** The commands that do the same. Words in capitals stand for the fields of that name. */
  commands: z.record(z.enum(STEPS), text),
  now: text,
  mode: z.enum(['running', 'standing']),
  due: textOrNull,
  balances: arrayOf(line),
  /** A line for each book of the ledger: what is in all its accounts. */
  ledger: arrayOf(line),
  states: arrayOf(line),
  settings: arrayOf(line),
  armed: arrayOf(z.object({ id: text, text, command: text })),
  /** Newest first. */
  fired: arrayOf(moment),
  faults: arrayOf(line),
  outcomes: arrayOf(text),
  scenarios: arrayOf(text),
});
export type SandboxPanel = z.output<typeof sandboxPanel>;

/** Each change of a payment or a payout, and the rule that made it. */
export const explained = z.object({ title: text, changes: arrayOf(moment) });

/** A line for each step that holds; the last one may not hold. */
export const played = z.object({ title: text, steps: arrayOf(text), failed: textOrNull });
