/** Who approved a run, and who rejected it: each in one step with the look at its digest and its state. */
import type { PayRuns } from '../../core/ports/payruns.ts';
import type { Database } from '../driver.ts';
import { SIGNABLE, TO_BE_APPROVED } from '../payrun-sql.ts';
import type { PayRunDependencies } from './dependencies.ts';

type Approving = Pick<PayRuns, 'approve' | 'sign' | 'reject'>;

/** No rejection but the one that whoever approves knows of. */
const KNOWN_OF = "COALESCE(json_extract(rejection, '$.at'), 0) = ?";
const APPROVE = `UPDATE payruns SET state = 'approved', why = NULL, rejection = NULL, approval = ?, updated_at = ?
  WHERE id = ? AND digest = ? AND ${KNOWN_OF} AND ${TO_BE_APPROVED}`;
const ADDED = `json_insert(COALESCE(statements, '[]'), '$[#]', json(?1))`;
const SIGN = `UPDATE payruns SET statements = ${ADDED}, updated_at = ?3,
    approval = CASE WHEN ${TO_BE_APPROVED} THEN ?2 ELSE approval END,
    why = CASE WHEN ${TO_BE_APPROVED} THEN NULL ELSE why END,
    state = CASE WHEN ${TO_BE_APPROVED} THEN 'approved' ELSE state END,
    rejection = NULL
  WHERE id = ?4 AND digest = ?5 AND ${KNOWN_OF}6 AND ${SIGNABLE}`;
const REJECT = `UPDATE payruns SET statements = CASE WHEN ?1 IS NULL THEN statements ELSE ${ADDED} END, updated_at = ?3, rejection = ?2,
    why = ?6, state = CASE state WHEN 'planned' THEN 'planned' ELSE 'paused' END
  WHERE id = ?4 AND digest = ?5 AND ${SIGNABLE}`;

export function createApproving(database: Database, { clock, write }: PayRunDependencies): Approving {
  /** `done` where the run was changed; else why not. */
  const change = <Done, Not>(id: string, digest: string, work: () => number, [done, not]: [Done, Not]) =>
    write((): Done | Not | 'changed' => {
      if (work() === 1) return done;
      const run = database.get(
        "SELECT digest FROM payruns WHERE id = ? AND state NOT IN ('draft', 'gone')",
        id,
      );
      return run !== undefined && run.digest !== digest ? 'changed' : not;
    });
  return {
    approve: (id, digest, approval, over = 0) => {
      const approved = JSON.stringify(approval);
      return change(id, digest, () => database.run(APPROVE, approved, clock.now(), id, digest, over), [
        'approved',
        'not_planned',
      ]);
    },
    sign: (id, digest, { statement, approval, over = 0 }) => {
      const [said, approved] = [JSON.stringify(statement), JSON.stringify(approval)];
      return change(id, digest, () => database.run(SIGN, said, approved, clock.now(), id, digest, over), [
        'signed',
        'not_open',
      ]);
    },
    reject: (id, digest, { statement, rejection, why }) =>
      change(
        id,
        digest,
        () => {
          const said = statement === undefined ? null : JSON.stringify(statement);
          return database.run(REJECT, said, JSON.stringify(rejection), clock.now(), id, digest, why);
        },
        ['rejected', 'not_open'],
      ),
  };
}
