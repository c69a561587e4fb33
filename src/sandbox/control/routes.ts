/**
 * The controls over HTTP: with the control token and never the partner's key, from no web page, JSON only but for snapshots.
 */
import {
  CONTROL_PATH,
  CONTROL_TOKEN_HEADER,
  type ControlId,
  controlIds,
  controls,
} from '../../contract/controls/index.ts';
import { headerValue } from '../../contract/signed-text.ts';
import { equalInConstantTime } from '../../contract/signing.ts';
import type { RawAnswer } from '../http/answer.ts';
import type { Incoming } from '../http/auth.ts';
import { bodyText, readObject } from '../http/body.ts';
import { decoded } from '../http/router.ts';
import { Problems } from '../rules/problems.ts';
import type { Service } from '../service.ts';
import type { Plain } from '../store/records.ts';
import { toJson } from '../views/json.ts';
import { type ControlAsked, controlOf } from './control.ts';
import type { ControlAnswer } from './said.ts';

export function isControl(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}

export async function controlAnswer(service: Service, request: Incoming, path: string): Promise<RawAnswer> {
  const found = authorizedControl(service, request, path);
  if ('status' in found) return found;
  const asked = readAsked(found, request);
  if ('status' in asked) return asked;
  return written(await controlOf(service).ask(found.control, asked));
}

/** The control that is asked for, or why not: all that can be said before a body is read. */
export function authorizedControl(
  service: Service,
  request: Omit<Incoming, 'body'>,
  path: string,
): Found | RawAnswer {
  const barrier = refusal(service, request);
  if (barrier) return barrier;
  const found = find(request.method, path.slice(CONTROL_PATH.length));
  if (found === null) return failure(404, 'Not Found', 'there is no such control');
  return found === 'unreadable' ? failure(400, 'Bad Request', 'the id has a bad escape') : found;
}

function refusal({ sandbox }: Service, { headers }: Omit<Incoming, 'body'>): RawAnswer | null {
  if (headerValue(headers, 'origin') !== undefined) {
    return failure(403, 'Forbidden', 'web pages have no access to the controls');
  }
  if (sandbox.controlToken === undefined) return failure(403, 'Forbidden', 'this sandbox has no controls');
  const token = headerValue(headers, CONTROL_TOKEN_HEADER);
  if (token !== undefined && equalInConstantTime(token, sandbox.controlToken)) return null;
  return failure(401, 'Unauthorized', 'the control token is missing or wrong');
}

interface Found {
  control: ControlId;
  id: string;
}

function find(method: string, path: string): Found | 'unreadable' | null {
  const parts = path.split('/');
  for (const control of controlIds) {
    if (controls[control].method !== method) continue;
    const wanted = controls[control].path.split('/');
    const at = wanted.indexOf('{id}');
    const fits = wanted.length === parts.length && wanted.every((part, i) => i === at || part === parts[i]);
    if (!fits) continue;
    const id = at < 0 ? '' : decoded(parts[at] ?? '');
    return id === null ? 'unreadable' : { control, id };
  }
  return null;
}

/** A page can send a form or a text anywhere, but no JSON without asking first. */
function readAsked({ control, id }: Found, { body, stream, headers }: Incoming): ControlAsked | RawAnswer {
  const row = controls[control];
  const type = headerValue(headers, 'content-type') ?? '';
  if (row.bytes === 'in') {
    if (type !== 'application/octet-stream') return failure(415, 'Unsupported Media Type', 'send the bytes');
    if (stream) return { id, bytes: stream };
    return { id, bytes: typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()) };
  }
  if (!row.body) return { id };
  if (!type.startsWith('application/json')) return failure(415, 'Unsupported Media Type', 'send JSON');
  const object = readObject(bodyText(body));
  return object === null ? failure(400, 'Bad Request', 'this is no JSON object') : { id, body: object };
}

function written(answer: ControlAnswer): RawAnswer {
  switch (answer.kind) {
    case 'done':
      return json(200, { object: answer.object });
    case 'bytes':
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: answer.bytes };
    case 'wrong': {
      const errors = new Problems().add(answer.field, 'invalid').say(answer.sentence).wire;
      return json(422, { object: { errors } });
    }
    default:
      return failure(404, 'Not Found', 'there is nothing with that id');
  }
}

function failure(status: number, error: string, message: string): RawAnswer {
  return json(status, { status, error, message });
}

function json(status: number, body: Plain): RawAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: toJson(body) };
}
