/** This machine: its profiles, its commands, its health. */
import * as z from 'zod/mini';
import {
  amountOrNull,
  number,
  numberOrNull,
  own,
  shape,
  text,
  textOrNull,
  time,
  yesNo,
} from '../../frame/shape.ts';
import { limits } from '../../profiles/schema.ts';

/** A profile: names as everywhere else, the key by its last four. */
export const profileShape = shape(
  'profile',
  own({
    name: text,
    environment: text,
    base_url: text,
    key: text,
    secret_in: text,
    scheme: text,
    ca_file: textOrNull,
    reports_url: textOrNull,
    output: textOrNull,
    is_default: yesNo,
    ...limits,
  }),
);

/** An event that a program is notified of: one line of JSON on its input. */
export const happenedShape = shape(
  'happened',
  own({
    event: z.enum(['paused', 'ended', 'needs_you', 'unexplained', 'unknown_outcome']),
    at: time,
    /** The words of the command to which it happened: `batch run`. */
    command: text,
    environment: text,
    profile: text,
    of: z.enum(['run', 'recipient', 'balance', 'books', 'listener']),
    /** The id of the run or the recipient. */
    id: textOrNull,
    /** The name of the run. */
    name: textOrNull,
    transaction_id: textOrNull,
    /** The way in which it ended: a category of problems or `done`; of a listener its reason. */
    ending: textOrNull,
    why: textOrNull,
    /** The number of rows that it concerns. */
    count: numberOrNull,
    amount: amountOrNull,
    currency: textOrNull,
  }),
);

/** A request of another program: the parts of its signature, and whether the one that it made is the same. */
export const signedRequestShape = shape(
  'signed_request',
  own({
    method: text,
    url: text,
    nonce: textOrNull,
    body_bytes: number,
    /** SHA-512 of the bytes of the body, in small hex. */
    body_digest: text,
    string_to_sign: text,
    key: textOrNull,
    signature: textOrNull,
    /** Null where no signature was given to compare. */
    matches: z.nullable(yesNo),
    cause: textOrNull,
    why: textOrNull,
    next: textOrNull,
  }),
);

export const identityShape = shape(
  'identity',
  own({
    environment: text,
    profile: text,
    source: text,
    base_url: text,
    key: text,
    /** Where the secret is kept, in words. */
    secret_in: text,
    scheme: text,
    accepted: yesNo,
    limits: own(limits),
  }),
);

export const checkShape = shape(
  'check',
  own({
    check: text,
    verdict: z.enum(['pass', 'warn', 'fail', 'skip']),
    says: text,
    /** The command to type, or the thing to do. */
    next: textOrNull,
  }),
);

/** A server that has begun to listen: a sandbox, with its profile and clock, or a listener for webhooks, with its endpoint and inbox. */
export const readyShape = shape(
  'ready',
  own({
    url: text,
    profile: z.optional(text),
    is_default: z.optional(yesNo),
    key: z.optional(text),
    clock: z.optional(text),
    data: z.optional(text),
    port: z.optional(number),
    registered: z.optional(textOrNull),
    webhook: z.optional(textOrNull),
    public_url: z.optional(textOrNull),
    forward_to: z.optional(textOrNull),
    inbox: z.optional(text),
  }),
);

/** Null for one that is taken away: it would stand beside the three. */
export const variableShape = shape('variable', own({ name: text, value: textOrNull }));
