/** Pieces that questions are made of. */
import * as z from 'zod/mini';

/** An id, a name, a word that the user typed: bounded, since it comes over a socket. */
export const shortText = z.string().check(z.maxLength(200));
export const arrayOf = z.array;

/** The largest file that the page hands over, as base64: the terminal takes a larger one. */
export const MOST_FILE = 4_000_000;
export const file = z.object({ name: shortText, content: z.string().check(z.maxLength(MOST_FILE)) });
export type SentFile = z.output<typeof file>;
