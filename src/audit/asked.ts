/** An audit as it is asked for, what its runs without a fault tell, and what comes out. */
import type { Clock } from '../core/clock.ts';
import type { AuditCase } from './case.ts';
import type { Habit } from './habits.ts';
import type { AuditFinding, CaseVerdict } from './judge.ts';
import type { Way } from './loss-modes.ts';
import type { Wished } from './payments.ts';
import type { KnownWrite } from './plan.ts';
import type { CaseRun, Program } from './run-case.ts';
import type { ShownRequest } from './shown.ts';
import type { Unstable } from './writes.ts';

export interface AuditOptions {
  program: Program;
  clock: Clock;
  signal: AbortSignal;
  seed: string;
  /** Kills are tried. */
  kills: boolean;
  skip: readonly Way[];
  mustPay: boolean;
  /** How often the same payment may be made under faults. */
  same: number;
  /** Goes on at random until then, in milliseconds from the beginning. */
  forMs?: number | undefined;
  /** Ends by then, whatever is left. */
  budgetMs?: number | undefined;
  /** Ends after so many. */
  most?: number | undefined;
  /** Cases at once. */
  parallel: number;
  /** Only this one, after the two runs without a fault. */
  replay?: AuditCase | undefined;
  onCase?: (verdict: CaseVerdict, count: number) => void;
}

export interface ReportedFinding {
  kind: AuditFinding['kind'];
  /** Words, its account masked. */
  payment: string;
  /** Payments too many or too few, in the shortest case. */
  count: number;
  /** Cases that showed it, and the ways in them. */
  cases: number;
  ways: readonly Way[];
  shortest: AuditCase;
  requests: readonly ShownRequest[];
}

export interface Audited {
  wished: { payments: readonly string[]; left: readonly string[]; isByCount: boolean };
  writes: readonly (KnownWrite & { operation: string })[];
  /** Members of the writes that differ between two runs without a fault. */
  unstable: readonly string[];
  counts: Readonly<Record<CaseVerdict['ended'], number>>;
  found: readonly ReportedFinding[];
  habits: readonly Habit[];
  notTried: readonly string[];
  /** Milliseconds: of all cases, and what of it the program itself took. */
  tookMs: number;
  programMs: number;
}

export interface AuditBasis {
  one: CaseRun;
  wished: Wished;
  unstable: Unstable;
  writes: (KnownWrite & { operation: string })[];
  hasWebhooks: boolean;
}
