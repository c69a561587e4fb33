/** One exhaustive map from what was thrown to what is said: nothing else turns an error into words. */
import {
  type ApiError,
  kindOf,
  type NetworkError,
  type RequestError,
  type UnreadableAnswerError,
} from '../client/errors.ts';
import { isDefiniteRefusal } from '../client/outcome.ts';
import type { Category } from './exit-codes.ts';
import { Failure, type FailureFacts } from './failure.ts';
import { withNearChoices } from './near-choices.ts';

/** By name, so that a command that never calls the service does not load the client. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return internal(error);
  switch (error.name) {
    case 'ApiError':
      return apiFailure(error as ApiError);
    case 'NetworkError':
      return networkFailure(error as NetworkError);
    case 'UnreadableAnswerError':
      return unreadable(error as UnreadableAnswerError);
    case 'Contradiction':
      return contradiction(error);
    case 'RequestError':
      return requestFailure(error as RequestError);
    case 'BaseUrlError':
      return plain('config', 'base_url', error);
    case 'PathError':
      return plain('usage', 'path', error);
    case 'AmountError':
      return plain('usage', 'amount', error);
    case 'StoreError':
      return storeFailure(error);
    case 'ExitPromptError':
    case 'AbortPromptError':
    case 'AbortError':
      return stoppedAsking(error);
    default:
      return systemFailure(error);
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

/** What a status is an instance of, by the one table. */
export const categoryOf = (status: number): Category => CATEGORY[kindOf(status)];

const HINTS: Partial<Record<ApiError['kind'], string>> = {
  auth: 'check the key and the secret with `remit whoami`, or sign in again with `remit login`',
  rate_limit: 'wait a little and run it again',
  server: 'run it again in a moment',
};

/** A prompt comes before anything is sent. */
const stoppedAsking = (cause: Error): Failure =>
  new Failure(
    {
      category: 'interrupted',
      code: 'interrupted',
      message: 'stopped',
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause },
  );

/** A read that was broken off says nothing about what a command sent before it. */
const interrupted = (cause: Error): Failure =>
  new Failure({ category: 'interrupted', code: 'interrupted', message: 'stopped' }, { cause });

function apiFailure(error: ApiError): Failure {
  const write = error.call.effect !== 'read';
  // A wrong key is told by the look after it, not by this answer alone: see client/outcome.ts.
  const near = withNearChoices(error);
  const definite = isDefiniteRefusal(error);
  return new Failure(
    {
      category: write && !definite ? 'unknown' : CATEGORY[error.kind],
      code: `http_${error.status}`,
      message: sentence(error),
      hint: HINTS[error.kind] ?? near.hint,
      status: error.status,
      fields: near.fields,
      requestId: error.call.nonce,
      retryable: error.kind === 'rate_limit' || (error.kind === 'server' && !write),
      outcome: write ? (definite ? 'not applied' : 'unknown') : undefined,
    },
    { cause: error },
  );
}

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
      return 'the service does not know it';
    case 'validation':
      return fieldSentence(error);
    case 'rate_limit':
      return 'the service asks to slow down';
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

/** The service, or what stands in its place, answered without end. */
const isGivenUp = ({ code }: NetworkError): boolean => code.startsWith('ANSWER_TOO_');
const RUN_AGAIN = 'nothing was changed; run it again when the connection is back';
const NOT_THE_SERVICE = 'nothing was changed; look what answers at that address: remit doctor';

function networkFailure(error: NetworkError): Failure {
  const { effect } = error.call;
  if (error.code === 'AbortError' && effect === 'read') return interrupted(error);
  const sent = error.reach !== 'not_sent';
  const unknown = effect !== 'read' && sent;
  return new Failure(
    {
      category: unknown ? 'unknown' : 'network',
      code: error.code.toLowerCase(),
      message: isGivenUp(error) ? error.message : `the service was not reached: ${error.message}`,
      hint: unknown ? undefined : isGivenUp(error) ? NOT_THE_SERVICE : RUN_AGAIN,
      requestId: error.call.nonce,
      retryable: !unknown,
      outcome: effect === 'read' ? undefined : unknown ? 'unknown' : 'not applied',
      outcomeNote: unknown ? undefined : 'nothing was sent',
    },
    { cause: error },
  );
}

