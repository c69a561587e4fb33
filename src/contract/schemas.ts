/** JSON Schemas of what is written to the service and comes from it, for editors and for other languages. */
import * as z from 'zod/mini';
import { optionsOf } from './corridors/check.ts';
import type { CorridorBook, CorridorField, OptionSet } from './corridors/corridor.ts';
import { loadAllCorridors } from './corridors/index.ts';
import { type EventInfo, eventInfo, eventNames } from './events.ts';
import { recordsOfEvents } from './resources/of-events.ts';
import { transactionWrite } from './resources/transaction.ts';
import { delivery } from './resources/webhook.ts';

export type JsonSchema = { [name: string]: unknown };

/** The schema of what is read, before it is decoded. Rules that a schema cannot say are left out. */
export const schemaOf = (schema: z.core.$ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** One payment, as a file for `--file` has it, with the details of each payout type. */
export async function paymentSchema(): Promise<JsonSchema> {
  const book = await loadAllCorridors();
  const { $schema, ...payment } = schemaOf(transactionWrite) as JsonSchema & { properties: Members };
  const { recipients } = payment.properties as {
    recipients: JsonSchema & { items: JsonSchema & { properties: Members } };
  };
  const method = recipients.items.properties.payout_method as JsonSchema;
  method.allOf = book.types.flatMap(({ type }) => {
    const corridor = book.corridor(type);
    const kinds = Object.values(corridor?.recipientKinds ?? {});
    if (kinds.length === 0) return [];
    const details = { anyOf: kinds.map((fields) => detailsOf(fields, book)) };
    const only = { properties: { type: { const: type } }, required: ['type'] };
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a member of this name
    return { if: only, then: { properties: { details } } };
  });
  (method.properties as Members).type = {
    anyOf: [...book.types.map(({ type, summary }) => ({ const: type, title: summary })), { type: 'string' }],
  };
  return { $schema, ...payment };
}

type Members = Record<string, unknown>;

/** Longer lists of banks and branches are the business of `remit corridors`: an editor would show them all. */
const MOST_OPTIONS = 100;

const detailsOf = (fields: readonly CorridorField[], { options }: CorridorBook): JsonSchema => ({
  properties: Object.fromEntries(
    fields.map((field) => [field.name, detailOf(field, optionsOf(field, options))]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

function detailOf(
  { label, note, format, maxLength, alsoAccepted = [] }: CorridorField,
  choices: OptionSet,
): JsonSchema {
  const said = { title: label, ...(note !== undefined && { description: note }) };
  const offered = Object.entries(choices);
  if (offered.length > 0 && offered.length <= MOST_OPTIONS)
    return {
      ...said,
      anyOf: [
        ...offered.map(([value, title]) => ({ const: value, title })),
        ...alsoAccepted.map((value) => ({ const: value })),
      ],
    };
  return {
    ...said,
    type: 'string',
    ...(format !== undefined && { pattern: format }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

const RECORDS: Readonly<Record<EventInfo['object'], z.core.$ZodType>> = {
  ...recordsOfEvents,
  // No document says what it holds.
  transaction_request: z.looseObject({}),
};

/** The body of a webhook: which record it has follows from the event. */
export function eventsSchema(): JsonSchema {
  const { $schema, ...common } = schemaOf(delivery);
  const $defs: JsonSchema = {};
  for (const [name, record] of Object.entries(RECORDS)) {
    const { $schema: _, ...own } = schemaOf(record);
    $defs[name] = own;
  }
  const oneOf = eventNames.map((name) => ({
    description: eventInfo(name).meaning,
    properties: { event: { const: name }, object: { $ref: `#/$defs/${eventInfo(name).object}` } },
  }));
  return { $schema, ...common, oneOf, $defs };
}
