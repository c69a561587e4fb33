/**
 * Shapes shared by all resources (docs/wire.md 2 and 3), in zod/mini (decision 0001).
 * What we read is tolerant: unknown members are kept, absent and null are the same, enums are plain text.
 * What we write is strict: unknown members are refused before anything is sent.
 */
import * as z from 'zod/mini';
import { toDecimal } from '../../core/money.ts';

/** An amount in an answer: a number or a text on the wire, a decimal string from here on. */
export const wireAmount = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, context) => {
    const decimal = toDecimal(value);
    if (decimal !== null) return decimal;
    context.issues.push({ code: 'custom', message: 'is not an amount', input: value });
    return z.NEVER;
  }),
);

/** Absent and null read alike. */
export const wireText = z.nullish(z.string());
/** Texts that older payloads print as numbers, such as reason codes. */
export const looseText = z.nullish(
  z.pipe(
    z.union([z.string(), z.number(), z.boolean()]),
    z.transform((value) => String(value)),
  ),
);
/**
 * A word of a list that the contract names. What we read is tolerant, so any text is taken: the service may add a word. The type has
 * the known ones, written out so that a partner's compiler gets them by name.
 */
export const openWord = <Known extends string>() =>
  z.nullish(
    z.string() as unknown as z.ZodMiniType<
      Known | (string & Record<never, never>),
      Known | (string & Record<never, never>)
    >,
  );
export const wireFlag = z.nullish(z.boolean());
export const maybeAmount = z.nullish(wireAmount);
export const map = z.nullish(z.record(z.string(), z.unknown()));

const errorEntry = z.union([z.looseObject({ error: z.string() }), z.string()]);
/** `{field: [{error: word}]}`, nested problems dotted (docs/wire.md 3). A bare text is accepted for the list. */
export const fieldErrors = z.nullish(z.record(z.string(), z.union([z.array(errorEntry), z.string()])));

export const stateReasonDetails = z.nullish(
  z.looseObject({
    code: looseText,
    category: wireText,
    messages: z.nullish(z.array(z.string())),
    description: wireText,
  }),
);

export const paginationMeta = z.looseObject({
  current_page: z.nullish(z.number()),
  next_page: z.nullish(z.number()),
  prev_page: z.nullish(z.number()),
  total_pages: z.nullish(z.number()),
  total_count: z.nullish(z.number()),
});

export const single = <T extends z.ZodMiniType>(resource: T) =>
  z.looseObject({ object: resource, meta: z.nullish(z.looseObject({})) });

export const listOf = <T extends z.ZodMiniType>(resource: T) =>
  z.looseObject({
    object: z.array(resource),
    meta: z.nullish(z.looseObject({ pagination: z.nullish(paginationMeta) })),
  });

/** An amount as we write it: always a decimal string, never a float. */
export const writtenAmount = z
  .string()
  .check(z.regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/, 'must be a plain decimal'));
export const writtenMap = z.record(z.string(), z.unknown());
export const uuidText = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID'));
