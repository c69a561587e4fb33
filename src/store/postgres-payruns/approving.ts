/** Who approved a run, and who rejected it: each in one step with the look at its digest and its state. */
import type { PayRuns } from '../../core/ports/payruns.ts';
import { SIGNABLE, TO_BE_APPROVED } from '../payrun-sql.ts';
import { atomically, lockOf, NOW_MS, query, RUN_LOCKS, run, type Shared } from './connection.ts';

type Approving = Pick<PayRuns, 'approve' | 'sign' | 'reject'>;

/** No rejection but the one that whoever approves knows of. */
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

export function createApproving({ pool, numberOf }: Shared): Approving {
  /** No row of it is begun meanwhile: what is rejected is not paid. How many runs changed. */
  const alone = async (id: string, sql: string, values: readonly unknown[]): Promise<number> => {
    const number = await numberOf(id);
    if (number === undefined) return 0;
    return atomically(pool, async (within) => {
      await query(within, `SELECT pg_advisory_xact_lock(${RUN_LOCKS}, ${lockOf(number)})`);
      return run(within, sql, [id, ...values]);
    });
  };
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
      if ((await atomically(pool, (within) => run(within, APPROVE, values))) === 1) return 'approved';
      return why(id, digest, 'not_planned');
    },
    async sign(id, digest, { statement, approval, over = 0 }) {
      const values = [digest, JSON.stringify(statement), JSON.stringify(approval), over];
      return (await alone(id, SIGN, values)) === 1 ? 'signed' : why(id, digest, 'not_open');
    },
    async reject(id, digest, { statement, rejection, why: words }) {
      const said = statement === undefined ? null : JSON.stringify(statement);
      const values = [digest, said, JSON.stringify(rejection), words];
      return (await alone(id, REJECT, values)) === 1 ? 'rejected' : why(id, digest, 'not_open');
    },
  };
}
