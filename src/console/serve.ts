/**
 * Serves the page on this machine alone. Each request is judged by `request-guard.ts` before its body is read; each answer goes out with the
 * headers of `document.ts` and, where there is a session, with a proof that the server has its token. A call that began is finished
 * whether or not its tab is still there: an act that was sent is journalled, and *My requests* shows it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { endAfterBody } from '../core/rest-of-body.ts';
import { answerCall, answerLive } from './answer.ts';
import type { ConsoleSetup } from './call.ts';
import { makeDocument, type PageDocument, type PageFiles } from './document.ts';
import { checkRequest } from './request-guard.ts';
import { type Session, type Sessions, serverProof } from './sessions.ts';
import {
  type Failure,
  headers,
  type LiveName,
  MOST_BYTES,
  pageRefusal,
  type RouteName,
  routes,
} from './wire.ts';

const MOST_CONNECTIONS = 512;

export interface Serving extends ConsoleSetup {
  sessions: Sessions;
  page: PageFiles;
  isProduction: boolean;
  /** 0 takes a free one. */
  port: number;
  /** Another `Host` by which the page is reached, such as `127.0.0.1:8080` behind `ssh -L`. */
  at: string | undefined;
  /** Said at the terminal. */
  say(line: string): void;
}

export interface Served {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  close(): Promise<void>;
}

/** @throws the error of the socket where the port is taken */
export async function startConsole(serving: Serving): Promise<Served> {
  const document = makeDocument(serving.page, serving.isProduction);
  const hosts: string[] = [];
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    attend(serving, { document, hosts, request, response }).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  // An upgrade, a CONNECT and what cannot be parsed get no answer that a page could read.
  for (const name of ['upgrade', 'connect', 'clientError'] as const)
    server.on(name, (_: unknown, socket: { destroy(): void }) => socket.destroy());
  await once(server.listen(serving.port, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${port}`, ...(serving.at === undefined ? [] : [serving.at]));
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Attended {
  document: PageDocument;
  hosts: readonly string[];
  request: IncomingMessage;
  response: ServerResponse;
}

async function attend(serving: Serving, { document, hosts, request, response }: Attended): Promise<void> {
  const judged = checkRequest(request, hosts);
  const send = (status: number, body: string, more: Readonly<Record<string, string>>): void => {
    response.writeHead(status, {
      ...document.headers,
      ...more,
      // A body that is not read would be taken for the next request.
      ...(request.complete ? {} : { connection: 'close' }),
      'content-length': Buffer.byteLength(body),
    });
    endAfterBody(request, response, body);
  };
  if (judged.kind === 'refused') return send(judged.status, `${judged.why}\n`, PLAIN);
  if (judged.kind === 'document') return send(200, document.html, HTML);
  const { route, token, nonce, isAwake } = judged;
  const json = (status: number, data: unknown, session?: Session): void => {
    const body = JSON.stringify(data);
    const proof = session && serverProof(session.token, { nonce, status, body });
    send(status, body, { ...JSON_TYPE, ...(proof === undefined ? {} : { [headers.proof]: proof }) });
  };
  // Without a session, small bodies only.
  const known = serving.sessions.find(token ?? '');
  const text = await bodyOf(request, known === undefined ? MOST_BYTES : routes[route].mostBytes);
  if (text === undefined)
    return json(413, failureOf('too_large', 'this is more than a question of the page'), known);
  if (route === 'open') return json(...opened(serving, text));
  // It may have been signed out while its question came.
  const session = serving.sessions.find(token ?? '');
  if (session === undefined) return json(401, failureOf('no_session', NO_SESSION));
  if (isAwake) serving.sessions.wake(session);
  const question = questionIn(route, text);
  if (question === undefined) return json(400, failureOf('not_a_question', NO_FIT), session);
  const asked = { question, isIdle: serving.sessions.isIdle(session) };
  if (isLive(route)) {
    response.writeHead(200, { ...document.headers, ...LINES });
    return streamed(serving, { ...asked, route }, { response, session, nonce });
  }
  const { status, data, end } = await answerCall(serving, { ...asked, route });
  // A connection that is gone already says nothing more.
  if (response.socket === null || response.socket.destroyed) return end(false);
  // If it cannot be noted that the page got it, a repeat is answered with what stands.
  response.once('close', () => void end(response.writableFinished).catch(() => {}));
  json(status, data, session);
}

const isLive = (route: RouteName): route is LiveName => routes[route].asks === 'live';

/** One line after the other, each with its own proof, until the page leaves or is signed out. */
async function streamed(
  serving: Serving,
  asked: Parameters<typeof answerLive>[1],
  { response, session, nonce }: { response: ServerResponse; session: Session; nonce: string },
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  let count = 0;
  await answerLive(serving, asked, {
    signal: left.signal,
    async tell(data) {
      if (serving.sessions.find(session.token) === undefined) return left.abort();
      const body = JSON.stringify(data);
      count += 1;
      const hasRoom = response.write(
        `${serverProof(session.token, { nonce, status: count, body })} ${body}\n`,
      );
      if (!hasRoom && !left.signal.aborted)
        await once(response, 'drain', { signal: left.signal }).catch(() => {});
    },
  });
  response.end();
}

const LINES = { 'content-type': 'application/x-ndjson' };
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };
const NO_SESSION = 'this page is no longer signed in: press Enter in the terminal for a new code';
const NO_FIT = 'the page and this program do not fit: load it again';
const TOO_LATE = 'this code is too old, or was never given: press Enter in the terminal for a new one';

function opened({ sessions, say }: Serving, text: string): [status: number, data: unknown] {
  const question = questionIn('open', text) as { code: string } | undefined;
  const exchanged = sessions.exchange(question?.code ?? '');
  if (exchanged.kind === 'session') return [200, { token: exchanged.token }];
  if (exchanged.kind === 'too late') return [401, failureOf('code_too_late', TOO_LATE)];
  say('A code was used a second time: somebody else had it. The page that it opened is signed out.');
  return [401, failureOf('code_used', 'this code was used before: the page that it opened is signed out')];
}

const failureOf = (code: string, message: string): { problem: Failure } => ({
  problem: pageRefusal(code, message, 'not applied'),
});

/** Undefined where it is no JSON, or not what the route asks for. */
function questionIn(route: RouteName, text: string): unknown {
  try {
    const parsed = z.safeParse(routes[route].question, JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where it is too long. */
async function bodyOf(request: IncomingMessage, most: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += part.length;
    if (bytes > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
