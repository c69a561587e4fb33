/** Every control of a sandbox, once: its router and the commands read the same rows. */

import * as z from 'zod/mini';
import type { HttpMethod } from '../operations/operation.ts';
import { writtenAmount } from '../resources/common.ts';
import { faultNames } from './faults.ts';

const code = z.string().check(z.regex(/^\d{1,3}$/, 'must be a code of the service'));

/** Outcomes of a payout that the provider tells by a code of the service. */
export const outcomeCodes = { paid: '0', pending: '14', error: '3' } as const;
/** Outcomes of a payout that no code tells. */
const codelessOutcomes = ['stuck', 'overpaid', 'exception', 'manual'] as const;
export type CodelessOutcome = (typeof codelessOutcomes)[number];

export type PayoutOutcome = keyof typeof outcomeCodes | CodelessOutcome;
export const payoutOutcomes: readonly PayoutOutcome[] = [
  ...(Object.keys(outcomeCodes) as (keyof typeof outcomeCodes)[]),
  ...codelessOutcomes,
];

export const payinOutcomes = ['paid', 'processing', 'error', 'exception'] as const;
export type PayinOutcome = (typeof payinOutcomes)[number];

export const senderDecisions = ['approve', 'reject', 'ban', 'unban'] as const;
export type SenderDecision = (typeof senderDecisions)[number];

export const reviewDecisions = ['hold', 'release', 'exception', 'resume'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export const mandateDecisions = ['notified', 'signed', 'failed', 'bypassed'] as const;
export type MandateDecision = (typeof mandateDecisions)[number];

const rows = {
  'sandbox.state': {
    method: 'GET',
    path: '/state',
    summary: 'Counts, ledger, settings and what is due next',
  },
  'sandbox.clock.show': { method: 'GET', path: '/clock', summary: 'The time' },
  'sandbox.clock.advance': {
    method: 'POST',
    path: '/clock/advance',
    summary: 'Move the clock forward; whatever is due on the way happens at its own time',
    body: z.strictObject({ advance_ms: z.int().check(z.gte(0)) }),
  },
  'sandbox.clock.set': {
    method: 'POST',
    path: '/clock/set',
    summary: 'Move the clock forward to a point in time',
    body: z.strictObject({ now: z.string() }),
  },
  'sandbox.clock.run': { method: 'POST', path: '/clock/run', summary: "Let time run, at the machine's pace" },
  'sandbox.clock.stop': { method: 'POST', path: '/clock/stop', summary: 'Let time stand still' },
  'sandbox.settings.show': { method: 'GET', path: '/settings', summary: 'Settings of the account' },
  'sandbox.settings.change': {
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings of the account',
    body: z.record(z.string(), z.unknown()),
  },
  'sandbox.senders.decide': {
    method: 'POST',
    path: '/senders/{id}',
    summary: 'Approve, reject or ban a sender, as the operator would',
    body: z.strictObject({ decision: z.enum(senderDecisions), reason: z.optional(z.string()) }),
  },
  'sandbox.payouts.answer': {
    method: 'POST',
    path: '/payouts/{id}',
    summary: "Set the provider's answer for the payout to a recipient",
    body: z.strictObject({ outcome: z.optional(z.enum(payoutOutcomes)), code: z.optional(code) }),
  },
  'sandbox.payins.receive': {
    method: 'POST',
    path: '/payins/{id}',
    summary: "Set the result of a collection, by the transaction's or the payin method's id",
    body: z.strictObject({
      amount: z.optional(writtenAmount),
      outcome: z.optional(z.enum(payinOutcomes)),
      code: z.optional(code),
    }),
  },
  'sandbox.reviews.decide': {
    method: 'POST',
    path: '/reviews/{id}',
    summary: 'Set the compliance decision',
    body: z.strictObject({ decision: z.enum(reviewDecisions) }),
  },
  'sandbox.refunds.post': {
    method: 'POST',
    path: '/refunds/{id}',
    summary: 'Refund a cancelled collection, as the operator would',
  },
  'sandbox.balances.credit': {
    method: 'POST',
    path: '/balances/{id}',
    summary: 'Top up a balance, by its currency',
    body: z.strictObject({ amount: writtenAmount }),
  },
  'sandbox.mandates.decide': {
    method: 'POST',
    path: '/mandates/{id}',
    summary: 'Set the status of a mandate',
    body: z.strictObject({ status: z.enum(mandateDecisions) }),
  },
  'sandbox.faults.list': { method: 'GET', path: '/faults', summary: 'Faults that are armed, and that fired' },
  'sandbox.faults.arm': {
    method: 'POST',
    path: '/faults',
    summary: 'Arm a fault',
    body: z.strictObject({
      fault: z.enum(faultNames),
      /** How many times; left out, always. */
      times: z.optional(z.int().check(z.gte(1))),
      operation: z.optional(z.string()),
      corridor: z.optional(z.string()),
      event: z.optional(z.string()),
      webhook: z.optional(z.string()),
      delay_ms: z.optional(z.int().check(z.gte(0))),
      status: z.optional(z.int().check(z.gte(500), z.lte(599))),
    }),
  },
  'sandbox.faults.clear': { method: 'DELETE', path: '/faults', summary: 'Disarm every fault' },
  'sandbox.faults.disarm': { method: 'DELETE', path: '/faults/{id}', summary: 'Disarm one fault' },
  'sandbox.seed': {
    method: 'POST',
    path: '/seed',
    summary: 'Fill the account with transactions in every state that support meets',
    body: z.strictObject({ rounds: z.optional(z.int().check(z.gte(1), z.lte(100))) }),
  },
  'sandbox.reset': { method: 'POST', path: '/reset', summary: 'Delete all data: a fresh sandbox' },
  'sandbox.snapshot': { method: 'GET', path: '/snapshot', summary: 'Everything, as bytes', bytes: 'out' },
  'sandbox.restore': {
    method: 'POST',
    path: '/restore',
    summary: 'Restore a snapshot',
    bytes: 'in',
  },
  'sandbox.explain': {
    method: 'GET',
    path: '/explain/{id}',
    summary: 'Each change of a transaction or recipient, with its rule',
  },
} as const satisfies Record<string, Omit<ControlOperation, 'id'>>;

export type ControlId = keyof typeof rows;

/** The body of each control that takes one. */
export type ControlBodyOf = {
  [Id in ControlId as (typeof rows)[Id] extends { body: unknown } ? Id : never]: (typeof rows)[Id] extends {
    body: infer Body extends z.core.$ZodType;
  }
    ? z.output<Body>
    : never;
};

export const controlIds = Object.keys(rows) as ControlId[];

export const controls: Readonly<Record<ControlId, ControlOperation>> = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => [id, { id, ...row }]),
) as Record<ControlId, ControlOperation>;

/**
 * The sandbox's own controls (decision 0027): what the operator, the providers and time itself would do. They
 * stand beside the service's paths, under `/_sandbox`, and take the control token, never the partner's key.
 */
export const CONTROL_PATH = '/_sandbox';
/** The header that carries the control token. */
export const CONTROL_TOKEN_HEADER = 'sandbox-control-token';

interface ControlOperation<Body = unknown> {
  /** `sandbox.clock.advance`. */
  id: string;
  method: HttpMethod;
  /** Below `/_sandbox`, with `{id}` for the one parameter. */
  path: string;
  summary: string;
  /** Strict. Absent where the call has no body. */
  body?: z.ZodMiniType<Body>;
  /** Tells which side is bytes, not JSON: a snapshot. */
  bytes?: 'in' | 'out';
}
