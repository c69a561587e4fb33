/** An intent as a row of a table, in SQLite and in PostgreSQL alike: what is looked for has a column, the rest is one JSON text. */
import { givenIdOf, type Intent, type IntentState, type NewIntent } from '../core/ports/intents.ts';

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
] as const;

export function valuesOf(intent: Intent): (string | number | null)[] {
  const { id, profile, digest, state, createdAt, updatedAt, request, ...about } = intent;
  const texts = [JSON.stringify(about), request ?? null, givenIdOf(intent) ?? null];
  return [id, profile, digest, state, createdAt, updatedAt, ...texts];
}

type About = Omit<NewIntent, 'profile' | 'digest' | 'request'>;

export function readIntent(row: IntentRow): Intent {
  const { about, told_at: toldAt } = row;
  return {
    ...((typeof about === 'string' ? JSON.parse(about) : about) as About),
    id: String(row.id),
    profile: String(row.profile),
    digest: String(row.digest),
    state: row.state as IntentState,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(toldAt === null || toldAt === undefined ? {} : { toldAt: Number(toldAt) }),
    ...optional('request', row.request),
    ...optional('resultId', row.result_id),
    ...optional('note', row.note),
  };
}

const optional = <K extends string>(name: K, value: unknown): Partial<Record<K, string>> =>
  typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};
