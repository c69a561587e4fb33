/**
 * Every event of `--log json`, declared once: its level, what it says, and its members. Only these members are written, in this order, and the
 * personal data in their texts are masked (decision 0101). An event more and a member more are additions; `v` rises when one changes its meaning.
 */
import * as z from 'zod/mini';
import { number, numberOrNull, text, textOrNull, texts, time, yesNo } from '../shape.ts';

export const LOG_VERSION = 1;

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LogEvent {
  level: LogLevel;
  /** Ends the sentence `this line says that`. */
  says: string;
  members: Readonly<Record<string, z.ZodMiniType>>;
}

/** 32 hex digits of the `traceparent` that a delivery carried. */
const traceId = z.optional(z.string().check(z.regex(/^[\da-f]{32}$/)));

const delivery = {
  /** The id in the inbox: `remit webhooks show ID`. */
  delivery: text,
  webhook_event: text,
  object_id: text,
  transaction_id: textOrNull,
  trace_id: traceId,
};

const attempt = { ...delivery, attempt: number, status: numberOrNull, ms: number };
const message = { message: text };

const declared = <const Events extends Record<string, LogEvent>>(events: Events): Events => events;

export const logEvents = declared({
  ready: {
    level: 'info',
    says: 'the command serves, where, and as what; a worker, that its store is open',
    members: {
      of: z.enum(['listener', 'worker', 'sandbox', 'console']),
      profile: text,
      url: textOrNull,
      registered: textOrNull,
      forward_to: textOrNull,
      store: textOrNull,
    },
  },
  figures: { level: 'info', says: '`--admin` answers there', members: { url: text } },
  delivery_verified: {
    level: 'info',
    says: 'a delivery verified, and is kept',
    members: { ...delivery, repeat: yesNo, late: yesNo },
  },
  delivery_duplicate: {
    level: 'info',
    says: 'a delivery was here before, and was dropped',
    members: delivery,
  },
  delivery_invalid: {
    level: 'warn',
    says: 'a delivery did not verify, why, and how many more before it are not told; one a second is',
    members: { delivery: text, cause: textOrNull, from: textOrNull, unshown: number },
  },
  delivery_forwarded: { level: 'info', says: 'your handler took a delivery', members: attempt },
  delivery_failed: {
    level: 'warn',
    says: 'your handler did not take a delivery; it is tried again',
    members: { ...attempt, error: textOrNull },
  },
  delivery_given_up: {
    level: 'error',
    says: 'a delivery was tried as often as it may be',
    members: { ...attempt, error: textOrNull },
  },
  gap_recovered: {
    level: 'warn',
    says: 'deliveries never came, when, and how many were fetched from the log of the service',
    members: { from: time, to: time, missed: number, recovered: number, unrecoverable: number },
  },
  url_lost: { level: 'error', says: 'the public URL does not lead here', members: { why: text } },
  url_back: { level: 'info', says: 'it leads here again', members: {} },
  row_changed: {
    level: 'info',
    says: 'a row of a run became something',
    members: { run: text, row: number, state: text, transaction_id: textOrNull, code: textOrNull },
  },
  run_ended: {
    level: 'info',
    says: 'this worker went through a run, and how the run stands',
    members: { run: text, state: text, rows: number },
  },
  run_waits: { level: 'info', says: 'a run is to be paid later', members: message },
  run_left_alone: { level: 'warn', says: 'a run is not paid by this worker, and why', members: message },
  store_lost: { level: 'error', says: 'the store does not answer; it is asked again', members: message },
  store_back: { level: 'info', says: 'the store answers again', members: message },
  service_lost: { level: 'warn', says: 'the service does not answer; it is asked again', members: message },
  service_back: { level: 'info', says: 'the service answers again', members: message },
  request: {
    level: 'debug',
    says: 'a request to the service had this answer; with `--debug`',
    members: { operation: text, method: text, status: numberOrNull, ms: number, error: textOrNull },
  },
  program_output: {
    level: 'info',
    says: 'a program of yours printed so much; what it printed is not told, since nobody can mask it',
    members: { bytes: number },
  },
  trouble: { level: 'error', says: 'something failed, and the command goes on', members: message },
  said: { level: 'info', says: 'any other sentence for people; its level may be another', members: message },
  draining: { level: 'info', says: 'it was told to end: what is under way is finished', members: {} },
  listened: {
    level: 'info',
    says: 'a listener ended, why, and what it did',
    members: {
      reason: text,
      received: number,
      duplicates: number,
      invalid: number,
      handed_on: number,
      waiting: numberOrNull,
    },
  },
  failed: {
    level: 'error',
    says: 'the command failed: the error that `-o json` prints',
    members: {
      code: text,
      category: text,
      message: text,
      hint: textOrNull,
      status: numberOrNull,
      fields: z.array(z.object({ path: text, words: texts })),
      request_id: textOrNull,
      retryable: yesNo,
      outcome: textOrNull,
      applied: z.optional(
        z.readonly(z.array(z.object({ intent: text, id: textOrNull, external_id: textOrNull }))),
      ),
    },
  },
  crashed: { level: 'error', says: 'a defect ended the process', members: { ...message, stack: texts } },
  stopped: {
    level: 'info',
    says: 'the last line, but where a defect ended it: the exit code',
    members: { exit_code: number },
  },
});

export type LogEventName = keyof typeof logEvents;
export type LogFacts<Name extends LogEventName> = z.output<
  z.ZodMiniObject<(typeof logEvents)[Name]['members']>
>;
