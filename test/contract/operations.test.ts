/** The catalogue against a table of the service's interface that was written down apart from it. */
import { describe, expect, it } from 'vitest';
import {
  catalogue,
  findOperation,
  type OperationId,
  operationIds,
} from '../../src/contract/operations/index.ts';
import { type Operation, pathParameters } from '../../src/contract/operations/operation.ts';

/** Name on the wire, verb, path, status of success, whether there is a body, query parameters. */
const INTERFACE = `
get-accounts                 GET    /accounts                                        200 -
get-account                  GET    /accounts/{currency}                             200 -
post-accounts-debits         POST   /accounts/debits                                 201 body
post-account-validations     POST   /account_validations                             200 body
get-api-logs                 GET    /api_logs                                        200 -    page per created_at_from created_at_to
get-api-log                  GET    /api_logs/{api_log_id}                           200 -
get-balance                  GET    /partner/balance                                 200 -
info-currencies              GET    /info/currencies                                 200 -
info-currencies-in           GET    /info/currencies/in                              200 -    sender_id
info-currencies-out          GET    /info/currencies/out                             200 -    sender_id
get-documents                GET    /documents                                       200 -    page per
post-documents               POST   /documents                                       201 body
get-document                 GET    /documents/{document_id}                         200 -
payment-methods-in           GET    /info/payment_methods/in                         200 -
payment-methods-out          GET    /info/payment_methods/out                        200 -
get-webhook-logs             GET    /logs/webhooks                                   200 -    page per created_at_from created_at_to
get-webhook-log              GET    /logs/{webhook_log_id}                           200 -
get-mandate                  GET    /mandates/{mandate_id}                           200 -
get-payin-method             GET    /payin_methods/{payin_method_id}                 200 -
delete-payin-method          DELETE /payin_methods/{payin_method_id}                 200 -
patch-payin-method           PATCH  /payin_methods/{payin_method_id}                 200 body
retry-payin-method           POST   /payin_methods/{payin_method_id}/retry           200 -
get-payout-methods           GET    /payout_methods                                  200 -    state type sender_id page per created_at_from created_at_to
post-payout-methods          POST   /payout_methods                                  201 body
get-payout-method            GET    /payout_methods/{payout_method_id}               200 -
delete-payout-method         DELETE /payout_methods/{payout_method_id}               200 -
patch-payout-method          PATCH  /payout_methods/{payout_method_id}               200 body
get-recipients               GET    /recipients                                      200 -    page per created_at_from created_at_to amount_from amount_to state currency
delete-recipient             DELETE /recipients/{recipient_id}                       200 -
patch-recipient              PATCH  /recipients/{recipient_id}                       200 body
proof-of-payments            GET    /recipients/{recipient_id}/proof_of_payments     200 -
get-senders                  GET    /senders                                         200 -    page per created_at_from created_at_to external_id
post-senders                 POST   /senders                                         201 body
get-sender                   GET    /senders/{sender_id}                             200 -
delete-sender                DELETE /senders/{sender_id}                             200 -
patch-sender                 PATCH  /senders/{sender_id}                             200 body
get-transactions             GET    /transactions                                    200 -    page per external_id sender_id transactions_type
post-transactions            POST   /transactions                                    201 body
calculate-transactions       POST   /transactions/calculate                          200 body
validate-transactions        POST   /transactions/validate                           200 body
create-and-fund-transaction  POST   /transactions/create_and_fund                    201 body
get-transaction              GET    /transactions/{transaction_id}                   200 -
payin-transaction            POST   /transactions/{transaction_id}/payin             200 body
payout-transaction           POST   /transactions/{transaction_id}/payout            200 -
get-webhooks                 GET    /webhooks                                        200 -    page per
post-webhooks                POST   /webhooks                                        201 body
get-webhook                  GET    /webhooks/{webhook_id}                           200 -
delete-webhook               DELETE /webhooks/{webhook_id}                           200 -
get-webhook-events           GET    /webhooks/events                                 200 -
`;

const lines = INTERFACE.trim()
  .split('\n')
  .map((line) => {
    const [wireId = '', method = '', path = '', status = '', body = '', ...query] = line.split(/\s+/);
    return { wireId, method, path, status: Number(status), hasBody: body === 'body', query };
  });

const rows = operationIds.map((id) => [id, catalogue[id] as unknown as Operation] as const);
const named = (id: OperationId): Operation => catalogue[id] as unknown as Operation;

it('has each row of the interface once', () => {
  expect(rows.map(([, row]) => row.wireId).sort()).toEqual(lines.map(({ wireId }) => wireId).sort());
  expect(new Set(rows.map(([, row]) => `${row.method} ${row.path}`)).size).toBe(rows.length);
});

