/** Tells who approved a run, who rejected it, and a row that was corrected: each in one step with the look at the digest and the state. */

import type { Database } from '../../../disk/driver.ts';
import type { PayRuns } from '../port.ts';
import { FIXABLE, FIXED_COLUMNS, fixedValues, SIGNABLE, TO_BE_APPROVED } from '../sql.ts';
import type { PayRunDependencies } from './dependencies.ts';

type Approving = Pick<PayRuns, 'approve' | 'sign' | 'reject' | 'fix'>;

/** No rejection but the one that the approver knows of. */
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
const FIX_ROW = `UPDATE payrun_rows SET state = 'planned', code = NULL, why = NULL, ${FIXED_COLUMNS.map((name) => `${name} = ?`).join(', ')}, updated_at = ?
  WHERE run = (SELECT seq FROM payruns WHERE id = ? AND digest = ? AND rejection IS NULL AND ${SIGNABLE}) AND n = ? AND ${FIXABLE}`;
const FIX_RUN = `UPDATE payruns SET digest = ?, plan = ?, state = 'planned', why = NULL, approval = NULL, statements = '[]', checked_at = NULL,
  fence = fence + 1, updated_at = ? WHERE id = ?`;
/** Frees the window, whatever its lease. */
const FREE_WINDOW = `UPDATE payrun_windows SET worker = NULL, until = NULL, fence = (SELECT fence FROM payruns WHERE id = ?1)
  WHERE run = (SELECT seq FROM payruns WHERE id = ?1) AND "window" = (SELECT "window" FROM payrun_rows r WHERE r.run = payrun_windows.run AND r.n = ?2)`;

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
    fix: (id, digest, { row, ...now }) =>
      change(
        id,
        digest,
        () => {
          const at = clock.now();
          if (database.run(FIX_ROW, ...fixedValues(row), at, id, digest, row.n) === 0) return 0;
          database.run(FIX_RUN, now.digest, now.plan, at, id);
          return database.run(FREE_WINDOW, id, row.n);
        },
        ['fixed', 'not_open'],
      ),
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
