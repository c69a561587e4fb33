/**
 * The settings file as a schema (decision 0023). Members that a later version added are kept. What cannot be read is refused,
 * never passed over: a limit least of all.
 */

import * as z from 'zod/mini';
import { isPathSegment } from '../contract/operations/partner-path.ts';
import { byWord } from '../core/by-word.ts';
import { isDecimal } from '../core/money.ts';
import { isPercent } from './rate-tolerance.ts';

const segment = z.string().check(z.refine(isPathSegment));

/** Shorter than a week: wages of every week are the same rows too. */
export const REPEAT_DAYS = 6;

/** Currency to amount: `{"EUR": "5000.00"}`. */
const amounts = z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), z.string().check(z.refine(isDecimal)));

export const AGENT_RIGHTS = ['sandbox', 'prepare'] as const;

/**
 * The limits of a profile: `read_only` refuses every write, `max_amount` every payment above an amount in the
 * currency that is paid in, `max_per_day` what goes beyond an amount in any 24 hours on this machine. With any `max_amount`
 * or `max_per_day`, a payment in a currency that it does not name is refused too. They are there against a slip of the hand;
 * any editor of the settings can lift them.
 */
export const limits = {
  max_amount: z.optional(amounts),
  max_per_day: z.optional(amounts),
  read_only: z.optional(z.boolean()),
  /** A pay run that was planned with this key is approved with another (docs/pay-runs.md). */
  two_person: z.optional(z.boolean()),
  /** A file of public keys: who may approve a pay run that this profile pays, by signature. */
  approvers: z.optional(z.string().check(z.minLength(1))),
  /** The number of them who approve each run; one where it is not set. */
  approvals_needed: z.optional(z.number().check(z.int(), z.gte(1))),
  /** Whom the user accepted, with the fingerprint of the key. A key in the file that is not here counts for nothing. */
  accepted_approvers: z.optional(z.record(z.string(), z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
  /** The days after a run from which its rows are paid again without a question; `REPEAT_DAYS` where it is not set. */
  repeat_days: z.optional(z.number().check(z.int(), z.gte(0), z.lte(366))),
  /** How far the rates of a pay run may move before it pauses, at most, in percent; `RATE_TOLERANCE` where it is not set. */
  max_rate_tolerance: z.optional(z.string().check(z.refine(isPercent))),
  /** The rights of an agent (`remit mcp`): reads alone where it is not set, writes on a sandbox, or plans that a person approves. */
  agent: z.optional(z.enum(AGENT_RIGHTS)),
  /** The segment of the partner balance's path, where the service has another than `partner`. */
  partner_path: z.optional(segment),
};

const profile = z.looseObject({
  ...limits,
  baseUrl: z.string(),
  key: z.string(),
  // An environment that is not declared sandbox counts as production.
  environment: z.catch(z.enum(['sandbox', 'production']), 'production'),
  secretIn: z.catch(z.enum(['keychain', 'file']), 'file'),
  scheme: z.optional(z.enum(['signature', 'secret'])),
  /** The base URL of the service's own reports. */
  reports_url: z.optional(z.string()),
  /** A file with certificate authorities to trust. */
  caFile: z.optional(z.string()),
  /** Plain HTTP to another host was allowed at login. */
  insecure: z.optional(z.boolean()),
  /** How its results are printed by default. */
  output: z.optional(z.string()),
  /** Written by `remit sandbox start`, which removes it again: the process that serves it. */
  sandbox: z.optional(z.looseObject({ pid: z.number(), startedAt: z.string() })),
});

/** How the files of one program are read, under a name (docs/pay-runs.md). */
const mapping = z.looseObject({
  /** Column to its name in the file. */
  map: z.record(z.string(), z.string()),
  split_name: z.optional(z.enum(['first-last', 'last-first', 'pain'])),
  decimal_comma: z.optional(z.boolean()),
  /** Cells of rows that leave them empty: `{"type": "NGN::Bank"}`. */
  defaults: z.optional(z.record(z.string(), z.string())),
});

export const settingsSchema = z.looseObject({
  defaultProfile: z.optional(z.catch(z.string(), '')),
  profiles: z._default(z.record(z.string(), profile), {}),
  mappings: z.optional(z.record(z.string(), mapping)),
});

type Known<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

export type ProfileLimits = z.infer<z.ZodMiniObject<typeof limits>>;
export type Profile = Known<z.infer<typeof profile>>;
export type Mapping = Known<z.infer<typeof mapping>>;
export type SplitName = NonNullable<Mapping['split_name']>;
export type Environment = Profile['environment'];
export interface Settings {
  defaultProfile?: string | undefined;
  profiles: Record<string, Profile>;
  mappings?: Record<string, Mapping> | undefined;
}

/** The faults, for people, by the member that does not fit. */
export const FAULTS: Readonly<Record<string, string>> = byWord({
  partner_path: 'is no segment of a path, such as partner',
  read_only: 'is neither true nor false',
  two_person: 'is neither true nor false',
  approvers: 'is no path of a file',
  approvals_needed: 'is no number of approvers',
  accepted_approvers: 'is not names with fingerprints of 64 digits',
  agent: 'is neither sandbox nor prepare',
  repeat_days: 'is no number of days from 0 to 366',
  max_rate_tolerance: 'is no percentage from 0 to 50, such as "0.5"',
  max_amount: 'is not currencies with amounts, such as {"EUR": "5000.00"}',
  max_per_day: 'is not currencies with amounts, such as {"EUR": "20000.00"}',
});
