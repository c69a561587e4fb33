/** Shapes that many routes of the wire share. */
import * as z from 'zod/mini';

export const text = z.string();
export const textOrNull = z.nullable(z.string());
export const yesNo = z.boolean();
/** An id, a name, a word that somebody typed: bounded, since it comes over a socket. */
export const short = z.string().check(z.maxLength(200));
export const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item);

/** A state in the words of the desk, and how it looks: the colour says nothing that the word does not. */
export const state = z.object({ word: text, look: z.enum(['waiting', 'good', 'bad', 'over', 'plain']) });

export const line = z.object({ label: text, text });
