/** A handler answers one operation: synchronous, so that nothing comes between reading and writing. */

import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';

interface Call {
  /** The path parameter, or an empty text where the path has none. */
  id: string;
  query: URLSearchParams;
  /** The request's object; `{}` for calls without one. */
  body: Plain;
}

export interface Answer {
  status: number;
  body: unknown;
}

export type Handler = (sandbox: SandboxState, call: Call) => Answer;

export const ok = (object: unknown, meta?: Plain): Answer => ({ status: 200, body: { object, meta } });
export const created = (object: unknown, meta?: Plain): Answer => ({ status: 201, body: { object, meta } });
export const refused = (object: unknown, meta?: Plain): Answer => ({ status: 422, body: { object, meta } });
export const absent: Answer = {
  status: 404,
  body: { status: 404, error: 'Not Found' },
};
export const badRequest: Answer = {
  status: 400,
  body: { status: 400, error: 'Bad Request' },
};
