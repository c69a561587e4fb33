/** Files that the page saves. Their bytes are base64. */
import * as z from 'zod/mini';
import { list, short, text, textOrNull, yesNo } from './parts.ts';

export const proofFiles = z.object({
  files: list(
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
export const sheet = z.object({
  columns: z
    .array(z.object({ name: short, time: yesNo, amount: z.optional(yesNo) }))
    .check(z.minLength(1), z.maxLength(40)),
  rows: z.array(z.array(text).check(z.maxLength(40))).check(z.maxLength(100_000)),
});
