/**
 * The catalogue of operations as an OpenAPI 3.1 description, for clients in other languages and for editors. Members that it
 * does not name may come.
 */
import * as z from 'zod/mini';
import { type EventInfo, eventInfo, eventNames } from './events.ts';
import { catalogue, operationIds } from './operations/index.ts';
import { type Operation, pathParameters, type QueryParameter, TO_SETTLE } from './operations/operation.ts';
import * as accounts from './resources/account.ts';
import { fieldErrors, writtenAmount } from './resources/common.ts';
import * as documents from './resources/document.ts';
import * as info from './resources/info.ts';
import * as logs from './resources/log.ts';
import * as methods from './resources/payment-method.ts';
import { sender, senderWrite } from './resources/sender.ts';
import * as transactions from './resources/transaction.ts';
import { accountValidationResult } from './resources/validation.ts';
import { delivery, webhookDefinition } from './resources/webhook.ts';
import { headerNames } from './signed-text.ts';

export type Json = { [name: string]: unknown };

/** A refusal (docs/wire.md 3) has reasons by field, and in `meta` what concerns no field. */
const refusal = z.looseObject({
  object: z.optional(z.unknown()),
  errors: fieldErrors,
  meta: z.nullish(z.record(z.string(), z.unknown())),
});

/** Records that several operations share, each written once. */
const named = {
  Account: accounts.account,
  PartnerBalance: accounts.partnerBalance,
  Debit: accounts.debit,
  Document: documents.document,
  Mandate: documents.mandate,
  ProofOfPayment: documents.proofOfPayment,
  Currency: info.currency,
  CurrencyExchange: info.currencyExchange,
  FieldDescription: info.fieldDescription,
  PaymentMethod: info.paymentMethod,
  ApiLog: logs.apiLog,
  WebhookLog: logs.webhookLog,
  PayoutMethod: methods.payoutMethod,
  PayinMethod: methods.payinMethod,
  Sender: sender,
  SenderRequest: senderWrite,
  Recipient: transactions.recipient,
  RecipientRequest: transactions.recipientWrite,
  Transaction: transactions.transaction,
  TransactionRequest: transactions.transactionWrite,
  AccountValidation: accountValidationResult,
  Webhook: webhookDefinition,
  Refusal: refusal,
};

export interface Described {
  /** The version of remit. */
  version: string;
  /** Where the service, or a sandbox, is: ends in the version segment. */
  baseUrl: string;
}

/** An OpenAPI 3.1 document with every operation and every webhook. */
export function openApi({ version, baseUrl }: Described): Json {
  const { schemaOf, schemas } = namedSchemas();
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const row = catalogue[id] as unknown as Operation;
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: described(row, schemaOf) };
  }
  const refused = schemaOf(refusal);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Money transfer service, partner interface',
      version: 'v1',
      summary: `As remit ${version} and its sandbox speak it`,
      description: SIGNING,
    },
    servers: [{ url: baseUrl }],
    security: [
      { AuthorizationKey: [], AuthorizationNonce: [], AuthorizationSignature: [] },
      { AuthorizationKey: [], AuthorizationSecret: [] },
    ],
    paths,
    webhooks: Object.fromEntries(
      eventNames.map((name) => [name, webhookOf(name, eventInfo(name), schemaOf)]),
    ),
    components: {
      schemas: schemas(),
      responses: Object.fromEntries(
        Object.entries(STATUSES).map(([status, description]) => [
          `Status${status}`,
          { description, content: { 'application/json': { schema: refused } } },
        ]),
      ),
      securitySchemes: Object.fromEntries(
        Object.values(headerNames).map((name) => [
          name.replaceAll('-', ''),
          { type: 'apiKey', in: 'header', name },
        ]),
      ),
    },
  };
}

const SIGNING =
  'A request is signed: `Authorization-Signature` is the HMAC-SHA-512, in small hex and keyed with the API secret, of nonce, method, whole URL and the ' +
  'SHA-512 of the body in small hex, joined by `&`. Each nonce is used once. Webhooks are signed in the same way, for the URL that is registered.';

const STATUSES = {
  400: 'The request cannot be read',
  401: 'The key or the signature is missing or wrong',
  404: 'Nothing is there',
  422: 'Refused: the reasons are by field in `errors`, or in `meta`',
  500: 'A failure inside: whether it was done is not known',
};

type SchemaOf = (schema: z.core.$ZodType) => Json;

/** Named records become references; `schemas` is asked last and has all that were used. */
function namedSchemas(): { schemaOf: SchemaOf; schemas: () => Json } {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) names.add(schema, { id });
  const found: Json = {};
  const schemaOf: SchemaOf = (schema) => {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, {
      metadata: names,
      io: 'input',
      unrepresentable: 'any',
      override: asTheService,
    }) as Json & { $defs?: Json };
    for (const [name, one] of Object.entries($defs)) {
      const { id: _id, ...rest } = one as Json;
      found[name] = referring(rest);
    }
    return referring(own) as Json;
  };
  return {
    schemaOf,
    schemas: () => Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** We write amounts as texts and no member that we do not know; the service takes numbers and other members too. */
function asTheService({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  if (zodSchema === writtenAmount) jsonSchema.type = ['string', 'number'];
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

const referring = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));

function described(row: Operation, schemaOf: SchemaOf): Json {
  const failures = [...new Set([401, ...(row.path.includes('{') ? [404] : []), ...row.failures, 500])].sort();
  return {
    operationId: row.wireId,
    summary: row.summary,
    description: [
      `If the answer is lost: ${TO_SETTLE[row.settle]}.`,
      ...(row.sandboxOnly ? ['Only in a sandbox.'] : []),
    ].join(' '),
    tags: [row.id.split('.')[0]],
    'x-remit-operation': row.id,
    'x-remit-effect': row.effect,
    parameters: [
      ...pathParameters(row.path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...row.query.map(parameter),
    ],
    ...(row.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(row.body) } } },
    }),
    responses: {
      [row.status]: {
        description: 'Success',
        content: { 'application/json': { schema: schemaOf(row.answer) } },
      },
      ...Object.fromEntries(
        failures.map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
      ),
    },
  };
}

const TYPES: Readonly<Record<QueryParameter['kind'], Json>> = {
  text: { type: 'string' },
  integer: { type: 'integer', minimum: 1 },
  date: { type: 'string', format: 'date' },
  decimal: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  uuid: { type: 'string', format: 'uuid' },
  list: { type: 'array', items: { type: 'string' } },
};

function parameter({ name, kind, values }: QueryParameter): Json {
  const one = values === undefined ? {} : { enum: values };
  return kind === 'list'
    ? {
        name: `${name}[]`,
        in: 'query',
        explode: true,
        schema: { type: 'array', items: { type: 'string', ...one } },
      }
    : { name, in: 'query', schema: { ...TYPES[kind], ...one } };
}

function webhookOf(name: string, { meaning, object }: EventInfo, schemaOf: SchemaOf): Json {
  const body = { allOf: [schemaOf(delivery), { properties: { event: { const: name } } }] };
  return {
    post: {
      operationId: `webhook-${name}`,
      summary: meaning,
      tags: ['webhooks'],
      description: `Its \`object\` is the ${object.replaceAll('_', ' ')} as it was then. It may come again, and in another order.`,
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: { 200: { description: 'Taken' } },
    },
  };
}
