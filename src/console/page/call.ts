/** A call of the server that opened this page. An answer counts only with the proof that its sender has the token too. */
import { signal } from '@preact/signals';
import {
  type AnswerOf,
  type Failure,
  failure,
  headers,
  type LiveName,
  type PlainName,
  pageRefusal,
  type QuestionOf,
  type RouteName,
  routes,
} from '../wire.ts';
import { dropToken, keepToken, tokenNow } from './session.ts';

/** Why nothing more is sent from this tab; null while it is. */
export const endedBecause = signal<string | null>(null);

/** A refusal or a failure in the words of the desk, or of the way there. */
export class CallFailed extends Error {
  constructor(readonly problem: Failure) {
    super(problem.message);
  }
}

let isAwake = false;
const wake = (): void => {
  isAwake = true;
};
for (const name of ['keydown', 'pointerdown', 'pointermove'])
  addEventListener(name, wake, { passive: true, capture: true });

export async function callServer<Name extends PlainName>(
  name: Name,
  question: QuestionOf<Name>,
): Promise<AnswerOf<Name>> {
  const { response, nonce, token } = await asked(name, question);
  const body = await response.text();
  if (response.status === 401) return end(failureIn(body).message);
  const proof = response.headers.get(headers.proof);
  if (name !== 'open' && !(await isProved(token ?? '', `${nonce}\n${response.status}\n${body}`, proof)))
    return end(ANOTHER);
  if (!response.ok) throw new CallFailed(failureIn(body));
  return answerIn(name, body);
}

/** The lines of a live answer, each with its own proof. It ends with the connection. @throws Failed */
export async function* lines<Name extends LiveName>(
  name: Name,
  question: QuestionOf<Name>,
  signal?: AbortSignal,
): AsyncGenerator<AnswerOf<Name>> {
  const { response, nonce, token } = await asked(name, question, signal);
  if (response.status === 401) return end(failureIn(await response.text()).message);
  if (!response.ok || response.body === null) throw new CallFailed(failureIn(await response.text()));
  let count = 0;
  for await (const line of linesOf(response.body)) {
    count += 1;
    const at = line.indexOf(' ');
    const body = line.slice(at + 1);
    if (!(await isProved(token ?? '', `${nonce}\n${count}\n${body}`, line.slice(0, at)))) return end(ANOTHER);
    if (body.startsWith('{"problem":')) throw new CallFailed(failureIn(body));
    yield answerIn(name, body);
  }
}

const ANOTHER = 'Another program answers at this address now. Nothing more is sent to it.';

async function* linesOf(body: NonNullable<Response['body']>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new CallFailed(pageRefusal('away', AWAY));
    });
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

const AWAY = 'The console does not answer: it was ended in the terminal, or this machine slept.';
const AWAKE_MS = 60_000;
let askedAt = 0;

/** A page that hears and asks nothing reports from time to time that the user is active: else its session goes idle meanwhile. */
export async function sayAwake(): Promise<void> {
  if (isAwake && performance.now() - askedAt > AWAKE_MS) await callServer('about', {}).catch(() => {});
}

async function asked<Name extends RouteName>(
  name: Name,
  question: QuestionOf<Name>,
  signal?: AbortSignal,
): Promise<{ response: Response; nonce: string; token: string | null }> {
  if (endedBecause.value !== null) throw new CallFailed(pageRefusal('ended', endedBecause.value));
  const body = JSON.stringify(question);
  if (new Blob([body]).size > routes[name].mostBytes)
    throw new CallFailed(
      pageRefusal('too_large', 'these are more rows than one file takes from here: the CSV has all'),
    );
  const nonce = randomText();
  const token = tokenNow();
  const awake = isAwake;
  askedAt = performance.now();
  isAwake = false;
  const given = {
    'content-type': 'application/json',
    [headers.nonce]: nonce,
    ...(token === null || name === 'open' ? {} : { [headers.token]: token }),
    ...(awake ? { [headers.awake]: '1' } : {}),
  };
  const sent = { method: 'POST', headers: given, body, redirect: 'error', signal: signal ?? null } as const;
  const response = await fetch(routes[name].path, sent).catch(() => {
    // The act may have left before: the journal knows.
    const outcome = name === 'act' ? 'not known here: look at My requests when the console runs again' : null;
    throw new CallFailed(pageRefusal('away', AWAY, outcome));
  });
  return { response, nonce, token };
}

function answerIn<Name extends RouteName>(name: Name, body: string): AnswerOf<Name> {
  const answer = routes[name].answer.safeParse(JSON.parse(body));
  if (!answer.success)
    throw new CallFailed(pageRefusal('not_an_answer', `The answer to ${name} cannot be read.`));
  return answer.data as AnswerOf<Name>;
}

export async function openWith(code: string): Promise<void> {
  keepToken((await callServer('open', { code })).token);
}

function end(why: string): never {
  dropToken();
  endedBecause.value = why;
  throw new CallFailed(pageRefusal('ended', why));
}

function failureIn(body: string): Failure {
  try {
    return failure.parse(JSON.parse(body)).problem;
  } catch {
    return pageRefusal('not_an_answer', 'The answer cannot be read.');
  }
}

async function isProved(token: string, text: string, proof: string | null): Promise<boolean> {
  if (proof === null) return false;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(token), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, base64Bytes(proof), bytes.encode(text));
}

export const base64Bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** 128 bits as text: a nonce, or the id of an act. */
export const randomText = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
