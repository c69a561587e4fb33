/** Facts that need no request: corridors, and the words of the glossary. No record of the service is loaded for them. */
import * as z from 'zod/mini';
import { numberOrNull, own, shape, text, textOrNull, texts, yesNo } from '../../frame/shape.ts';

export const corridorShape = shape(
  'corridor',
  own({
    type: text,
    summary: text,
    status: text,
    currency: text,
    decimals: numberOrNull,
    countries: texts,
    recipient_kinds: texts,
    /** The check that can be asked for about an account. */
    account_check: textOrNull,
    timing: textOrNull,
  }),
);
export const corridorFieldShape = shape(
  'corridor_field',
  own({
    field: text,
    label: text,
    required: yesNo,
    control: text,
    /** Codes to labels; for a long list see --options. */
    options: z.readonly(z.record(text, text)),
    format: textOrNull,
    max_length: numberOrNull,
    default: textOrNull,
    note: textOrNull,
  }),
);
export const corridorOptionShape = shape('corridor_option', own({ code: text, label: text }));

const explanation = own({
  kind: text,
  name: text,
  meaning: text,
  /** Tells who must act, and what they do. */
  who: textOrNull,
  /** The things that you can do now, in words. */
  can: texts,
  moves: texts,
  /** Names of webhook events that tell of it. */
  events: texts,
  /** The true words to tell the customer; null where amounts or other facts decide, or there is nothing to tell. */
  tell: textOrNull,
  notes: texts,
});
export const glossaryShape = shape('glossary', explanation);
export const explanationShape = shape(
  'explanation',
  own({ word: text, meanings: z.readonly(z.array(explanation)) }),
);
