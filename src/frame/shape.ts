/**
 * The published shape of a result: the record that `-o json` prints and that a page or an agent is given, with its name and its
 * version (docs/rules.md 7). A use case answers with data of a shape; a front end adds columns and words.
 */
import * as z from 'zod/mini';

export interface Shape<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  /** `kind` in the JSON: `transaction`. */
  kind: string;
  /** `version` in the JSON: raised when a member changes its meaning or goes away. */
  version: number;
  schema: Schema;
  /** The members of each record. A record of the service may have more: unknown ones are kept. */
  members: readonly string[];
}

export type DataOf<Of extends Shape> = z.output<Of['schema']>;

/** @param sometimes members that the records of some commands have, and those of others do not */
export const shape = <Schema extends z.ZodMiniObject>(
  kind: string,
  schema: Schema,
  sometimes: readonly (keyof Schema['shape'] & string)[] = [],
): Shape<Schema> => ({
  kind,
  version: 1,
  schema,
  members: Object.keys(schema.shape).filter((name) => !sometimes.includes(name)),
});

/** A record of our own: no member but these. */
export const own = z.strictObject;

/** A record of the service, with members that are worked out from it. */
export const wire = <Known extends z.ZodMiniObject, const More extends z.core.$ZodShape>(
  { shape: known }: Known,
  more: More,
): z.ZodMiniObject<Known['shape'] & More, z.core.$loose> =>
  z.looseObject({ ...known, ...more }) as z.ZodMiniObject<Known['shape'] & More, z.core.$loose>;

export const text = z.string();
export const textOrNull = z.nullable(text);
export const number = z.number();
export const numberOrNull = z.nullable(number);
export const yesNo = z.boolean();
/** ISO 8601, in UTC. */
export const time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/));
export const timeOrNull = z.nullable(time);
/** A plain decimal, in major units of the currency that stands beside it. */
export const amount = z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/));
export const amountOrNull = z.nullable(amount);
export const texts = z.readonly(z.array(text));
/** Currency to amount. */
export const amounts = z.readonly(z.record(text, amount));
