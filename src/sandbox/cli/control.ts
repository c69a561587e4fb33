/**
 * Calls to a sandbox's own controls, beside the service's paths: with the control token, on this machine only. Neither key
 * nor secret goes along.
 */

import { readJson } from '../../client/json.ts';
import {
  CONTROL_PATH,
  CONTROL_TOKEN_HEADER,
  type ControlId,
  controls,
} from '../../contract/controls/index.ts';
import { isLoopback } from '../../core/hosts.ts';
import { hint } from '../../core/next.ts';
import { type Problem, refuse, unsent, usage } from '../../core/problem.ts';
import { TransportError, type WireResponse } from '../../core/transport.ts';
import type { Desk } from '../../payments/desk.ts';
import { controlTokenPath, readControlToken } from '../../profiles/control-token.ts';

const CONNECT_MS = 5_000;
/** A single string of Node holds no more. */
const MAX_SNAPSHOT_BYTES = 500_000_000;
/** A long move of the clock may have much to do. */
const ANSWER_MS = 600_000;

interface ControlCall {
  id?: string;
  body?: object;
  bytes?: Uint8Array;
}

/** Returns the answer of the control. @throws Problem */
export async function control<T = Record<string, unknown>>(
  desk: Desk,
  id: ControlId,
  asked: ControlCall = {},
): Promise<T> {
  const answer = await send(desk, id, asked);
  const { object } = (await readJson(answer.body).catch(() => ({}))) as { object?: T };
  if (object === undefined) throw unreadable(answer.status);
  return object;
}

/** A snapshot. @throws Problem */
export async function controlBytes(desk: Desk, id: ControlId): Promise<Uint8Array> {
  return Buffer.from((await send(desk, id, {})).body, 'latin1');
}

interface Access {
  baseUrl: string;
  token: string;
}

/** Where the controls are, and what opens them. Asked before anything else is sent. @throws Problem */
export async function controlAccess(desk: Desk): Promise<Access> {
  const { baseUrl, name } = await desk.connection();
  if (!isLoopback(new URL(baseUrl).hostname)) {
    throw usage(
      `profile ${name} is not a sandbox on this machine: only such a one has controls`,
      hint`${{ do: 'start_sandbox' }}, and ${{ give: 'profile', value: 'local' }}`,
    );
  }
  const token = readControlToken(desk.machine.env, baseUrl);
  if (token === undefined) throw noToken(desk, baseUrl);
  return { baseUrl, token };
}

/** True for a sandbox of this machine whose token can be read. Nothing is sent. */
export const hasControls = (desk: Desk): Promise<boolean> =>
  controlAccess(desk).then(
    () => true,
    () => false,
  );

async function send(desk: Desk, id: ControlId, asked: ControlCall): Promise<WireResponse> {
  const answer = await request(desk, await controlAccess(desk), id, asked);
  if (answer.status < 300) return answer;
  throw refused(answer, id, asked);
}

async function request(
  desk: Desk,
  { baseUrl, token }: Access,
  id: ControlId,
  asked: ControlCall,
): Promise<WireResponse> {
  const { method, path, bytes } = controls[id];
  const transport = await desk.transport();
  try {
    return await transport({
      method,
      url: new URL(CONTROL_PATH + path.replace('{id}', encodeURIComponent(asked.id ?? '')), baseUrl).href,
      headers: {
        [CONTROL_TOKEN_HEADER]: token,
        'content-type': asked.bytes ? 'application/octet-stream' : 'application/json',
      },
      ...bodyOf(asked),
      ...(bytes ? { binary: true as const, maxAnswerBytes: MAX_SNAPSHOT_BYTES } : {}),
      connectTimeoutMs: CONNECT_MS,
      responseTimeoutMs: ANSWER_MS,
      signal: desk.signal,
    });
  } catch (error) {
    if (error instanceof TransportError)
      throw desk.signal.aborted ? stopped(error) : unreachable(baseUrl, error);
    throw error;
  }
}

function bodyOf({ body, bytes }: ControlCall): { body?: string } {
  if (bytes) return { body: Buffer.from(bytes).toString('latin1') };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function noToken({ machine }: Desk, baseUrl: string): Problem {
  return unsent(
    'auth',
    'no_control_token',
    `there is no control token for ${new URL(baseUrl).host} (${controlTokenPath(machine.env, baseUrl)})`,
    hint`${{ do: 'start_sandbox' }}   writes it; the controls belong to whoever started the sandbox`,
  );
}

/** The sandbox may have done it all the same: nothing is said of that. */
const stopped = (cause: TransportError): Problem =>
  refuse('interrupted', 'interrupted', 'stopped', { cause });

function unreachable(baseUrl: string, error: TransportError): Problem {
  return refuse('network', error.code, `no sandbox answers at ${new URL(baseUrl).host}: ${error.message}`, {
    hint: hint`${{ do: 'start_sandbox' }}`,
    retryable: true,
    cause: error,
  });
}

function refused(answer: WireResponse, control: ControlId, { id }: ControlCall): Problem {
  const body = readBody(answer.body);
  const { status } = answer;
  const isAuth = status === 401 || status === 403;
  const sentence = body.object?.errors?.base?.[0]?.error ?? body.message;
  return refuse(
    isAuth ? 'auth' : status === 404 ? 'not_found' : 'validation',
    `http_${status}`,
    status === 404 && id !== undefined
      ? `the sandbox knows nothing with the id ${id}`
      : (sentence ?? `the sandbox answered ${status} to ${control}`),
    {
      hint: isAuth
        ? hint`its token file belongs to another sandbox; start one again: ${{ do: 'start_sandbox' }}`
        : undefined,
      status,
      outcome: 'not applied',
    },
  );
}

interface ErrorBody {
  message?: string;
  object?: { errors?: { base?: { error?: string }[] } };
}

function readBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}

function unreadable(status: number): Problem {
  return refuse('server', 'unreadable_answer', `what answers there with ${status} is not a sandbox of remit`);
}
