/** Exit codes tell the truth: one table, from the category of an error or of an ending (docs/rules.md 10). */
import type { Category, Problem } from '../core/problem.ts';

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 4,
  validation: 5,
  notFound: 6,
  signature: 7,
  pending: 8,
  unknown: 9,
  check: 10,
  temporary: 75,
  config: 78,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeOf: Readonly<Record<Category, ExitCode>> = {
  usage: exitCodes.usage,
  auth: exitCodes.auth,
  validation: exitCodes.validation,
  not_found: exitCodes.notFound,
  conflict: exitCodes.failed,
  network: exitCodes.temporary,
  server: exitCodes.temporary,
  unknown: exitCodes.unknown,
  pending: exitCodes.pending,
  signature: exitCodes.signature,
  check: exitCodes.check,
  config: exitCodes.config,
  internal: exitCodes.failed,
  interrupted: exitCodes.interrupted,
};

/** The exit code of one of several things that a command did: it was done, or something kept it from being done. */
export const exitOfEnding = (category: Category | 'done'): ExitCode =>
  category === 'done' ? exitCodes.ok : exitCodeOf[category];

/** The exit code of several things that one command did. */
export const exitOfEndings = (endings: readonly (Category | 'done')[]): ExitCode =>
  worst(endings.map(exitOfEnding));

export const exitOf = ({ facts }: Problem): ExitCode => exitCodeOf[facts.category];

export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [0, 'done'],
  [1, 'failed'],
  [2, 'usage: bad flag or argument, missing --yes'],
  [4, 'not authenticated'],
  [5, 'validation (422): nothing was created'],
  [6, 'not found'],
  [7, 'a signature did not verify'],
  [8, 'still pending when --wait ended, or a pay run has rows left'],
  [9, 'outcome unknown: it may have been applied'],
  [10, 'a check failed (balance --min, test-handler, partly refunded, rows of a run, reconcile)'],
  [75, 'temporary: network, 5xx on a read, rate limit; safe to repeat'],
  [78, 'configuration'],
  [130, 'interrupted, or a prompt was cancelled'],
];

/**
 * The order of the codes by which one is reported for several endings in one command: the one worst
 * for callers that rely on it is last.
 */
const SEVERITY: readonly ExitCode[] = [0, 8, 10, 75, 6, 4, 2, 78, 5, 7, 130, 1, 9];

export function worst(codes: readonly ExitCode[]): ExitCode {
  return codes.reduce<ExitCode>((a, b) => (SEVERITY.indexOf(b) > SEVERITY.indexOf(a) ? b : a), 0);
}