it.each(lines)('$wireId is $method $path', ({ wireId, method, path, status, hasBody, query }) => {
  const row = findOperation(wireId);
  expect(row).toMatchObject({ method, path, status });
  expect(row?.body !== undefined).toBe(hasBody);
  expect(row?.query.map(({ name }) => name)).toEqual(query);
  expect(findOperation(row?.id ?? '')).toBe(row);
});

describe('what an operation may do, and how it is settled', () => {
  it.each(rows)('%s', (id, row) => {
    expect(row.id).toBe(id);
    expect(row.summary).toMatch(/^[A-Z].*[^.]$/);
    if (row.method === 'GET') expect(row.effect).toBe('read');
    if (row.method === 'DELETE') expect(row.effect).toBe('destructive');
    if (row.effect === 'read') expect(row.settle).toBe('repeat');
    // What moves money or takes something away is looked at before it is sent again.
    if (row.effect === 'money' || row.effect === 'destructive') expect(row.settle).not.toBe('repeat');
    if (row.paging === 'envelope')
      expect(row.query.map(({ name }) => name)).toEqual(expect.arrayContaining(['page', 'per']));
    if (
      pathParameters(row.path).some((name) => name.endsWith('_id') || name === 'currency') &&
      row.id !== 'transactions.payout'
    )
      expect(row.failures).toContain(404);
  });

  it('money is what creates, funds, collects, pays or redirects', () => {
    const money = rows.filter(([, { effect }]) => effect === 'money').map(([id]) => id);
    expect(money.sort()).toEqual([
      'debits.create',
      'payin_methods.edit',
      'payin_methods.retry',
      'payout_methods.edit',
      'recipients.edit',
      'transactions.create',
      'transactions.create_and_fund',
      'transactions.payin',
      'transactions.payout',
    ]);
  });

  it('the forced payin and payout exist in a sandbox only', () => {
    const only = rows.filter(([, { sandboxOnly }]) => sandboxOnly).map(([id]) => id);
    expect(only.sort()).toEqual(['transactions.payin', 'transactions.payout']);
  });

  it('creating and funding in one call may take over a minute', () => {
    expect(rows.filter(([, { slow }]) => slow).map(([id]) => id)).toEqual(['transactions.create_and_fund']);
  });
});

const method = {
  type: 'NGN::Bank',
  details: { bank_account: '0123456700' },
  metadata: { any: { thing: 1 } },
};
const transaction = {
  transaction: {
    input_currency: 'EUR',
    external_id: 'T-1',
    sender: { id: 's', documents: [{ any: 1 }], politically_exposed_people: [{ name: 'n', position: 'p' }] },
    recipients: [
      { type: 'person', requested_amount: '12.50', requested_currency: 'NGN', payout_method: method },
    ],
    payin_methods: [{ type: 'GHS::Mobile', ux_flow: 'ussd_popup', in_details: { any: 1 } }],
    traits: { auto_refund: true },
    metadata: { any: 1 },
  },
};
const debit = {
  to_id: '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  to_type: 'Transaction',
  amount: '5',
  currency: 'EUR',
};

/** A body that fits each operation that has one. */
const bodies: Partial<Record<OperationId, object>> = {
  'debits.create': { debit: [debit] },
  'account_validations.create': {
    method: 'bank',
    country: 'NG',
    currency: 'NGN',
    bank_account: '1',
    bank_code: '044',
  },
  'documents.create': { document: { upload: 'data:', upload_file_name: 'a.pdf', side: 'front' } },
  'payin_methods.edit': { in_details: { otp: '1' } },
  'payout_methods.create': { payout_method: method },
  'payout_methods.edit': method,
  'recipients.edit': { recipient: { payout_method: method, metadata: {} } },
  'senders.create': { sender: transaction.transaction.sender },
  'senders.edit': { sender: { city: 'Berlin' } },
  'transactions.create': transaction,
  'transactions.calculate': transaction,
  'transactions.validate': transaction,
  'transactions.create_and_fund': transaction,
  'transactions.payin': { payin_method: { type: 'GHS::Mobile' } },
  'webhooks.create': { webhook: { url: 'http://127.0.0.1/', events: ['transaction.created'] } },
};

/** Members whose inside is anybody's: names of details and metadata are not ours to check here. */
const FREE = new Set(['details', 'in_details', 'metadata', 'documents']);

/** Every copy of a body with one unknown member in one of its objects. */
function* withUnknown(body: object): Generator<object> {
  yield { ...body, unknwon: 1 };
  for (const [name, value] of Object.entries(body)) {
    if (FREE.has(name) || typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const inner of withUnknown(value)) yield { ...body, [name]: inner };
    else for (const inner of withUnknown(value[0])) yield { ...body, [name]: [inner] };
  }
}

