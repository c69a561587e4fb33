/** An intent as a row of a table, in SQLite and in PostgreSQL alike: what is looked for has a column, the rest is one JSON text. */
import {
  BY_WORD,
  givenIdOf,
  type Intent,
  type IntentStanding,
  type IntentState,
  type NewIntent,
} from './port.ts';

export type IntentRow = Readonly<Record<string, unknown>>;

/** Columns in the order in which `valuesOf` gives their values. */
export const INTENT_COLUMNS = [
  'id',
  'profile',
  'digest',
  'state',
  'created_at',
  'updated_at',
  'about',
  'request',
  'given_id',
  'command',
] as const;

export function valuesOf(intent: Intent): (string | number | null)[] {
  const { id, profile, digest, state, createdAt, updatedAt, request, ...about } = intent;
  const texts = [JSON.stringify(about), request ?? null, givenIdOf(intent) ?? null, intent.command];
  return [id, profile, digest, state, createdAt, updatedAt, ...texts];
}

type About = Omit<NewIntent, 'profile' | 'digest' | 'request'>;

export function readIntent(row: IntentRow): Intent {
  const { about, told_at: toldAt, told_seq: toldSeq } = row;
  return {
    ...((typeof about === 'string' ? JSON.parse(about) : about) as About),
    id: String(row.id),
    profile: String(row.profile),
    digest: String(row.digest),
    createdAt: Number(row.created_at),
    ...(toldAt === null || toldAt === undefined ? {} : { toldAt: Number(toldAt) }),
    ...(toldSeq === null || toldSeq === undefined ? {} : { toldSeq: Number(toldSeq) }),
    ...(row.told_uptime === null || row.told_uptime === undefined
      ? {}
      : { toldUptime: Number(row.told_uptime) }),
    ...readStanding(row),
  };
}

/** Columns of what changes when an intent is closed. */
export const RESULT_COLUMNS = 'state, updated_at, request, result_id, note, empty_since';

export const readStanding = (row: IntentRow): IntentStanding => ({
  state: row.state as IntentState,
  updatedAt: Number(row.updated_at),
  ...optional('request', row.request),
  ...optional('resultId', row.result_id),
  ...optional('note', row.note),
  ...(row.empty_since === null || row.empty_since === undefined
    ? {}
    : { emptySince: Number(row.empty_since) }),
});

const optional = <K extends string>(name: K, value: unknown): Partial<Record<K, string>> =>
  typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};

/** SQL that says of the pay run `r`, of which an intent may be a row, that nothing of it may be sent. */
export const STOPPED_RUN = "(r.hold IS NOT NULL OR r.rejection IS NOT NULL OR r.state = 'cancelled')";

/** SQL that says of an intent whether it may be closed with the state `to`. */
export const closableTo = (to: string): string =>
  `(state IN ('open', 'unknown') OR (${to} = 'applied' AND state = 'not_applied' AND note LIKE '${BY_WORD}%'))`;
