/** One request from its raw form to its answer: authenticate, route, read, handle, write, log. */

import type { OperationId } from '../../contract/operations/index.ts';
import { PARTNER_PATH, partnerBalancePath } from '../../contract/operations/partner-path.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import { invariant } from '../../core/invariants.ts';
import { authorizedControl, controlAnswer, isControl } from '../control/routes.ts';
import { type Answer, absent, badRequest } from '../handlers/handler.ts';
import { handlers } from '../handlers/map.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { Service } from '../service.ts';
import { toJson } from '../views/json.ts';
import type { RawAnswer } from './answer.ts';
import { type AuthRefusal, authRefusal, fullUrl, type Incoming } from './auth.ts';
import { bodyText, maxBytes, readObject } from './body.ts';
import { clip, loggedHeaders } from './redact.ts';
import { FILES, fileAnswer, isReports, reportsAnswer } from './reports.ts';
import type { Match } from './router.ts';
import { targetOf } from './target.ts';

const VERSION = '/v1';
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const NO_QUERY = new URLSearchParams();

/** Refuses a control before its body is read: a control is for clients with its token, not for a web page. */
export function refusedUnread(service: Service, request: Omit<Incoming, 'body'>): RawAnswer | null {
  const { path } = targetOf(request.url);
  const found = isControl(path) ? authorizedControl(service, request, path) : null;
  return found !== null && 'status' in found ? found : null;
}

export async function serveRequest(service: Service, request: Incoming): Promise<RawAnswer> {
  const { sandbox } = service;
  const { path, query } = targetOf(request.url);
  if (request.body !== undefined && Buffer.byteLength(request.body) > maxBytes(path))
    return written(tooLarge);
  const text = bodyText(request.body);
  if (isControl(path)) return controlAnswer(service, request, path);
  service.runDue();
  if (path.startsWith(FILES)) return fileAnswer(sandbox, request.method, path.slice(FILES.length), query);
  const why = authRefusal(request, sandbox.credentials, sandbox.store.nonces, sandbox.settings);
  const no = why ? await refused(why, request, sandbox.credentials) : null;
  if (isReports(path)) {
    const asked = { method: request.method, path, query, text };
    return written(no ?? reportsAnswer(sandbox, asked));
  }
  if (!path.startsWith(`${VERSION}/`)) return written(no ?? absent);
  const match = service.router.find(
    request.method,
    servicePath(path.slice(VERSION.length), sandbox.settings),
  );
  const id = why ? undefined : match?.route.id;
  const cut = id && faultBefore(sandbox, id);
  if (cut?.cut) return cut;
  const answer = cut ?? written(no ?? operationAnswer(sandbox, match, query, text));
  /* A request under another key is none of this account's business. */
  if (!why?.stranger) log(service, request, text, answer);
  return id && sandbox.faults.any ? faultAfter(service, id, answer) : answer;
}

/** The partner balance is where the account's setting has it, and nowhere else. @assumes partner-path */
function servicePath(path: string, { partner_path }: SandboxState['settings']): string {
  if (path === partnerBalancePath(partner_path)) return partnerBalancePath(PARTNER_PATH);
  return path === partnerBalancePath(PARTNER_PATH) ? '/' : path;
}

function operationAnswer(sandbox: SandboxState, match: Match | null, query: string, text: string): Answer {
  if (!match) return absent;
  const full = match.route.adds ? sandbox.room.full : null;
  if (full !== null)
    return { status: 507, body: { status: 507, error: 'Insufficient Storage', message: full } };
  const body = match.route.hasBody ? readObject(text) : {};
  if (body === null) return badRequest;
  return handlers[match.route.id](sandbox, {
    id: match.parameter,
    query: query === '' ? NO_QUERY : new URLSearchParams(query),
    body,
  });
}

function log({ sandbox }: Service, request: Incoming, text: string, answer: RawAnswer): void {
  sandbox.store.apiLogs.insert({
    id: newId(sandbox),
    createdAt: sandbox.clock.now(),
    method: request.method,
    url: fullUrl(request),
    headers: loggedHeaders(request.headers),
    body: clip(text),
    status: answer.status,
    responseHeaders: answer.headers,
    responseBody: clip(String(answer.body)),
  });
}

function written({ status, body }: Answer): RawAnswer {
  invariant(status >= 200 && status < 600, 'an answer has a status');
  return { status, headers: JSON_HEADERS, body: toJson(body) };
}

async function refused(why: AuthRefusal, request: Incoming, credentials: Credentials): Promise<Answer> {
  if (!why.mismatch) return { status: 401, body: { status: 401, error: 'Unauthorized', message: why.says } };
  const { mismatch } = await import('./mismatch.ts');
  return mismatch(request, credentials);
}

const tooLarge: Answer = { status: 413, body: { status: 413, error: 'Payload Too Large' } };

const NOTHING = { headers: {}, body: '' };

/** The fault that happens instead of the request; undefined when the request is to be done. */
function faultBefore({ faults, clock }: SandboxState, operation: OperationId): RawAnswer | undefined {
  if (!faults.any) return undefined;
  const at = clock.now();
  if (faults.take('refused', { operation }, at, operation)) return { status: 0, ...NOTHING, cut: 'refused' };
  if (faults.take('reset-before-commit', { operation }, at, operation)) {
    return { status: 0, ...NOTHING, cut: 'reset' };
  }
  const broken = faults.take('5xx', { operation }, at, operation);
  return broken && brokenAnswer(broken.status);
}

const NAMES: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function brokenAnswer(status: number): RawAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify({ status, error: NAMES[status] ?? 'Server Error' }) };
}

/** Returns the answer of a request that was done, with the faults that happen to it. */
async function faultAfter(service: Service, operation: OperationId, answer: RawAnswer): Promise<RawAnswer> {
  const { faults, clock, sleep } = service.sandbox;
  const take = (name: 'webhook-first' | 'slow' | 'response-lost') =>
    faults.take(name, { operation }, clock.now(), operation);
  if (take('webhook-first')) await service.drain();
  const slow = take('slow');
  if (slow) await sleep(slow.delayMs);
  return take('response-lost') ? { ...answer, cut: 'reset' } : answer;
}