describe('what we write', () => {
  it('every operation with a body has one here', () => {
    const having = rows.filter(([, { body }]) => body !== undefined).map(([id]) => id);
    expect(Object.keys(bodies).sort()).toEqual(having.sort());
  });

  it.each(Object.entries(bodies))(
    '%s: what fits passes unchanged, an unknown member anywhere does not',
    (id, body) => {
      const schema = named(id as OperationId).body;
      expect(schema?.safeParse(body)).toEqual({ success: true, data: body });
      const wrong = [...withUnknown(body)];
      expect(wrong.length).toBeGreaterThan(0);
      for (const each of wrong) expect(schema?.safeParse(each).success, JSON.stringify(each)).toBe(false);
      for (const other of [undefined, null, [], 'text', 5])
        expect(schema?.safeParse(other).success).toBe(false);
    },
  );

  it.each([12.5, '1e3', '-5', '12,5', 'NaN', '', ' 5', '05', '5.', null])(
    'an amount is a plain decimal text, and %j is none',
    (amount) => {
      expect(named('debits.create').body?.safeParse({ debit: { ...debit, amount } }).success).toBe(false);
    },
  );

  it('one debit or many; the id of a transaction is a UUID', () => {
    const { body } = named('debits.create');
    expect(body?.safeParse({ debit }).success).toBe(true);
    expect(body?.safeParse({ debit: { ...debit, to_id: 'T-1' } }).success).toBe(false);
  });
});

interface Inside {
  _zod: { def: { type: string; shape?: Record<string, Inside>; innerType?: Inside; element?: Inside } };
}

const unwrapped = (schema: Inside): Inside =>
  schema._zod.def.innerType ? unwrapped(schema._zod.def.innerType) : schema;

/** What must be there: without it there is nothing to show. */
const needed: Partial<Record<OperationId, Record<string, unknown>>> = {
  'accounts.list': { currency: 'EUR', amount: 1 },
  'accounts.get': { currency: 'EUR', amount: '1.00' },
  'partner_balance.list': { currency: 'EUR' },
  'mandates.get': { id: 'm' },
};

describe('what we read', () => {
  it.each(rows.filter(([id]) => id !== 'webhooks.events'))(
    '%s: unknown members are kept, null and absent read alike',
    (id, row) => {
      const object = (row.answer as unknown as Inside)._zod.def.shape?.object;
      const inside = unwrapped(object as Inside);
      const isList = inside._zod.def.type === 'array';
      const { shape = {} } = unwrapped(isList ? (inside._zod.def.element as Inside) : inside)._zod.def;
      const required = needed[id] ?? guessRequired(row, shape, isList);
      const read = (resource: object, more: object = {}) =>
        row.answer.safeParse({ object: isList ? [resource] : resource, ...more });
      const odd = read(
        { ...required, a_member_of_tomorrow: { deep: [1] } },
        { meta: { odd: 1 }, extra: true },
      );
      expect(odd.success).toBe(true);
      expect(JSON.stringify(odd.data)).toContain('a_member_of_tomorrow');
      expect(read(required, { meta: null }).success).toBe(true);
      for (const name of Object.keys(shape).filter((member) => !(member in required))) {
        expect(read({ ...required, [name]: null }).success, `${name}: null`).toBe(true);
      }
      expect(row.answer.safeParse({}).success && id !== 'account_validations.create').toBe(false);
      expect(row.answer.safeParse([]).success).toBe(false);
    },
  );

  it('the names of events', () => {
    expect(
      named('webhooks.events').answer.safeParse({ object: ['transaction.created', 'new.event'] }).success,
    ).toBe(true);
  });

  it('an enum of tomorrow is read, never refused', () => {
    const answer = {
      object: {
        state: 'teleported',
        recipients: [{ state: 'beamed', payout_method: { type: 'XYZ::Mind' } }],
      },
    };
    expect(named('transactions.get').answer.safeParse(answer).success).toBe(true);
  });

  it('an amount is the same as a number and as a text', () => {
    const read = (amount: unknown) =>
      named('accounts.get').answer.safeParse({ object: { currency: 'EUR', amount } }).data;
    expect(read(12.5)).toEqual(read('12.5'));
    expect(
      named('accounts.get').answer.safeParse({ object: { currency: 'EUR', amount: 'much' } }).success,
    ).toBe(false);
  });
});

/** A member that does not read null is needed; a text stands for it. */
function guessRequired(
  row: Operation,
  shape: Record<string, Inside>,
  isList: boolean,
): Record<string, unknown> {
  const required: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    if (schema._zod.def.type === 'string') required[name] = 'text';
  }
  expect(
    row.answer.safeParse({ object: isList ? [required] : required }).success,
    `${row.id} with ${JSON.stringify(required)}`,
  ).toBe(true);
  return required;
}
