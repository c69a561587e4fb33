/** An act on the page: the wish, the question that stands in its way, and what came of it. */
import * as z from 'zod/mini';
import { text, textOrNull } from '../../frame/shape.ts';
import { arrayOf, shortText } from './parts.ts';
import type { RunAct } from './runs.ts';

const heard = z.object({ text, weight: z.enum(['statement', 'aside', 'warning', 'note']) });
/** A question with the user's answer: the digest of all that was shown with it, so that nothing else is agreed to. */
const answer = z.object({ shown: shortText, typed: z.optional(shortText) });

/** The word of an act, on a button and above its dialog. */
export const VERBS = {
  edit: 'Correct',
  cancel: 'Cancel',
  request_cancel: 'Ask to cancel',
  settle: 'Settle',
  approve: 'Approve',
  reject: 'Reject',
  hold: 'Hold',
  release: 'Release',
  settle_run: 'Settle',
} as const satisfies Readonly<Record<RunAct, string> & Record<string, string>>;
export type PageAct = keyof typeof VERBS;

/** The most letters that a detail or a reason has. */
export const MOST_LETTERS = 500;
export const wish = z.object({
  /** Made by the page when the dialog opens. One id is carried out once, for any sender. */
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  act: z.enum(Object.keys(VERBS) as PageAct[]),
  /** The recipients or the intent that are meant, each with the digest of what was shown of it. */
  of: z.array(z.object({ id: shortText, digest: shortText })).check(z.minLength(1), z.maxLength(200)),
  /** The details that a correction changes. */
  details: z.optional(z.record(shortText, z.string().check(z.maxLength(MOST_LETTERS)))),
  answers: z.array(answer).check(z.maxLength(8)),
});
export type ActWish = z.output<typeof wish>;

export const acted = z.discriminatedUnion('kind', [
  /** A question stands in the way, and nothing was sent. */
  z.object({
    kind: z.literal('asks'),
    heard: arrayOf(heard),
    said: text,
    /** The digest of the two above: an answer names it. */
    shown: text,
    /** The words of the button, with profile and amount in it. */
    button: text,
    /** The word to type before the button works; null where the button alone is enough. */
    type: z.nullable(z.object({ asks: text, shown: text })),
  }),
  z.object({
    kind: z.literal('done'),
    /** One line for each thing that was acted on. */
    endings: arrayOf(z.object({ id: text, text, look: z.enum(['good', 'waiting', 'bad']), why: textOrNull })),
    notes: arrayOf(text),
    command: text,
  }),
]);
export type Acted = z.output<typeof acted>;
