/** A call of the server that opened this page. An answer counts only with the proof that whoever gave it has the token too. */
import { signal } from '@preact/signals';
import {
  type AnswerOf,
  type Failure,
  failure,
  headers,
  type QuestionOf,
  type RouteName,
  routes,
} from '../wire.ts';
import { dropToken, keepToken, tokenNow } from './session.ts';

/** Why nothing more is sent from this tab; null while it is. */
export const ended = signal<string | null>(null);

/** A refusal or a failure in the words of the desk, or of the way there. */
export class Failed extends Error {
  readonly problem: Failure;
  constructor(problem: Failure) {
    super(problem.message);
    this.problem = problem;
  }
}

let isAwake = false;
for (const name of ['keydown', 'pointerdown', 'pointermove'])
  addEventListener(
    name,
    () => {
      isAwake = true;
    },
    { passive: true, capture: true },
  );

export async function call<Name extends RouteName>(
  name: Name,
  question: QuestionOf<Name>,
): Promise<AnswerOf<Name>> {
  if (ended.value !== null) throw new Failed(local('ended', ended.value));
  const nonce = randomText();
  const token = tokenNow();
  const awake = isAwake;
  isAwake = false;
  const response = await sent(name, JSON.stringify(question), {
    'content-type': 'application/json',
    [headers.nonce]: nonce,
    ...(token === null || name === 'open' ? {} : { [headers.token]: token }),
    ...(awake ? { [headers.awake]: '1' } : {}),
  });
  const body = await response.text();
  if (response.status === 401) return signedOut(body);
  const proof = response.headers.get(headers.proof);
  if (name !== 'open' && !(await isProved(token ?? '', `${nonce}\n${response.status}\n${body}`, proof)))
    return end('Another program answers at this address now. Nothing more is sent to it.');
  if (!response.ok) throw new Failed(failureIn(body));
  const answer = routes[name].answer.safeParse(JSON.parse(body));
  if (!answer.success) throw new Failed(local('not_an_answer', `The answer to ${name} cannot be read.`));
  return answer.data as AnswerOf<Name>;
}

/** Exchanges the code for a session. */
export async function openWith(code: string): Promise<void> {
  keepToken((await call('open', { code })).token);
}

async function sent(name: RouteName, body: string, given: Record<string, string>): Promise<Response> {
  try {
    return await fetch(routes[name].path, { method: 'POST', headers: given, body, redirect: 'error' });
  } catch {
    throw new Failed({
      ...local('away', 'The console does not answer: it was ended in the terminal, or this machine slept.'),
      // The act may have left before: the journal knows.
      outcome: name === 'act' ? 'not known here: look at My requests when the console runs again' : null,
    });
  }
}

function signedOut(body: string): never {
  return end(failureIn(body).message);
}

function end(why: string): never {
  dropToken();
  ended.value = why;
  throw new Failed(local('ended', why));
}

function failureIn(body: string): Failure {
  try {
    return failure.parse(JSON.parse(body)).problem;
  } catch {
    return local('not_an_answer', 'The answer cannot be read.');
  }
}

const local = (code: string, message: string): Failure => ({
  code,
  category: 'usage',
  message,
  next: null,
  outcome: null,
  fields: [],
});

async function isProved(token: string, text: string, proof: string | null): Promise<boolean> {
  if (proof === null) return false;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(token), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, bytesOf(proof), bytes.encode(text));
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** 128 bits as text: a nonce, or the id of an act. */
export const randomText = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
