/** Stands between a program and its sandbox: notes every request, and meets the writes of a case in their ways. */
import { catalogue, type OperationId } from '../contract/operations/index.ts';
import type { Operation } from '../contract/operations/operation.ts';
import { sleep } from '../core/clock.ts';
import type { Effect } from '../core/effect.ts';
import type { RawAnswer } from '../sandbox/http/answer.ts';
import type { Incoming } from '../sandbox/http/auth.ts';
import { bodyText } from '../sandbox/http/body.ts';
import { Router } from '../sandbox/http/router.ts';
import { targetOf } from '../sandbox/http/target.ts';
import type { AuditCase, CaseFault } from './case.ts';
import type { Way } from './loss-modes.ts';
import { keyOf, type Unstable } from './writes.ts';

/** One request of the program. */
export interface RelayedRequest {
  /** Milliseconds since the case began, by the machine. */
  at: number;
  /** Tells which start of the program sent it: 1 is the first. */
  start: number;
  method: string;
  /** The path with its query. */
  path: string;
  /** Absent where it is none of the service's. */
  operation?: OperationId;
  effect: Effect;
  body: string;
  /** The write by its content. */
  write?: string;
  way?: Way;
  /** The status with which the service did it, or refused it; absent where it never reached the service. */
  done?: number;
  /** The recipient that it corrected. */
  id?: string;
  /** The answer that the program got: a status, or how the connection ended. */
  told: string;
}

export interface RelayOptions {
  handle: (request: Incoming) => Promise<RawAnswer>;
  case: AuditCase;
  unstable: Unstable;
  now: () => number;
  /** Kills the program and all that it started. */
  kill: () => void;
  /** The longest that an answer is held back. */
  patienceMs: number;
}

const READS_AWAY = 5;
const SLOW_MS = 5_000;
/** The answer is on its way to the program by then, and most programs have not looked at it. */
const JUST_AFTER_MS = 2;

