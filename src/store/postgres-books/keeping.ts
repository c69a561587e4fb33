/**
 * Keeping records, by several machines at once. The statement itself decides which record is newer, on the row that it has locked:
 * what another machine wrote a moment ago counts.
 */
import type { BookEntry, Books, Kept, Mark } from '../../core/ports/books.ts';
import { foundBy, Moved, markOf, refuseOtherwiseHidden } from '../book-marks.ts';
import { closedUntil, type HowKept, markChanges } from '../mark-changes.ts';
import type { PostgresQueries } from '../postgres-queries.ts';
import { atomically, readClosings, readProgress, rowsOf, type Shared, writeProgress } from './connection.ts';
import { writeMarks, writeMoved } from './marks.ts';

const COLUMNS =
  'id, external_id, state, is_final, created_at, changed_at, heard_at, recipients, body, finds'.split(', ');
const TYPES = 'text text text boolean bigint bigint bigint integer text text'.split(' ');
const GIVEN = `unnest(${TYPES.map((type, at) => `$${at + 2}::${type}[]`).join(', ')})`;

/** By the service's clock; where that is silent by ours, and then nothing that was final is open again. */
const IS_NEWER = `kept.body <> excluded.body AND (excluded.changed_at > kept.changed_at OR (excluded.changed_at = kept.changed_at AND
  CASE WHEN kept.is_final <> excluded.is_final THEN excluded.is_final ELSE excluded.heard_at >= kept.heard_at END))`;

const KEEP = `INSERT INTO remit_books.entries AS kept (account, ${COLUMNS.join(', ')})
  SELECT $1, given.* FROM ${GIVEN} AS given
  ON CONFLICT (account, id) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')} WHERE ${IS_NEWER}
  RETURNING seq, id, (xmax = 0) AS is_new`;

/**
 * Notes that entries were heard again where they are kept as they were given: the same was read again. The account is in the list, and
 * the list is made first: a server that has not counted the table yet takes an account for small, and reads every record of it.
 * `IS TRUE` keeps the bodies out of a hash: to hash them, it would fetch every body of the table.
 */
const SAME = `WITH given AS MATERIALIZED (
    SELECT $1::integer AS account, each.* FROM unnest($2::text[], $3::text[], $4::bigint[]) AS each (id, body, heard_at)
  )
  UPDATE remit_books.entries kept SET heard_at = greatest(kept.heard_at, given.heard_at) FROM given
  WHERE kept.account = given.account AND kept.id = given.id AND (kept.body = given.body) IS TRUE`;

export function createKeeping(shared: Shared): Pick<Books, 'keep'> {
  return {
    keep: (entries, progress) =>
      atomically(shared, async (within) => {
        const { account, name } = shared;
        const lock = progress === undefined ? 'FOR SHARE' : 'FOR UPDATE';
        const { hiddenBy, knownUntil } = await readProgress(within, account, lock);
        refuseOtherwiseHidden(entries, hiddenBy, name);
        const closed = closedUntil(await readClosings(within, account));
        const kept: Kept = { added: 0, changed: 0, older: 0 };
        const moved = new Moved();
        for (const wave of wavesOf(entries))
          await keepWave(within, account, wave, { kept, moved, knownUntil, closedUntil: closed });
        await writeMoved(within, account, moved);
        if (progress) await writeProgress(within, account, progress);
        return kept;
      }),
  };
}

/** A statement may touch a row once: of a record that is given twice the second is of the next wave. Rows are locked in one order. */
function wavesOf(entries: readonly BookEntry[]): BookEntry[][] {
  const waves: Map<string, BookEntry>[] = [];
  for (const entry of entries) {
    const free = waves.find((wave) => !wave.has(entry.id));
    if (free === undefined) waves.push(new Map([[entry.id, entry]]));
    else free.set(entry.id, entry);
  }
  return waves.map((wave) => [...wave.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
}

async function keepWave(
  within: PostgresQueries,
  account: number,
  wave: readonly BookEntry[],
  { kept, ...how }: Omit<HowKept, 'isNew'> & { kept: Kept },
): Promise<void> {
  const column = <T>(of: (entry: BookEntry) => T): T[] => wave.map(of);
  const ids = column(({ id }) => id);
  const bodies = column(({ body }) => plain(body));
  const heard = column(({ heardAt }) => heardAt);
  const written = await rowsOf(within, KEEP, [
    account,
    ids,
    column(({ externalId }) => (externalId === undefined ? null : plain(externalId))),
    column(({ state }) => plain(state)),
    column(({ isFinal }) => isFinal),
    column(({ createdAt }) => createdAt),
    column(({ changedAt }) => changedAt),
    heard,
    column(({ recipients }) => recipients),
    bodies,
    column(({ finds }) => plain(foundBy(finds))),
  ]);
  const added = written.filter((row) => row.is_new === true).length;
  kept.added += added;
  kept.changed += written.length - added;
  if (written.length < wave.length) {
    const { rowCount } = await within.query(SAME, [account, ids, bodies, heard]);
    kept.older += wave.length - (rowCount ?? 0);
  }
  await keepMarks(within, account, { wave, written, ...how });
}

/**
 * Keeps the marks of entries that are new or newer. Their rows are locked: nobody else changes their marks meanwhile.
 */
async function keepMarks(
  within: PostgresQueries,
  account: number,
  {
    wave,
    written,
    ...shared
  }: Omit<HowKept, 'isNew'> & { wave: readonly BookEntry[]; written: readonly Record<string, unknown>[] },
): Promise<void> {
  const old = written.flatMap((row) => (row.is_new === true ? [] : [String(row.seq)]));
  const standing = new Map<string, Mark[]>(old.map((seq) => [seq, []]));
  if (old.length > 0) {
    const sql =
      'SELECT seq, kind, "of", at, currency, amount FROM remit_books.marks WHERE seq = ANY($1::bigint[])';
    for (const row of await rowsOf(within, sql, [old])) standing.get(String(row.seq))?.push(markOf(row));
  }
  const byId = new Map(wave.map((entry) => [entry.id, entry]));
  const changes = written.map((row) => {
    const seq = String(row.seq);
    const marks = byId.get(String(row.id))?.marks ?? [];
    const how = { ...shared, isNew: row.is_new === true };
    return { seq, ...markChanges(standing.get(seq) ?? [], marks, how) };
  });
  await writeMarks(within, account, changes);
}

/** PostgreSQL keeps no NUL within a text. */
const plain = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
