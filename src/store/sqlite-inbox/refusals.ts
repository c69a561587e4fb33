/** The latest refused requests, kept for people to look at. */
import type { Refusal } from '../../core/ports/inbox.ts';
import type { Database } from '../driver.ts';
import { readRefusal } from '../refusal-row.ts';

const KEPT_REFUSALS = 200;
const KEPT_BODY_BYTES = 65_536;

export function keepRefusals(database: Database, account: number, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  database.transaction(() => {
    for (const refusal of refusals.slice(-KEPT_REFUSALS)) insert(database, account, refusal);
    database.run(DROP_OLDER, account, account, KEPT_REFUSALS);
  });
}

const DROP_OLDER = `
  DELETE FROM refusals WHERE account = ?
    AND seq <= (SELECT seq FROM refusals WHERE account = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`;

function insert(database: Database, account: number, refusal: Refusal): void {
  const { id, receivedAt, from, url, target, headers, body, bodyBytes, cause, message } = refusal;
  database.run(
    `INSERT INTO refusals (account, id, received_at, peer, url, target, headers, body, body_bytes, cause, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    account,
    id,
    receivedAt,
    from,
    url,
    target,
    JSON.stringify(headers),
    body.subarray(0, KEPT_BODY_BYTES),
    bodyBytes,
    cause,
    message,
  );
}

export function listRefusals(database: Database, account: number, limit: number): Refusal[] {
  return database
    .all('SELECT * FROM refusals WHERE account = ? ORDER BY seq DESC LIMIT ?', account, limit)
    .map(readRefusal);
}
