/**
 * The wire between the page and the server that serves it: one row a route, which both read. Every call is a POST of JSON. A row says
 * what its question and answer hold, and what it may do, so that who may ask is decided by the row alone (`request-guard.ts`).
 */
import * as z from 'zod/mini';
import { text, textOrNull, yesNo } from '../frame/shape.ts';
import {
  correctable,
  line,
  monthPart as madePart,
  moment,
  openRequest,
  state,
  table,
} from '../payments/shapes/told.ts';
import { acted, wish } from './wire/acts.ts';
import { arrayOf, file, MOST_FILE, shortText } from './wire/parts.ts';
import { filePlanned, runDetail, runFile } from './wire/runs.ts';
import { arrangement, explained, played, sandboxPanel } from './wire/sandbox.ts';
import { compared, deliveriesAfter, deliveriesTold, deliveryWhole, testEvent } from './wire/webhooks.ts';

export type { Acted, ActWish as Wish, PageAct as Act } from './wire/acts.ts';

const notes = arrayOf(text);

const row = z.object({
  id: text,
  /** The digest of this row: an act names it, and is refused when the record is no longer so. */
  digest: text,
  payment: textOrNull,
  from: textOrNull,
  to: text,
  account: text,
  amount: text,
  state,
  at: textOrNull,
  reference: textOrNull,
  /** The things that it was found by; empty in a list without a search. */
  by: text,
});
export type PayoutRow = z.output<typeof row>;

/** A row that needs action. */
const troubled = z.extend(row, {
  /** Tells who must act, and how, in words. */
  heading: text,
  can: arrayOf(z.enum(['edit', 'cancel', 'request_cancel'])),
  reason: textOrNull,
  age: textOrNull,
  refund: textOrNull,
});
export type TroubledRow = z.output<typeof troubled>;

/** An act that is possible, with the command that does the same. */
const possible = z.object({ act: z.enum(['edit', 'cancel', 'request_cancel']), command: text });
const payout = z.object({
  row,
  tell: text,
  because: text,
  lines: arrayOf(line),
  pickup: z.nullable(z.object({ code: textOrNull, where: textOrNull })),
  can: arrayOf(possible),
  /** Something was asked for, and is not answered yet: the page looks again by itself. */
  isAwaiting: yesNo,
  details: arrayOf(correctable),
  others: arrayOf(row),
  alike: z.nullable(arrayOf(row)),
  handOver: text,
  proofs: textOrNull,
  command: text,
});
export type Payout = z.output<typeof payout>;

const request = z.extend(openRequest, { command: text });
export type Request = z.output<typeof request>;

const found = z.object({
  rows: arrayOf(row),
  /** How far it was looked, and how old it may be. */
  notes,
  /** False where this machine has no books: the service's newest were looked through. */
  hasBooks: yesNo,
});

/** Where the next piece of a list begins. `from` is what a time such as `30m` meant when the list was begun. */
const behind = z.object({
  from: z.nullable(z.int()),
  before: z.int(),
  skip: z.int().check(z.gte(0), z.lte(100_000)),
});

/** Null behind the oldest. */
const listed = z.extend(found, { behind: z.nullable(behind) });
export type Listed = z.output<typeof listed>;

const proofFiles = z.object({
  files: arrayOf(
    z.object({
      name: text,
      type: z.enum(['application/pdf', 'image/png', 'image/jpeg', 'application/octet-stream']),
      /** Null where it was not fetched. */
      base64: textOrNull,
      why: textOrNull,
    }),
  ),
  note: textOrNull,
});

/** Rows as they are shown: a text for each column. `time` makes dates of times in UTC; `amount` is a plain decimal, which stays a number. */
const sheet = z.object({
  columns: z
    .array(z.object({ name: shortText, time: yesNo, amount: z.optional(yesNo) }))
    .check(z.minLength(1), z.maxLength(40)),
  rows: z.array(z.array(text).check(z.maxLength(40))).check(z.maxLength(100_000)),
});

const monthPart = z.extend(madePart, { notes, command: textOrNull });
export type MonthPart = z.output<typeof monthPart>;

const about = z.object({
  profile: text,
  isProduction: yesNo,
  key: text,
  canWrite: yesNo,
  /** Why nothing can be written; null where something can. */
  whyNot: textOrNull,
  reveals: yesNo,
  zone: text,
  /** A sandbox of this machine whose controls are ours. */
  hasControls: yesNo,
  version: text,
});
export type About = z.output<typeof about>;

/** `open` needs no session; `money` needs a console that may write; `live` reads on, a line after the other, until the page leaves. */
type Asks = 'open' | 'read' | 'live' | 'money';

export const MOST_BYTES = 64 * 1024;

const route = <Of extends Asks, Question extends z.ZodMiniType, Answer extends z.ZodMiniType>(
  path: string,
  asks: Of,
  question: Question,
  answer: Answer,
  /** The longest question. */
  mostBytes = MOST_BYTES,
) => ({ path, asks, question, answer, mostBytes });

