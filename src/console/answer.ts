/** Answers a call of the page that was let in: each with a desk of its own, as a command has one, and in the desk's words. */

import { escapeHostile } from '../core/escape.ts';
import { type Hint, renderMessage } from '../core/next.ts';
import { type Category, type Problem, unsent } from '../core/problem.ts';
import { refusalWords } from '../core/refusal.ts';
import type { Desk, Heard, Opened } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import type { Call, ConsoleSetup, Emit } from './call.ts';
import {
  type AnswerOf,
  type Failure,
  type LiveName,
  type QuestionOf,
  type RouteName,
  routes,
} from './wire.ts';

type Handlers = {
  [Name in Exclude<RouteName, 'open'>]: () => Promise<{
    [Of in Name]: (
      call: Call,
      question: QuestionOf<Of>,
      tell: Of extends LiveName ? Emit<Of> : never,
    ) => Promise<Of extends LiveName ? void : AnswerOf<Of>>;
  }>;
};

/** Loaded when they are asked for: the page opens with the first of them. */
const handlers: Handlers = {
  ...inFile(() => import('./handlers/about.ts'), ['about']),
  ...inFile(() => import('./books/search.ts'), ['search', 'list']),
  ...inFile(() => import('./handlers/lists.ts'), ['triage', 'requests', 'workbook']),
  ...inFile(() => import('./handlers/payout.ts'), ['payout', 'timeline', 'proofs']),
  ...inFile(() => import('./runs/runs.ts'), ['runs', 'run', 'report']),
  ...inFile(() => import('./runs/plan.ts'), ['planRun']),
  ...inFile(() => import('./books/month.ts'), ['month', 'counts', 'reconcile']),
  ...inFile(() => import('./books/sync.ts'), ['sync']),
  ...inFile(() => import('./handlers/act.ts'), ['act']),
  ...inFile(() => import('./handlers/sandbox.ts'), ['sandbox', 'explain', 'play', 'arrange']),
  ...inFile(() => import('./handlers/webhooks.ts'), ['deliveries', 'delivery', 'replay', 'compare', 'test']),
};

function inFile<Of, Name extends RouteName>(load: () => Promise<Of>, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, load])) as Record<Name, () => Promise<Of>>;
}

type Telling = (data: unknown) => Promise<void>;
type Handler = (call: Call, question: unknown, tell?: Telling) => Promise<unknown>;

/** The handler of a route answers, or tells line after line. */
async function handle(
  { route, question }: Asked<keyof Handlers>,
  call: Call,
  tell?: Telling,
): Promise<unknown> {
  const loaded = (await handlers[route]()) as unknown as Record<string, Handler>;
  return loaded[route]?.(call, question, tell);
}

export interface CallAnswer {
  status: number;
  data: unknown;
  /** Called once: with true where the page has the answer, with false where its connection was gone. */
  end(isTold: boolean): Promise<void>;
}

interface Asked<Name extends RouteName> {
  route: Name;
  question: unknown;
  /** True after a long time without a key or the mouse: no writes, and masked data stays hidden. */
  isIdle: boolean;
}

export async function answerCall(
  answering: ConsoleSetup,
  asked: Asked<Exclude<RouteName, 'open' | LiveName>>,
): Promise<CallAnswer> {
  const { asks } = routes[asked.route];
  const refusal = asks === 'money' ? mayNotWrite(answering, asked.isIdle) : undefined;
  const text = (said: Hint): string => renderMessage(said, answering.renderHint);
  if (refusal !== undefined) return failed(refusal, text);
  const { call, opened } = callOf(answering, asked);
  try {
    const data = await handle(asked, call);
    return {
      status: 200,
      data: escaped(data),
      async end(isTold) {
        // A write is over when its result was handed to the page, and not before.
        if (isTold) await opened.told();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    return failed(problemOf(error), text);
  }
}

/** Tells line after line until the signal fires, or until it fails: the last line is the failure then. */
export async function answerLive(
  answering: ConsoleSetup,
  asked: Asked<LiveName>,
  { tell, signal }: { tell: Telling; signal: AbortSignal },
): Promise<void> {
  const { call, opened } = callOf(answering, asked);
  const desk: Desk = { ...call.desk, signal: AbortSignal.any([call.desk.signal, signal]) };
  try {
    await handle(asked, { ...call, desk }, (data) => tell(escaped(data)));
  } catch (error) {
    if (!signal.aborted) await tell(failed(problemOf(error), call.text).data);
  } finally {
    await opened.close();
  }
}

/** A desk of its own for one call. Its words go to the page. */
function callOf(
  answering: ConsoleSetup,
  { route, isIdle }: Asked<RouteName>,
): { call: Call; opened: Opened } {
  const opened = answering.openDesk(`console ${route}`, routes[route].asks === 'money' ? 'money' : 'read');
  const heard: Heard[] = [];
  const mask = answering.reveals && !isIdle ? 'none' : opened.desk.mask === 'all' ? 'all' : 'accounts';
  const desk: Desk = {
    ...opened.desk,
    mask,
    hear: (one) => heard.push(one),
    working: (_, work) => work({ tell: () => {}, say: () => {}, stop: () => {} }),
  };
  const text = (said: Hint): string => renderMessage(said, answering.renderHint);
  const showing = { mask, secret: answering.secret } as const;
  return { call: { ...answering, desk, showing, heard, text }, opened };
}

function mayNotWrite({ readOnly }: ConsoleSetup, isIdle: boolean): Problem | undefined {
  if (readOnly !== undefined) return unsent('usage', 'read_only', 'this page only reads', readOnly);
  if (isIdle)
    return unsent(
      'usage',
      'idle',
      'nobody used this page for half an hour, so it no longer writes',
      'press Enter in the terminal for a new code',
    );
  return undefined;
}

const STATUS: Readonly<Partial<Record<Category, number>>> = {
  usage: 400,
  validation: 422,
  not_found: 404,
  conflict: 409,
  auth: 502,
  network: 502,
  server: 502,
};

function failed({ facts }: Problem, text: (said: Hint) => string): CallAnswer {
  const { code, category, message, hint, outcome, outcomeNote, fields = [] } = facts;
  const problem: Failure = {
    code,
    category,
    message,
    next: hint === undefined ? null : text(hint),
    outcome: outcome === undefined ? null : [outcome, outcomeNote].filter(Boolean).join(': '),
    fields: fields.map(({ path, words }) => ({
      path,
      words: words.map((word) => refusalWords(word) ?? word),
    })),
  };
  return { status: STATUS[category] ?? 500, data: escaped({ problem }), end: async () => {} };
}

/** Text from outside is shown, never obeyed: bidirectional and invisible characters become visible escapes. */
function escaped(data: unknown): unknown {
  if (typeof data === 'string') return escapeHostile(data);
  if (Array.isArray(data)) return data.map(escaped);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, escaped(value)]));
}
