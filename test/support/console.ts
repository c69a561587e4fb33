/** The console over a sandbox, in process: its page is served on loopback, and a test asks it over a socket or by a real browser. */
import { randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { type afterAll, afterEach } from 'vitest';
import { serverProof } from '../../src/console/sessions.ts';
import {
  type AnswerOf,
  headers,
  type LiveName,
  type QuestionOf,
  type RouteName,
  routes,
  type Wish,
} from '../../src/console/wire.ts';
import type { Bench, Run, RunOptions } from './cli.ts';
import { machine, STARTS_AT } from './clock.ts';

export interface OpenConsole {
  /** With a code that is good once. */
  url: string;
  /** `http://127.0.0.1:PORT` */
  origin: string;
  end(): Promise<Run>;
}

export async function openConsole(
  bench: Bench,
  flags: readonly string[] = [],
  options: RunOptions = {},
): Promise<OpenConsole> {
  const stdout = new PassThrough();
  const interrupt = new AbortController();
  const running = bench.run(['console', '--no-browser', ...flags], {
    ...options,
    stdout,
    interrupt: interrupt.signal,
  });
  const url = await new Promise<string>((resolve, reject) => {
    stdout.once('data', (data: Buffer) => resolve(data.toString('utf8').trim()));
    running.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  return {
    url,
    origin: new URL(url).origin,
    end() {
      interrupt.abort();
      return running;
    },
  };
}

/** Consoles over a bench; each ends after its test, or after all of a file where `after` says so, and the machine's clock stands where it began. */
export function useConsole(bench: Bench, after: typeof afterEach | typeof afterAll = afterEach) {
  let opened: OpenConsole[] = [];
  after(async () => {
    for (const one of opened) await one.end();
    opened = [];
    machine.ms = STARTS_AT;
  });
  return async (flags: readonly string[] = [], env: Record<string, string> = {}): Promise<OpenConsole> => {
    const one = await openConsole(bench, flags, { env });
    opened.push(one);
    return one;
  };
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  data: any;
  headers: IncomingHttpHeaders;
  /** The proof is that of this session. */
  isProved: boolean;
}

/** Asks as the page does, and leaves out or bends what a test says. */
export class Asker {
  token = '';
  constructor(readonly origin: string) {}

  /** Signed in with the code of that address. */
  static async from({ url, origin }: Pick<OpenConsole, 'url' | 'origin'>): Promise<Asker> {
    const asker = new Asker(origin);
    await asker.signIn(url);
    return asker;
  }

  async signIn(url: string): Promise<Answer> {
    const answer = await this.ask('open', { code: codeIn(url) });
    if (answer.status === 200) this.token = answer.data.token;
    return answer;
  }

  async ask<Name extends RouteName>(
    route: Name,
    question: QuestionOf<Name>,
    given: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    const nonce = randomUUID();
    const sent = Object.entries({
      host: new URL(this.origin).host,
      origin: this.origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      [headers.nonce]: nonce,
      [headers.awake]: '1',
      ...(this.token === '' ? {} : { [headers.token]: this.token }),
      ...given,
    }).filter(([, value]) => value !== undefined);
    const body = JSON.stringify(question);
    const answer = await posted(`${this.origin}${routes[route].path}`, Object.fromEntries(sent), body);
    const proof = serverProof(this.token, { nonce, status: answer.status, body: answer.text });
    return {
      status: answer.status,
      headers: answer.headers,
      data: answer.headers['content-type'] === 'application/json' ? JSON.parse(answer.text) : answer.text,
      isProved: answer.headers[headers.proof] === proof,
    };
  }

  /** Hears a live answer until `isEnough`, and leaves. A line without its proof is an error. */
  async hear<Name extends LiveName>(
    route: Name,
    question: QuestionOf<Name>,
    isEnough: (told: readonly AnswerOf<Name>[]) => boolean,
  ): Promise<AnswerOf<Name>[]> {
    const nonce = randomUUID();
    const left = new AbortController();
    const response = await fetch(`${this.origin}${routes[route].path}`, {
      method: 'POST',
      body: JSON.stringify(question),
      signal: left.signal,
      headers: {
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        [headers.nonce]: nonce,
        [headers.token]: this.token,
      },
    });
    if (!response.ok || response.body === null) throw new Error(await response.text());
    const told: AnswerOf<Name>[] = [];
    let rest = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const at = line.indexOf(' ');
        const body = line.slice(at + 1);
        const proof = serverProof(this.token, { nonce, status: told.length + 1, body });
        if (line.slice(0, at) !== proof) throw new Error(`line ${told.length + 1} has no proof`);
        told.push(JSON.parse(body));
      }
      if (isEnough(told)) break;
    }
    left.abort();
    return told;
  }

  /** A question that a page of ours asks, with its headers alone. */
  #begun(route: RouteName): ClientRequest {
    return request(`${this.origin}${routes[route].path}`, {
      method: 'POST',
      agent: false,
      headers: {
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        [headers.nonce]: randomUUID(),
        [headers.token]: this.token,
      },
    });
  }

  /** Sends all but the end of a question, does something, and sends the end. Returns the status. */
  askSlowly<Name extends RouteName>(
    route: Name,
    question: QuestionOf<Name>,
    between: () => Promise<unknown>,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const asking = this.#begun(route);
      asking.on('error', reject);
      asking.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      const text = JSON.stringify(question);
      asking.write(text.slice(0, -1), () => void between().then(() => asking.end(text.slice(-1)), reject));
    });
  }

  /** Sends it, and is gone before the answer. Resolves once `leaves` says so. */
  async askAndLeave<Name extends RouteName>(
    route: Name,
    question: QuestionOf<Name>,
    leaves: Promise<unknown>,
  ): Promise<void> {
    const asking = this.#begun(route);
    asking.on('error', () => {});
    asking.end(JSON.stringify(question));
    await leaves;
    asking.destroy();
  }

  /** An act, from its first question on, with an answer to each. */
  async act(wish: Omit<Wish, 'id' | 'answers'>, typed?: string): Promise<Answer> {
    const whole: Wish = { ...wish, id: randomUUID().replaceAll('-', ''), answers: [] };
    for (;;) {
      const answer = await this.ask('act', whole);
      if (answer.status !== 200 || answer.data.kind !== 'asks') return answer;
      if (whole.answers.length > 5) return answer;
      const word = answer.data.type === null ? {} : { typed: typed ?? answer.data.type.shown };
      whole.answers = [...whole.answers, { shown: answer.data.shown, ...word }];
    }
  }
}

export const codeIn = (url: string): string => /#\/start\/([\w-]+)$/.exec(url)?.[1] ?? '';

function posted(url: string, sent: Record<string, string | undefined>, body: string) {
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers: sent, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString('utf8'),
          headers: response.headers,
        }),
      );
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
