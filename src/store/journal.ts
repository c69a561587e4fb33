/**
 * The journal of intents on disk (PRODUCT rule 2). The request's text is kept while the outcome is open or unknown, since
 * settling needs the same bytes, and wiped as soon as it is known.
 */
import { uuid } from '../core/ids.ts';
import { invariant } from '../core/invariants.ts';
import type { Intent, IntentState, Intents, NewIntent } from '../core/ports/intents.ts';
import type { Database, Row } from './driver.ts';
import type { StoreDependencies } from './open.ts';

const UNSETTLED = "digest = ? AND state IN ('open', 'unknown')";

export function createJournal(database: Database, { clock, random }: StoreDependencies): Intents {
  const get = (id: string) => read(database.get('SELECT * FROM intents WHERE id = ?', id));
  return {
    open: (intent, options = {}) =>
      database.transaction(() => {
        const unsettled = options.anyway ? undefined : findUnsettled(database, intent);
        if (unsettled) return { unsettled };
        const opened: Intent = { ...intent, id: uuid(random), state: 'open', ...times(clock.now()) };
        insert(database, opened);
        return { opened };
      }),
    close(id, { state, resultId, note }) {
      const changes = database.run(
        `UPDATE intents SET state = ?, updated_at = ?, result_id = COALESCE(?, result_id), note = COALESCE(?, note),
           request = CASE WHEN ? THEN request END
         WHERE id = ? AND state IN ('open', 'unknown')`,
        state,
        clock.now(),
        resultId ?? null,
        note ?? null,
        state === 'unknown' ? 1 : 0,
        id,
      );
      invariant(changes === 1 || get(id) !== undefined, `no intent ${id} to close`);
    },
    get,
    list({ state, limit = 100 } = {}) {
      const rows = state
        ? database.all('SELECT * FROM intents WHERE state = ? ORDER BY seq DESC LIMIT ?', state, limit)
        : database.all('SELECT * FROM intents ORDER BY seq DESC LIMIT ?', limit);
      return rows.map(read).filter((intent) => intent !== undefined);
    },
  };
}

const times = (now: number) => ({ createdAt: now, updatedAt: now });

function findUnsettled(database: Database, { digest }: NewIntent): Intent | undefined {
  return read(database.get(`SELECT * FROM intents WHERE ${UNSETTLED} ORDER BY seq DESC LIMIT 1`, digest));
}

function insert(database: Database, intent: Intent): void {
  const { id, profile, digest, state, createdAt, updatedAt, request, ...about } = intent;
  database.run(
    `INSERT INTO intents (id, profile, digest, state, created_at, updated_at, about, request)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    profile,
    digest,
    state,
    createdAt,
    updatedAt,
    JSON.stringify(about),
    request ?? null,
  );
}

type About = Omit<NewIntent, 'profile' | 'digest' | 'request'>;

function read(row: Row | undefined): Intent | undefined {
  if (!row) return undefined;
  return {
    ...(JSON.parse(String(row.about)) as About),
    id: String(row.id),
    profile: String(row.profile),
    digest: String(row.digest),
    state: row.state as IntentState,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...optional('request', row.request),
    ...optional('resultId', row.result_id),
    ...optional('note', row.note),
  };
}

function optional<K extends string>(name: K, value: Row[string] | undefined): Partial<Record<K, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};
}
