import { type Operation, pathParameters } from '../contract/operations/operation.ts';
import type { WireResponse } from '../core/transport.ts';
import { ApiError, type CallFacts, UnreadableAnswerError } from './errors.ts';
import { collectFields, isOwnRefusal, isRecord } from './fields.ts';
import { hasTooLongNumber, readJson } from './json.ts';

/** The typed answer of a success. @throws ApiError on any other status, UnreadableAnswerError on a broken success */
export async function decode<Answer>(
  operation: Operation<never, Answer>,
  response: WireResponse,
  call: CallFacts,
  now: number,
): Promise<Answer> {
  const { status } = response;
  if (status < 200 || status > 299) throw await apiError(operation, response, call, now);
  const read = operation.answer.safeParse(await parseSuccess(response, call));
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join('.') ?? '';
  throw new UnreadableAnswerError(status, call, `the answer does not fit the contract at "${where}"`);
}

async function parseSuccess(response: WireResponse, call: CallFacts): Promise<unknown> {
  try {
    // An exponent loses nothing in a float; only a number with too many digits needs the reader that keeps them.
    return hasTooLongNumber(response.body) ? await readJson(response.body) : JSON.parse(response.body);
  } catch {
    throw new UnreadableAnswerError(response.status, call, 'the answer is not JSON');
  }
}

/** Returns the refusal that a raw call was answered with; undefined where the answer is a success. */
export async function rawRefusal(
  path: string,
  response: WireResponse,
  call: CallFacts,
): Promise<ApiError | undefined> {
  if (response.status >= 200 && response.status < 300) return undefined;
  return apiError({ path: UUID.test(path) ? '{id}' : path }, response, call, 0);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Reads a refusal. `path` is the template of the call's path. */
async function apiError(
  { path }: { path: string },
  response: WireResponse,
  call: CallFacts,
  now: number,
): Promise<ApiError> {
  const body = await readJson(response.body).catch(() => undefined);
  const resource = isRecord(body) ? body.object : undefined;
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
  const existing = isRecord(meta.existing) ? meta.existing : {};
  return new ApiError(response.status, call, {
    fields: collectFields(resource),
    meta,
    existing,
    resource,
    isOwn: isOwnRefusal(response.status, body, pathParameters(path).length > 0),
    retryAfterMs: retryAfter(response.headers['retry-after'], now),
  });
}

/** Retry-After as seconds or as an HTTP date; undefined when absent or unreadable. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  // `Date.parse` alone makes a date of nearly anything, `-5` included.
  const at = /^[A-Za-z]+,? .*GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