function unreadable(error: UnreadableAnswerError): Failure {
  const write = error.call.effect !== 'read';
  return new Failure(
    {
      category: write ? 'unknown' : 'server',
      code: 'unreadable_answer',
      message: error.message,
      status: error.status,
      requestId: error.call.nonce,
      retryable: !write,
      outcome: write ? 'unknown' : undefined,
    },
    { cause: error },
  );
}

const contradiction = (cause: Error): Failure =>
  new Failure(
    { category: 'unknown', code: 'contradiction', message: cause.message, outcome: 'unknown' },
    { cause },
  );

function requestFailure(error: RequestError): Failure {
  return new Failure(
    {
      category: 'usage',
      code: 'request',
      message: error.message,
      fields: error.problems.map(({ path, message }) => ({ path, words: [message] })),
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}

const NO_JOURNAL = 'without its journal remit sends no money: make room or set REMIT_STORE to another folder';

function storeFailure(error: Error): Failure {
  const { kind = '', path = '' } = error as Error & { kind?: string; path?: string };
  const away = kind === 'unreachable' || (kind === 'busy' && path.includes('://'));
  return new Failure(
    {
      category: away ? 'server' : 'config',
      code: away ? 'store_unreachable' : 'store',
      message: error.message,
      hint: storeHint(kind, path),
      retryable: away,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}

/** By name: an inbox is a server, or a file that is called so, unless --store calls it otherwise. */
function storeHint(kind: string, path: string): string {
  if (kind === 'unsafe')
    return 'without its journal remit sends no money: name a file of your own, or a new one, with REMIT_STORE=FILE; an inbox of webhooks, with --store FILE';
  if (kind === 'untrusted' || kind === 'unreadable')
    return 'an address may end with ?sslmode=verify-full&sslrootcert=FILE: the certificate of the authority that signed that of the server';
  if (kind === 'denied')
    return 'the password of the inbox comes from REMIT_STORE, --store-password-file, PGPASSWORD or a prompt';
  if (path.includes('://')) return 'run it again when it answers, or name another inbox with --store';
  if (/-webhooks-[^/\\]*$/.test(path))
    return 'webhooks are acknowledged only once they are kept: make room or name another inbox with --store';
  return path.endsWith('remit.db') ? NO_JOURNAL : `${NO_JOURNAL}; an inbox of webhooks, with --store`;
}

const SYSTEM: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EADDRINUSE: 'the port is in use',
};

function systemFailure(error: Error & { code?: unknown; path?: unknown; port?: unknown }): Failure {
  const words = typeof error.code === 'string' ? SYSTEM[error.code] : undefined;
  if (words === undefined) return internal(error);
  const what =
    typeof error.path === 'string'
      ? `${error.path}: `
      : error.port === undefined
        ? ''
        : `port ${error.port}: `;
  return new Failure(
    {
      category: error.code === 'ENOENT' || error.code === 'EISDIR' ? 'usage' : 'config',
      code: String(error.code).toLowerCase(),
      message: `${what}${words}`,
    },
    { cause: error },
  );
}

const plain = (category: Category, code: string, error: Error): Failure =>
  new Failure(
    { category, code, message: error.message, outcome: 'not applied', outcomeNote: 'nothing was sent' },
    { cause: error },
  );

function internal(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const facts: FailureFacts = {
    category: 'internal',
    code: 'internal',
    message: `a defect of remit: ${message}`,
    hint: 'run it again with REMIT_DEBUG=1 and report what it says',
  };
  return new Failure(facts, { cause: error });
}
