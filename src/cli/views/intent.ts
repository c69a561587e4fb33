import { isoTime } from '../../core/clock.ts';
import type { Intent } from '../../core/ports/intents.ts';
import type { View } from '../view.ts';

const STATE_WORDS: Record<Intent['state'], string> = {
  open: 'open: not closed, so unknown',
  applied: 'applied',
  not_applied: 'not applied',
  unknown: 'unknown: it may have been applied',
  conflict: 'conflict: another record has its external id',
};

export type ShownIntent = Omit<Intent, 'request'>;

/** The request holds personal data in full: it is for settling, never for showing. */
export function withoutRequest({ request: _, ...shown }: Intent): ShownIntent {
  return shown;
}

export const intentView: View<ShownIntent> = {
  kind: 'intent',
  empty: 'nothing was sent with money yet',
  columns: [
    { name: 'created_at', head: 'TIME', get: (row) => isoTime(row.createdAt) },
    { name: 'id', get: (row) => row.id.slice(0, 8) },
    { name: 'command', priority: 1, get: (row) => row.command },
    { name: 'state', state: true, get: (row) => row.state },
    { name: 'summary', priority: 2, get: (row) => row.summary },
    { name: 'result_id', priority: 3, get: (row) => row.resultId ?? row.externalId },
    { name: 'profile', priority: 4, get: (row) => row.profile },
  ],
  flat: [
    { name: 'created_at', get: (row) => isoTime(row.createdAt) },
    { name: 'updated_at', get: (row) => isoTime(row.updatedAt) },
    { name: 'intent', get: (row) => row.id },
    { name: 'command', get: (row) => row.command },
    { name: 'state', get: (row) => row.state },
    { name: 'note', get: (row) => row.note },
    { name: 'summary', get: (row) => row.summary },
    { name: 'result_id', get: (row) => row.resultId },
    { name: 'external_id', get: (row) => row.externalId },
    { name: 'profile', get: (row) => row.profile },
    { name: 'environment', get: (row) => row.environment },
    { name: 'key', get: (row) => `…${row.keyLast4}` },
  ],
  details: (row) => [
    ['intent', row.id],
    ['command', row.command],
    ['outcome', STATE_WORDS[row.state]],
    ['how we know', row.note],
    ['what', row.summary],
    ['result', row.resultId],
    ['external id', row.externalId],
    ['concerns', row.subject],
    ['profile', `${row.profile} (${row.environment}, key …${row.keyLast4})`],
    ['service', row.baseUrl],
    ['begun', isoTime(row.createdAt)],
    ['last change', isoTime(row.updatedAt)],
  ],
};

/** One of several that were settled, and what was found out. */
export interface Settled extends ShownIntent {
  why: string;
}

export const settledView: View<Settled> = {
  kind: 'intent',
  empty: 'nothing is open or unknown on this account',
  columns: [
    { name: 'id', get: (row) => row.id.slice(0, 8) },
    { name: 'state', state: true, get: (row) => row.state },
    { name: 'command', priority: 3, get: (row) => row.command },
    { name: 'summary', priority: 2, get: (row) => row.summary },
    { name: 'why', head: 'FOUND OUT', priority: 1, wrap: true, get: (row) => row.why },
  ],
};