export class Relay {
  readonly exchanges: RelayedRequest[] = [];
  /** Faults of the case that met a write. */
  readonly met = new Set<CaseFault>();
  start = 1;
  readonly #options: RelayOptions;
  readonly #router = new Router();
  readonly #seen = new Map<string, number>();
  readonly #from: number;
  #readsAway = 0;
  #open = 0;
  #lastAt = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#from = options.now();
  }

  /** Milliseconds since the case began, and which start of the program that is. */
  get moment(): Pick<RelayedRequest, 'at' | 'start'> {
    return { at: this.#options.now() - this.#from, start: this.start };
  }

  async handle(request: Incoming): Promise<RawAnswer> {
    this.#open += 1;
    try {
      return await this.#answer(request);
    } finally {
      this.#open -= 1;
      this.#lastAt = this.#options.now();
    }
  }

  /** When the last answer left; now, while one is held back. */
  get lastAt(): number {
    return this.#open > 0 ? this.#options.now() : this.#lastAt;
  }

  async #answer(request: Incoming): Promise<RawAnswer> {
    const exchange = this.#note(request);
    const { effect, write } = exchange;
    if (effect === 'read' || write === undefined) return this.#read(request, exchange);
    const nth = (this.#seen.get(write) ?? 0) + 1;
    this.#seen.set(write, nth);
    const fault = this.#options.case.find((one) => one.write === write && one.nth === nth);
    if (fault === undefined) return this.#done(request, exchange);
    this.met.add(fault);
    exchange.way = fault.way;
    return (
      MEET[fault.way]?.({
        request,
        exchange,
        done: () => this.#done(request, exchange),
        kill: this.#options.kill,
        patienceMs: this.#options.patienceMs,
        readsAway: () => {
          this.#readsAway = READS_AWAY;
        },
      }) ?? this.#done(request, exchange)
    );
  }

  #note({ method, url, body }: Incoming): RelayedRequest {
    const { path, query } = targetOf(url);
    const found = this.#router.find(method, path.replace(/^\/v1/, ''));
    const text = bodyText(body);
    const operation = found?.route.id;
    const effect =
      operation === undefined ? 'read' : (catalogue[operation] as Pick<Operation, 'effect'>).effect;
    const exchange: RelayedRequest = {
      ...this.moment,
      method,
      path: query === '' ? path : `${path}?${query}`,
      ...(operation === undefined ? {} : { operation }),
      effect,
      body: text,
      ...(operation === undefined || effect === 'read'
        ? {}
        : { write: keyOf({ operation, body: text }, this.#options.unstable) }),
      told: 'nothing',
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  #read(request: Incoming, exchange: RelayedRequest): Promise<RawAnswer> | RawAnswer {
    if (this.#readsAway === 0) return this.#done(request, exchange);
    this.#readsAway -= 1;
    return told(exchange, plain(503));
  }

  async #done(request: Incoming, exchange: RelayedRequest): Promise<RawAnswer> {
    const answer = await this.#options.handle(request);
    exchange.done = answer.status;
    const id = exchange.operation === 'recipients.edit' ? idIn(answer) : undefined;
    if (id !== undefined) exchange.id = id;
    return told(exchange, answer);
  }
}

interface Meeting {
  request: Incoming;
  exchange: RelayedRequest;
  done: () => Promise<RawAnswer>;
  kill: () => void;
  patienceMs: number;
  readsAway: () => void;
}

/** A webhook's way meets no write. */
const MEET: Partial<Record<Way, (meeting: Meeting) => Promise<RawAnswer>>> = {
  cut: async ({ exchange, done }) => told(exchange, { ...(await done()), cut: 'reset' }),
  half: async ({ exchange, done }) => told(exchange, { ...(await done()), cut: 'half' }),
  'error-after': (meeting) => instead(meeting, 502),
  'not-found-after': (meeting) => instead(meeting, 404),
  'refused-after': (meeting) => instead(meeting, 401),
  async twice({ exchange, done }) {
    const { status } = await done();
    const second = await done();
    exchange.done = status;
    return second;
  },
  async blind({ exchange, done, readsAway }) {
    const answer = await done();
    readsAway();
    return told(exchange, { ...answer, cut: 'reset' });
  },
  'error-before': async ({ exchange }) => told(exchange, plain(503)),
  'cut-before': async ({ exchange }) => told(exchange, { ...plain(503), cut: 'reset' }),
  limited: async ({ exchange }) =>
    told(exchange, { ...plain(429), headers: { ...plain(429).headers, 'retry-after': '1' } }),
  async 'kill-before'({ exchange, kill }) {
    kill();
    return told(exchange, { ...plain(503), cut: 'reset' });
  },
  async 'kill-done'({ exchange, done, kill }) {
    const answer = await done();
    kill();
    return told(exchange, { ...answer, cut: 'reset' });
  },
  async 'kill-after'({ done, kill }) {
    const answer = await done();
    void sleep(JUST_AFTER_MS).then(kill);
    return answer;
  },
  async late({ request, exchange, done, patienceMs }) {
    await untilGone(request, patienceMs);
    return told(exchange, { ...(await done()), cut: 'reset' });
  },
  async hang({ request, exchange, done, patienceMs }) {
    const answer = await done();
    await untilGone(request, patienceMs);
    return told(exchange, { ...answer, cut: 'reset' });
  },
  async slow({ request, done }) {
    const answer = await done();
    await untilGone(request, SLOW_MS);
    return answer;
  },
};

async function instead({ exchange, done }: Meeting, status: number): Promise<RawAnswer> {
  await done();
  return told(exchange, plain(status));
}

async function untilGone({ gone }: Incoming, ms: number): Promise<void> {
  await sleep(ms, gone?.());
}

function told(exchange: RelayedRequest, answer: RawAnswer): RawAnswer {
  exchange.told =
    answer.cut === undefined
      ? String(answer.status)
      : answer.cut === 'half'
        ? 'half an answer'
        : 'a broken connection';
  return answer;
}

/** An answer of a gateway, which knows nothing of the service's own form. */
const plain = (status: number): RawAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body>${status}</body></html>`,
});

function idIn({ status, body }: RawAnswer): string | undefined {
  if (status > 299) return undefined;
  try {
    const { object } = JSON.parse(String(body)) as { object?: { id?: unknown } | null };
    return typeof object?.id === 'string' ? object.id : undefined;
  } catch {
    return undefined;
  }
}
