/** Plans that an agent prepared, beside the journal and in its file: a plan and the intents that carry it out are on one disk. */

import type { FileParts } from '../../client/store/journal-file.ts';
import { canonicalBaseUrl } from '../../core/account.ts';
import { invariant } from '../../core/invariants.ts';
import type { Row } from '../../disk/driver.ts';
import { ALIKE_MS } from '../../payments/recent-payments.ts';
import { type NewPrepared, PLAN_LIVES_MS, type Prepared, type PreparedPlans, type WishKind } from './port.ts';

const GET = 'SELECT * FROM prepared WHERE handle = ?';
const ALIKE = `SELECT DISTINCT prepared.* FROM prepared JOIN prepared_alike USING (handle)
  WHERE text IN (SELECT value FROM json_each(?)) AND digest <> ? AND created_at > ? ORDER BY seq DESC`;
const KEEP = `INSERT INTO prepared (handle, digest, base_url, created_at, plan, wish) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (handle) DO UPDATE SET created_at = excluded.created_at, plan = excluded.plan, wish = excluded.wish`;
const NAME = 'INSERT OR IGNORE INTO prepared_alike (text, handle) VALUES (?, ?)';
/** A plan is compared with others for a week, and then forgotten: it holds personal data. */
const FORGET = [
  'DELETE FROM prepared_alike WHERE handle IN (SELECT handle FROM prepared WHERE created_at <= ?)',
  'DELETE FROM prepared WHERE created_at <= ?',
];

export function createPrepared({ database, clock, write }: FileParts): PreparedPlans {
  const get = (handle: string): Prepared | undefined => database.all(GET, handle).map(read)[0];

  const like = (texts: readonly string[], except = ''): Prepared[] =>
    database.all(ALIKE, JSON.stringify(texts), except, clock.now() - ALIKE_MS).map(read);

  function keep<Refusal>(
    plan: NewPrepared,
    judge: (alike: readonly Prepared[]) => Refusal | undefined,
  ): { kept: Prepared } | { refused: Refusal } {
    const now = clock.now();
    for (const sql of FORGET) database.run(sql, now - ALIKE_MS);
    const standing = get(plan.handle);
    invariant(
      standing === undefined || standing.digest === plan.digest,
      'two wishes have one handle: nothing is planned under it',
    );
    const alike = like(plan.alike, plan.digest);
    const refused = judge(alike);
    if (refused !== undefined) return { refused };
    const { handle, digest, wish, ...rest } = plan;
    const names = [...(standing?.notTheSameAs ?? []), ...rest.notTheSameAs];
    const about = { ...rest, notTheSameAs: [...new Set(names)] };
    const url = canonicalBaseUrl(about.account.baseUrl);
    database.run(KEEP, handle, digest, url, now, JSON.stringify(about), wish);
    for (const text of plan.alike) database.run(NAME, text, handle);
    const kept = get(handle);
    invariant(kept?.wish === wish, 'a plan is on disk before anybody hears its handle');
    return { kept };
  }

  return {
    keep: (plan, judge) => write(() => keep(plan, judge)),
    get: async (handle) => get(handle),
    like: async (texts) => like(texts),
    list: async (baseUrl) =>
      database
        .all(
          'SELECT * FROM prepared WHERE base_url = ? AND created_at > ? ORDER BY seq DESC',
          canonicalBaseUrl(baseUrl),
          clock.now() - PLAN_LIVES_MS,
        )
        .map(read),
  };
}

function read(row: Row): Prepared {
  const about = JSON.parse(String(row.plan)) as Omit<NewPrepared, 'handle' | 'digest' | 'wish'>;
  const kind: WishKind = about.kind;
  return {
    ...about,
    kind,
    handle: String(row.handle),
    digest: String(row.digest),
    wish: String(row.wish),
    createdAt: Number(row.created_at),
  };
}
