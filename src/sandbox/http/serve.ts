/** One request from its raw form to its answer: authenticate, route, read, handle, write, log. */
import { invariant } from '../../core/invariants.ts';
import { controlAnswer } from '../control/routes.ts';
import type { Answer } from '../handlers/handler.ts';
import { badRequest, notFound } from '../handlers/handler.ts';
import { handlers, notServed } from '../handlers/map.ts';
import type { Service } from '../service.ts';
import { toJson } from '../views/json.ts';
import { newId } from '../world.ts';
import { fullUrl, type Incoming, refusal } from './auth.ts';
import { bodyText, MAX_BODY_BYTES, readObject } from './body.ts';
import { clip, loggedHeaders } from './redact.ts';
import type { Match } from './router.ts';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

const VERSION = '/v1';
const CONTROL = '/sandbox';
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const NO_QUERY = new URLSearchParams();

export async function serve(service: Service, request: Incoming): Promise<RawAnswer> {
  const { world, nonces } = service;
  const { path, query } = targetOf(request.url);
  const bytes = request.body === undefined ? 0 : Buffer.byteLength(request.body);
  if (bytes > MAX_BODY_BYTES) return written(tooLarge);
  service.runDue();
  const why = refusal(request, world.credentials, nonces, world.settings);
  const underVersion = path.startsWith(`${VERSION}/`);
  if (why) {
    const answer = written(unauthorized(why));
    if (underVersion && why !== 'the key is missing' && why !== 'the key is unknown')
      log(service, request, answer);
    return answer;
  }
  if (!underVersion) {
    if (path !== CONTROL && !path.startsWith(`${CONTROL}/`)) return written(notFound);
    return written(
      await controlAnswer(service, request.method, path.slice(CONTROL.length), bodyText(request.body)),
    );
  }
  const answer = written(operationAnswer(service, request, path.slice(VERSION.length), query));
  log(service, request, answer);
  return answer;
}

function operationAnswer({ world, router }: Service, request: Incoming, path: string, query: string): Answer {
  const match = router.find(request.method, path);
  if (!match) return notFound;
  const handler = handlers[match.route.id];
  if (handler === notServed) return unserved(match);
  const body = match.route.hasBody ? readObject(bodyText(request.body)) : {};
  if (body === null) return badRequest;
  return handler(world, {
    id: match.parameter,
    query: query === '' ? NO_QUERY : new URLSearchParams(query),
    body,
  });
}

/** Path and query of a target, absolute or not, as they were sent. */
function targetOf(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = start < 0 ? '/' : url.slice(start);
  const end = target.indexOf('#');
  const sent = end < 0 ? target : target.slice(0, end);
  const mark = sent.indexOf('?');
  return mark < 0 ? { path: sent, query: '' } : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}

function log({ world }: Service, request: Incoming, answer: RawAnswer): void {
  world.store.apiLogs.insert({
    id: newId(world),
    createdAt: world.clock.now(),
    method: request.method,
    url: fullUrl(request),
    headers: loggedHeaders(request.headers),
    body: clip(bodyText(request.body)),
    status: answer.status,
    responseHeaders: answer.headers,
    responseBody: clip(answer.body),
  });
}

function written({ status, body }: Answer): RawAnswer {
  invariant(status >= 200 && status < 600, 'an answer has a status');
  return { status, headers: JSON_HEADERS, body: toJson(body) };
}

function unauthorized(message: string): Answer {
  return { status: 401, body: { status: 401, error: 'Unauthorized', message } };
}

const tooLarge: Answer = { status: 413, body: { status: 413, error: 'Payload Too Large' } };

function unserved({ route }: Match): Answer {
  return {
    status: 501,
    body: {
      status: 501,
      error: 'Not Implemented',
      operation: route.id,
      message: `the sandbox does not serve ${route.id} yet`,
    },
  };
}
