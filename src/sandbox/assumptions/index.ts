/**
 * Everything that the service's description leaves open and the sandbox decides, beside the moves in the state tables (decision
 * 0028). Code that embodies one of these names it (`@assumes id`); a test holds both lists together, and `docs/assumptions.md`
 * is made from these rows.
 */
import { accountAssumptions } from './account.ts';
import { paymentsAssumptions } from './payments.ts';
import { reportsAssumptions } from './reports.ts';

export interface Assumption {
  id: string;
  area: string;
  rule: string;
  why: string;
  /** The section of the service's description. */
  where: string;
}

export const assumptions: readonly Assumption[] = [
  ...paymentsAssumptions,
  ...accountAssumptions,
  ...reportsAssumptions,
].map(([id, area, rule, why, where]) => ({ id, area, rule, why, where }));
