/** The latest refused requests, kept for people to look at. */
import type { Refusal, RefusalLog } from '../../core/ports/inbox.ts';
import { readRefusal } from '../refusal-row.ts';
import type { Connection } from './connection.ts';

const KEPT_REFUSALS = 200;
const KEPT_BODY_BYTES = 65_536;
const NUL = /\0/g;

export function createRefusals(connection: Connection, account: number): RefusalLog {
  return {
    async refuse(refusals) {
      if (refusals.length === 0) return;
      await connection.transaction(async (within) => {
        for (const refusal of refusals.slice(-KEPT_REFUSALS))
          await within.query(INSERT, [account, ...columns(refusal)]);
        await within.query(DROP_OLDER, [account, KEPT_REFUSALS]);
      });
    },
    async refusals(limit) {
      const sql = 'SELECT * FROM remit_inbox.refusals WHERE account = $1 ORDER BY seq DESC LIMIT $2';
      return (await connection.query(sql, [account, limit])).map(readRefusal);
    },
  };
}

const INSERT = `
  INSERT INTO remit_inbox.refusals (account, id, received_at, peer, url, target, headers, body, body_bytes, cause, message)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
/** Another listener may be dropping the same ones. */
const DROP_OLDER = `
  DELETE FROM remit_inbox.refusals WHERE seq IN (
    SELECT seq FROM remit_inbox.refusals WHERE account = $1 AND seq <= (
      SELECT seq FROM remit_inbox.refusals WHERE account = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2)
    FOR UPDATE SKIP LOCKED)`;

/** These come from outside, and nothing proved them: no text has a NUL. */
function columns({
  id,
  receivedAt,
  from,
  url,
  target,
  headers,
  body,
  bodyBytes,
  cause,
  message,
}: Refusal): unknown[] {
  const kept = Buffer.from(body.subarray(0, KEPT_BODY_BYTES));
  const values = [
    id,
    receivedAt,
    from,
    url,
    target,
    JSON.stringify(headers),
    kept,
    bodyBytes,
    cause,
    message,
  ];
  return values.map((value) => (typeof value === 'string' ? value.replace(NUL, '\ufffd') : value));
}
