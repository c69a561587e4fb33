/** JSON Schemas of what is written to the service and comes from it, for editors and for other languages. */
import * as z from 'zod/mini';
import { type EventInfo, eventInfo, eventNames } from './events.ts';
import { document } from './resources/document.ts';
import { payinMethod, payoutMethod } from './resources/payment-method.ts';
import { sender } from './resources/sender.ts';
import { recipient, transaction, transactionWrite } from './resources/transaction.ts';
import { delivery } from './resources/webhook.ts';

export type JsonSchema = { [name: string]: unknown };

/** The schema of what is read, before it is decoded. Rules that a schema cannot say are left out. */
export const schemaOf = (schema: z.core.$ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** One payment, as a file for `--file` has it. */
export const paymentSchema = (): JsonSchema => schemaOf(transactionWrite);

const RECORDS: Readonly<Record<EventInfo['object'], z.core.$ZodType>> = {
  transaction,
  recipient,
  sender,
  payin_method: payinMethod,
  payout_method: payoutMethod,
  document,
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