const one = z.object({ id: shortText });
/** Times in the words of the desk: `30m`, `2026-11-20`, `2026-11-20T14:00`. */
const period = z.object({ since: z.optional(shortText), until: z.optional(shortText) });
const nothing = z.object({});

export const routes = {
  /** A code that is good once becomes a session; with the token of one that went idle, it goes on. */
  open: route('/api/session', 'open', z.object({ code: shortText }), z.object({ token: text })),
  about: route('/api/about', 'read', nothing, about),
  search: route('/api/search', 'read', z.extend(period, { words: shortText }), found),
  list: route('/api/list', 'read', z.extend(period, { behind: z.nullable(behind) }), listed),
  payout: route('/api/payout', 'read', one, payout),
  /** Fetches the files from where they are kept. */
  proofs: route('/api/proofs', 'read', one, proofFiles),
  workbook: route('/api/workbook', 'read', sheet, z.object({ base64: text }), 4_000_000),
  timeline: route('/api/timeline', 'read', one, z.object({ moments: arrayOf(moment), notes })),
  triage: route('/api/triage', 'read', period, z.object({ rows: arrayOf(troubled), notes, readAt: text })),
  runs: route('/api/runs', 'read', nothing, z.extend(table, { notes })),
  run: route('/api/run', 'read', one, runDetail),
  report: route('/api/run/report', 'read', one, sheet),
  month: route(
    '/api/month',
    'read',
    z.object({ month: z.nullable(shortText), currency: z.nullable(shortText) }),
    z.object({
      notes,
      /** Null where this machine has no books. `after` is null where that month has not begun. */
      made: z.nullable(z.object({ month: text, before: text, after: textOrNull, parts: arrayOf(monthPart) })),
    }),
  ),
  counts: route(
    '/api/month/counts',
    'read',
    z.object({ month: shortText, of: z.enum(['corridors', 'in_flight']) }),
    monthPart,
  ),
  /** The open differences between a ledger and the books. Nothing is kept of either. */
  reconcile: route(
    '/api/month/reconcile',
    'read',
    z.object({ month: shortText, file }),
    z.extend(table, { said: text, notes, command: text }),
    MOST_FILE + MOST_BYTES,
  ),
  /** Plans a run from a file; nothing is sent. */
  planRun: route('/api/runs/plan', 'money', runFile, filePlanned, MOST_FILE + MOST_BYTES),
  requests: route('/api/requests', 'read', nothing, z.object({ rows: arrayOf(request), notes })),
  /** Brings the books up to date, and tells how far that is. */
  sync: route('/api/books/sync', 'live', nothing, z.object({ isDone: yesNo, words: text })),
  act: route('/api/act', 'money', wish, acted),
  sandbox: route('/api/sandbox', 'read', nothing, sandboxPanel),
  explain: route('/api/sandbox/explain', 'read', one, explained),
  play: route('/api/sandbox/play', 'read', z.object({ name: shortText }), played),
  deliveries: route('/api/webhooks', 'live', deliveriesAfter, deliveriesTold),
  delivery: route('/api/webhooks/delivery', 'read', one, deliveryWhole),
  replay: route('/api/webhooks/replay', 'money', one, z.object({ said: text })),
  /** Compares the inbox with the service's log, and keeps what was missed: the listener hands it on. */
  compare: route('/api/webhooks/compare', 'money', nothing, compared),
  /** Sends a made-up event to a handler on this machine, signed with the test key. */
  test: route('/api/webhooks/test', 'money', testEvent, z.object({ said: text })),
  arrange: route('/api/sandbox/arrange', 'money', arrangement, z.object({ said: text })),
} as const;
export type RouteName = keyof typeof routes;
export type LiveName = {
  [Name in RouteName]: (typeof routes)[Name]['asks'] extends 'live' ? Name : never;
}[RouteName];
/** A route whose one answer ends the call. */
export type PlainName = Exclude<RouteName, LiveName>;
export type QuestionOf<Name extends RouteName> = z.output<(typeof routes)[Name]['question']>;
export type AnswerOf<Name extends RouteName> = z.output<(typeof routes)[Name]['answer']>;

/** A refusal or a failure, in the words of the desk. */
export const failure = z.object({
  problem: z.object({
    code: text,
    category: text,
    message: text,
    next: textOrNull,
    outcome: textOrNull,
    fields: arrayOf(z.object({ path: text, words: arrayOf(text) })),
  }),
});
export type Failure = z.output<typeof failure>['problem'];

/** A refusal of the page or of its server: nothing was sent. */
export const pageRefusal = (code: string, message: string, outcome: string | null = null): Failure => ({
  code,
  category: 'usage',
  message,
  next: null,
  outcome,
  fields: [],
});

export const headers = {
  token: 'x-remit-session',
  /** Chosen by the page for each call. */
  nonce: 'x-remit-nonce',
  /** HMAC-SHA-256 of nonce, status and body under the token: the server has the token too. A live answer has one before each line. */
  proof: 'x-remit-proof',
  /** Present if a key or the mouse was used since the call before. */
  awake: 'x-remit-awake',
} as const;
