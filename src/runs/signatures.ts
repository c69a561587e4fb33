/**
 * A run is judged here by its signatures: did enough approvers sign it? Anybody who can write to the store may have
 * put a statement there, so a statement counts only where an accepted key signed it, of this run. Of one
 * approver the statement stands that no later one of theirs names: the order is signed, and neither a clock
 * nor the store decides it. An approval and a rejection that do not know of each other: the rejection stands.
 */

import type { ApproverKey } from '../profiles/approver-key.ts';
import { isSigned, printOfStatement, type SignedRun } from './statement.ts';
import type { SignedVerdict } from './store/port.ts';

export type SignatureStanding =
  | 'counts'
  /** Its time is over. */
  | 'ended'
  | 'rejects'
  /** The same approver said something else later. */
  | 'replaced'
  /** The key is none of those that are accepted here. */
  | 'not_accepted'
  /** It says that an accepted key signed it, and that is not so, or it was another run. */
  | 'forged';

export interface SignatureRule {
  /** The number of approvers that is needed, one or more. */
  needed: number;
  accepted: readonly ApproverKey[];
}

export interface CheckedStatement {
  statement: SignedVerdict;
  standing: SignatureStanding;
}

export interface SignatureCount {
  each: readonly CheckedStatement[];
  needed: number;
  /** Approvers whose approval counts now. */
  counting: number;
  rejections: readonly SignedVerdict[];
  forged: number;
  /** From then on fewer than needed count, in milliseconds since 1970; undefined where it is so already. */
  until: number | undefined;
}

/** @param now undefined where no end is looked at */
export function judgeStatements(
  run: SignedRun,
  statements: readonly SignedVerdict[],
  { rule, now }: { rule: SignatureRule; now: number | undefined },
): SignatureCount {
  const known = statements.map((statement) => ({ statement, standing: knownAs(run, statement, rule) }));
  const replaced = new Set(
    known.flatMap((one) => (one.standing === undefined ? replacedBy(one.statement) : [])),
  );
  const each = known.map(({ statement, standing }) => ({
    statement,
    standing: standing ?? (replaced.has(mark(statement)) ? 'replaced' : standingAt(statement, now)),
  }));
  const rejections = each.flatMap(({ statement, standing }) => (standing === 'rejects' ? [statement] : []));
  const ends = endsOf(each, new Set(rejections.map(({ key }) => key)));
  return {
    each,
    needed: rule.needed,
    counting: ends.length,
    rejections,
    forged: each.filter(({ standing }) => standing === 'forged').length,
    until: ends[rule.needed - 1],
  };
}

/** Undefined where an accepted key signed it, of this run. */
function knownAs(
  run: SignedRun,
  statement: SignedVerdict,
  rule: SignatureRule,
): 'not_accepted' | 'forged' | undefined {
  const isAccepted = rule.accepted.some(
    ({ name, key }) => name === statement.approver && key === statement.key,
  );
  if (!isAccepted) return 'not_accepted';
  return isSigned(run, statement) ? undefined : 'forged';
}

/** Only the same approver takes the place of a statement. */
const mark = (statement: SignedVerdict): string => `${statement.key} ${printOfStatement(statement)}`;
const replacedBy = ({ key, replaces }: SignedVerdict): string[] => replaces.map((print) => `${key} ${print}`);

function standingAt({ verdict, until }: SignedVerdict, now: number | undefined): SignatureStanding {
  if (verdict !== 'approve') return 'rejects';
  const end = Date.parse(until ?? '');
  if (Number.isNaN(end)) return 'ended';
  return now === undefined || now < end ? 'counts' : 'ended';
}

/** When the approval of each approver ends, the last one first: one person counts once, however often they signed. */
function endsOf(each: readonly CheckedStatement[], rejecting: ReadonlySet<string>): number[] {
  const ends = new Map<string, number>();
  for (const { statement, standing } of each) {
    const { key, until } = statement;
    if (standing !== 'counts' || rejecting.has(key)) continue;
    ends.set(key, Math.max(ends.get(key) ?? 0, Date.parse(until ?? '')));
  }
  return [...ends.values()].sort((a, b) => b - a);
}

/** Returns the statements of this approver that the next one takes the place of. */
export const toReplace = (
  run: SignedRun,
  statements: readonly SignedVerdict[],
  approver: ApproverKey,
): string[] =>
  judgeStatements(run, statements, { rule: { needed: 1, accepted: [approver] }, now: undefined })
    .each.filter(({ standing }) => standing === 'counts' || standing === 'rejects')
    .map(({ statement }) => printOfStatement(statement));
