/** Files that the page saves. Their bytes are base64. */
import * as z from 'zod/mini';
import { list, text, textOrNull } from './parts.ts';

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
