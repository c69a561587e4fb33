/** Tells who approved a run, who rejected it, and a row that was corrected: each in one step with the look at the digest and the state. */
import { invariant } from '../../../core/invariants.ts';
import type { PayRuns } from '../port.ts';
import { FIXABLE, FIXED_COLUMNS, fixedValues, SIGNABLE, TO_BE_APPROVED } from '../sql.ts';
import { alone, atomically, exec, NOW_MS, query, type Shared } from './connection.ts';

type Approving = Pick<PayRuns, 'approve' | 'sign' | 'reject' | 'fix'>;

/** No rejection but the one that the approver knows of. */
const knownOf = (at: string): string => `COALESCE((rejection::json->>'at')::bigint, 0) = ${at}`;
const APPROVE = `UPDATE remit_payruns SET state = 'approved', why = NULL, rejection = NULL, approval = $3, updated_at = ${NOW_MS}
  WHERE id = $1 AND digest = $2 AND ${knownOf('$4')} AND ${TO_BE_APPROVED}`;
/** The list is text, so that what is signed comes back as it was written. */
const ADDED = `CASE WHEN statements IS NULL OR statements = '[]' THEN '[' || $3::text || ']'
    ELSE left(statements, -1) || ',' || $3::text || ']' END`;
const SIGN = `UPDATE remit_payruns SET statements = ${ADDED}, updated_at = ${NOW_MS}, rejection = NULL,
    approval = CASE WHEN ${TO_BE_APPROVED} THEN $4 ELSE approval END,
    why = CASE WHEN ${TO_BE_APPROVED} THEN NULL ELSE why END,
    state = CASE WHEN ${TO_BE_APPROVED} THEN 'approved' ELSE state END
  WHERE id = $1 AND digest = $2 AND ${knownOf('$5')} AND ${SIGNABLE}`;
const REJECT = `UPDATE remit_payruns SET statements = CASE WHEN $3::text IS NULL THEN statements ELSE ${ADDED} END,
    updated_at = ${NOW_MS}, rejection = $4, why = $5, state = CASE state WHEN 'planned' THEN 'planned' ELSE 'paused' END
  WHERE id = $1 AND digest = $2 AND ${SIGNABLE}`;
const FIX_RUN = `UPDATE remit_payruns SET digest = $3, plan = $4, state = 'planned', why = NULL, approval = NULL, statements = '[]',
    checked_at = NULL, updated_at = ${NOW_MS}
  WHERE id = $1 AND digest = $2 AND rejection IS NULL AND ${SIGNABLE}
    AND EXISTS (SELECT 1 FROM remit_payrun_rows WHERE run = seq AND n = $5 AND ${FIXABLE} FOR UPDATE)`;
const FIX_ROW = `UPDATE remit_payrun_rows SET state = 'planned', code = NULL, why = NULL, updated_at = ${NOW_MS},
    ${FIXED_COLUMNS.map((name, i) => `${name} = $${i + 3}`).join(', ')}
  WHERE run = $1 AND n = $2 AND ${FIXABLE} RETURNING "window"`;
/** Frees the window, whatever its lease. */
const FREE_WINDOW = `UPDATE remit_payrun_windows SET worker = NULL, until = NULL, fence = nextval('remit_payrun_fences')
  WHERE run = $1 AND "window" = $2`;

export function createApproving(shared: Shared): Approving {
  const { pool } = shared;
  /** Why nothing was changed. */
  const why = async <Not>(id: string, digest: string, not: Not): Promise<Not | 'changed'> => {
    const sql = "SELECT digest FROM remit_payruns WHERE id = $1 AND state NOT IN ('draft', 'gone')";
    const [found] = await query(pool, sql, [id]);
    return found && found.digest !== digest ? 'changed' : not;
  };
  return {
    async approve(id, digest, approval, over = 0) {
      const values = [id, digest, JSON.stringify(approval), over];
      // A second try would answer that there was nothing to approve.
      if ((await atomically(pool, (within) => exec(within, APPROVE, values))) === 1) return 'approved';
      return why(id, digest, 'not_planned');
    },
    async sign(id, digest, { statement, approval, over = 0 }) {
      const values = [digest, JSON.stringify(statement), JSON.stringify(approval), over];
      return (await alone(shared, id, (within) => exec(within, SIGN, [id, ...values]))) === 1
        ? 'signed'
        : why(id, digest, 'not_open');
    },
    async fix(id, digest, { row, ...now }) {
      const fixed = await alone(shared, id, async (within, number) => {
        if ((await exec(within, FIX_RUN, [id, digest, now.digest, now.plan, row.n])) === 0) return 0;
        const [found] = await query(within, FIX_ROW, [number, row.n, ...fixedValues(row)]);
        invariant(found, 'a row that was locked is corrected');
        return exec(within, FREE_WINDOW, [number, found.window]);
      });
      return fixed === 1 ? 'fixed' : why(id, digest, 'not_open');
    },
    async reject(id, digest, { statement, rejection, why: words }) {
      const said = statement === undefined ? null : JSON.stringify(statement);
      const values = [digest, said, JSON.stringify(rejection), words];
      return (await alone(shared, id, (within) => exec(within, REJECT, [id, ...values]))) === 1
        ? 'rejected'
        : why(id, digest, 'not_open');
    },
  };
}
