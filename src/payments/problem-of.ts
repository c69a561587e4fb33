/** One exhaustive map from what was thrown to what is said: nothing else turns an error into words. */

import {
  type ApiError,
  isForeign,
  kindOf,
  type NetworkError,
  type NotReadyError,
  type RequestError,
  type UnreadableAnswerError,
} from '../client/errors.ts';
import { isDefiniteRefusal } from '../client/outcome.ts';
import { byWord } from '../core/by-word.ts';
import { type Hint, hint } from '../core/next.ts';
import { type Category, Problem, type ProblemFacts, refuse } from '../core/problem.ts';
import { NOT_THE_SERVICE, networkProblem, STOPPED } from './network-problem.ts';
import { withNearChoices } from './words/near-choices.ts';
import { baseUrlProblem, storeProblem } from './words/problems.ts';

/** Tells errors of the client by their name: a command that never calls the service must not load the client. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return internal(error);
  switch (error.name) {
    case 'ApiError':
      return apiProblem(error as ApiError);
    case 'NotReadyError':
      return notReady(error as NotReadyError);
    case 'NetworkError':
      return networkProblem(error as NetworkError);
    case 'UnreadableAnswerError':
      return unreadable(error as UnreadableAnswerError);
    case 'Contradiction':
      return contradiction(error);
    case 'RequestError':
      return requestProblem(error as RequestError);
    case 'BaseUrlError':
      return baseUrlProblem(error);
    case 'PathError':
      return plain('usage', 'path', error);
    case 'AmountError':
      return plain('usage', 'amount', error);
    case 'StoreError':
      return storeProblem(error);
    case 'ExitPromptError':
    case 'AbortPromptError':
    case 'AbortError':
      return stoppedAsking(error);
    default:
      return systemProblem(error);
  }
}

const CATEGORY: Record<ApiError['kind'], Category> = {
  bad_request: 'usage',
  auth: 'auth',
  not_found: 'not_found',
  validation: 'validation',
  rate_limit: 'server',
  server: 'server',
  other: 'internal',
};

/** Returns the category of a status, by the one table. */
export const errorCategory = (status: number): Category => CATEGORY[kindOf(status)];

const HINTS: Partial<Record<ApiError['kind'], Hint>> = {
  auth: hint`check the key and the secret with ${'`'}${{ do: 'who_am_i' }}${'`'}, or sign in again with ${'`'}${{ do: 'sign_in' }}${'`'}`,
  rate_limit: 'wait a little and run it again',
  server: 'run it again in a moment',
};

/** Questions are asked before anything is sent. */
const stoppedAsking = (cause: Error): Problem =>
  new Problem({ ...STOPPED, outcome: 'not applied', outcomeNote: 'nothing was sent' }, { cause });

function apiProblem(error: ApiError): Problem {
  const write = error.call.effect !== 'read';
  // A wrong key is told by the look after it, not by this answer alone: see client/outcome.ts.
  const near = withNearChoices(error);
  const definite = isDefiniteRefusal(error);
  return refuse(
    write && !definite ? 'unknown' : CATEGORY[error.kind],
    `http_${error.status}`,
    write && isForeign(error) ? notItsOwn(error) : sentence(error),
    {
      hint: HINTS[error.kind] ?? near.hint,
      status: error.status,
      fields: near.fields,
      requestId: error.call.nonce,
      retryable: error.kind === 'rate_limit' || (error.kind === 'server' && !write),
      cause: error,
      outcome: write ? (definite ? 'not applied' : 'unknown') : undefined,
    },
  );
}

const notItsOwn = ({ status }: ApiError): string =>
  `the answer (${status}) may not come from the service: what stands in front of it, such as a proxy, can answer too`;

function sentence(error: ApiError): string {
  const said = error.details.meta.error;
  if (typeof said === 'string' && said !== '') return said;
  const base = error.details.fields.filter(
    ({ path }) => path === 'base' || path.endsWith('.base') || path === 'main_error',
  );
  if (base.length > 0) return [...new Set(base.flatMap(({ words }) => words))].join('; ');
  switch (error.kind) {
    case 'bad_request':
      return 'the service could not read the request';
    case 'auth':
      return 'the service did not accept the key and the signature';
    case 'not_found':
      return 'the service has nothing at this address (404)';
    case 'validation':
      return fieldSentence(error);
    case 'rate_limit':
      return 'the service asks you to send fewer requests';
    case 'server':
      return error.status === 501 ? 'the sandbox does not serve this operation yet' : 'the service failed';
    default:
      return `the service answered ${error.status}`;
  }
}

function fieldSentence(error: ApiError): string {
  const { fields } = error.details;
  if (fields.length === 0) return 'the service refused it, and did not say why';
  return `the service refused ${fields.length === 1 ? 'one field' : `${fields.length} fields`}`;
}

function unreadable(error: UnreadableAnswerError): Problem {
  const write = error.call.effect !== 'read';
  return refuse(write ? 'unknown' : 'server', 'unreadable_answer', error.message, {
    status: error.status,
    requestId: error.call.nonce,
    retryable: !write,
    cause: error,
    outcome: write ? 'unknown' : undefined,
  });
}

const contradiction = (cause: Error): Problem =>
  refuse('unknown', 'contradiction', cause.message, { cause, outcome: 'unknown' });

/**
 * The problem of a write that was not sent, because the read before it failed: it tells of that read. A page
 * where the service should be says nothing of the key.
 */
function notReady(error: NotReadyError): Problem {
  const { facts } = problemOf(error.cause);
  const isOfKey = ['auth', 'interrupted', 'config'].includes(facts.category);
  return new Problem(
    {
      ...facts,
      category: isOfKey ? facts.category : 'network',
      hint: isOfKey || facts.category === 'network' ? facts.hint : NOT_THE_SERVICE,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}

function requestProblem(error: RequestError): Problem {
  return refuse('usage', 'request', error.message, {
    fields: error.problems.map(({ path, message }) => ({ path, words: [message] })),
    cause: error,
    note: 'nothing was sent',
  });
}

const SYSTEM: Record<string, string> = byWord({
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'something else has this name',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EADDRINUSE: 'the port is in use',
});

/** Another path would do. */
const WRONG_PATH = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST']);

function systemProblem(error: Error & { code?: unknown; path?: unknown; port?: unknown }): Problem {
  const words = typeof error.code === 'string' ? SYSTEM[error.code] : undefined;
  if (words === undefined) return internal(error);
  const what =
    typeof error.path === 'string'
      ? `${error.path}: `
      : error.port === undefined
        ? ''
        : `port ${error.port}: `;
  return refuse(
    WRONG_PATH.has(String(error.code)) ? 'usage' : 'config',
    String(error.code).toLowerCase(),
    `${what}${words}`,
    { cause: error },
  );
}

const plain = (category: Category, code: string, error: Error): Problem =>
  refuse(category, code, error.message, { cause: error, note: 'nothing was sent' });

function internal(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const facts: ProblemFacts = {
    category: 'internal',
    code: 'internal',
    message: `a defect of remit: ${message}`,
    hint: 'run it again with REMIT_DEBUG=1 and report what it says',
  };
  return new Problem(facts, { cause: error });
}
