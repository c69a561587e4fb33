/** Pieces that questions are made of. */
import * as z from 'zod/mini';

/** An id, a name, a word that somebody typed: bounded, since it comes over a socket. */
export const short = z.string().check(z.maxLength(200));
export const list = z.array;
