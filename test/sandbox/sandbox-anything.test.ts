/**
 * Anything that a client may send: at least 2,000 generated, signed requests. None is answered by a 500, the ledger adds up
 * after every run, and each served operation is seen to accept and to refuse where it can do both.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventNames } from '../../src/contract/events.ts';
import { catalogue, type OperationId, operationIds } from '../../src/contract/operations/index.ts';
import type { Operation } from '../../src/contract/operations/operation.ts';
import { type Bench, HOOK, type Json, payoutDetails, person, startBench } from '../support/sandbox.ts';

const RUNS = 25;
const STEPS = 100;

const served = operationIds;
const row = (id: OperationId) => catalogue[id] as unknown as Operation;
const writes = served.filter((id) => row(id).method !== 'GET');

/** What the run has made so far: ids that later requests can name. */
interface Known {
  transactions: string[];
  recipients: string[];
  senders: string[];
  webhooks: string[];
  logs: string[];
  webhookLogs: string[];
  /** Transactions by what can be done with them, the newest last. */
  unfunded: string[];
  funded: string[];
  collections: string[];
  payins: string[];
  failedPayins: string[];
  methods: string[];
  documents: string[];
  mandates: string[];
  count: number;
}

const nothingKnown = (): Known => ({
  transactions: [],
  recipients: [],
  senders: [],
  webhooks: [],
  logs: [],
  webhookLogs: [],
  unfunded: [],
  funded: [],
  collections: [],
  payins: [],
  failedPayins: [],
  methods: [],
  documents: [],
  mandates: [],
  count: 0,
});

const junk = fc.oneof(
  fc.constantFrom<Json>(
    null,
    '',
    ' ',
    -5,
    0,
    1e3,
    '1e3',
    '-5',
    '0',
    'NaN',
    '9'.repeat(30),
    '1.23456789',
    1e308,
    true,
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    'ZZ',
    'XXX',
    'NGN::Bank',
    'Foo::Bar',
    '\u0000',
    '💥',
    'x'.repeat(5000),
    '2026-02-30',
    '999',
    { toString: 1 },
    '00000000-0000-4000-8000-000000000000',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const step = fc.record({
  id: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...writes) },
    { weight: 1, arbitrary: fc.constantFrom(...served) },
  ),
  plan: fc.oneof(
    { weight: 50, arbitrary: fc.constant('good' as const) },
    { weight: 40, arbitrary: fc.constant('refused' as const) },
    { weight: 10, arbitrary: fc.constant('anything' as const) },
  ),
  pick: fc.nat(),
  where: fc.nat(),
  junk,
  raw: fc.option(fc.constantFrom('', '[]', '"x"', '{', 'null', '1', '{"a":'.repeat(500), '['.repeat(5000)), {
    freq: 20,
  }),
  query: fc.option(
    fc.constantFrom(
      '?page=0',
      '?page=-1',
      '?page=x',
      '?per=1000',
      '?per=1e9',
      '?page=999999999999999999999',
      '?created_at_from=x',
      '?created_at_to=2026-13-45',
      '?amount_from=1',
      '?amount_from=x&currency=EUR',
      '?state[]=error&state=paid&state[0]=x',
      '?currency=NGN&amount_to=5',
      '?external_id=%00',
      '?sender_id=1',
      '?transactions_type=x',
      '?%E0%A4%A=1',
      '?a[]=&&=',
    ),
    { freq: 3 },
  ),
  advance: fc.oneof(
    { weight: 40, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(60_000, 3_600_000, 90_000_000) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const NOTHING = '00000000-0000-4000-8000-000000000000';
const pickOf = (list: string[], at: number) => list[at % Math.max(1, list.length)] ?? NOTHING;
const ENDINGS = ['00', '01', '08', '19', '71', '55', '19', '08'];

function transactionBody(known: Known, { pick }: Step, more: Json = {}): Json {
  known.count += 1;
  const type = pick % 7 === 3 ? 'ZAR::Bank' : 'NGN::Bank';
  return {
    transaction: {
      input_currency: 'EUR',
      external_id: `t-${known.count}`,
      sender: pick % 3 === 0 ? { ...person, external_id: `s-${pick % 7}` } : { ...person },
      recipients: [
        {
          type: 'person',
          requested_amount: pick % 2 ? `${(pick % 900) + 1}.50` : (pick % 900) + 1,
          requested_currency: ['EUR', 'NGN', 'USD'][pick % 3],
          payout_method: {
            type,
            details: payoutDetails(type, `01234567${ENDINGS[pick % ENDINGS.length]}`),
          },
          metadata: {},
        },
      ],
      traits: { auto_refund: pick % 2 === 0 },
      metadata: { note: 'x' },
      ...more,
    },
  };
}

const payin = {
  type: 'GHS::Mobile',
  ux_flow: 'ussd_popup',
  in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
};

/** Fails at once: it can be tried again, and fails again. */
const voucher = {
  type: 'XOF::Mobile',
  ux_flow: 'ussd_voucher',
  in_details: { phone_number: '+221771234709', mobile_provider: 'orange', country: 'SN', otp: '1' },
};

/** A body that should be accepted, by operation. */
const good: Partial<Record<OperationId, (known: Known, step: Step) => Json>> = {
  'debits.create': (known, each) => ({
    debit: { to_id: target(known.unfunded, known.transactions, each), to_type: 'Transaction' },
  }),
  'account_validations.create': (_, { pick }) => ({
    method: 'bank',
    country: 'NG',
    currency: 'NGN',
    bank_code: '044',
    bank_account: `${pick % 9}123456789`,
  }),
  'payin_methods.edit': () => ({ in_details: { mobile_provider: 'airtel' } }),
  'payout_methods.create': (_, { pick }) => ({
    payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', `0123456${100 + (pick % 100)}`) },
  }),
  'payout_methods.edit': (_, { pick }) => ({ details: { bank_account: `0123456${100 + (pick % 100)}` } }),
  'documents.create': () => ({
    document: { upload: 'data:image/png;base64,aGk=', upload_file_name: 'passport.png' },
  }),
  'transactions.validate': transactionBody,
  'recipients.edit': (_, { pick }) => ({
    recipient: { payout_method: { details: { bank_account: `01234567${ENDINGS[pick % ENDINGS.length]}` } } },
  }),
  'senders.create': (known) => {
    known.count += 1;
    return { sender: { ...person, external_id: `sender-${known.count}` } };
  },
  'senders.edit': () => ({ sender: { city: 'Hamburg' } }),
  'transactions.create': (known, each) =>
    transactionBody(
      known,
      each,
      each.pick % 4 === 0
        ? { input_currency: 'GHS', payin_methods: [payin] }
        : each.pick % 4 === 1
          ? { input_currency: 'XOF', payin_methods: [voucher] }
          : {},
    ),
  'transactions.calculate': transactionBody,
  'transactions.create_and_fund': transactionBody,
  'transactions.payin': () => ({ payin_method: { type: 'GHS::Mobile' } }),
  'webhooks.create': () => ({ webhook: { url: HOOK, events: eventNames.slice(0, 3) } }),
};

/** Members whose loss or nonsense must be refused. */
const crucial: Partial<Record<OperationId, string[]>> = {
  'debits.create': ['debit.to_id', 'debit.to_type'],
  'account_validations.create': ['method', 'country', 'currency', 'bank_account'],
  'payin_methods.edit': ['in_details.mobile_provider'],
  'payout_methods.create': ['payout_method.type', 'payout_method.details.bank_code', 'payout_method'],
  'payout_methods.edit': ['details.bank_account'],
  'documents.create': ['document.upload', 'document.upload_file_name', 'document'],
  'transactions.validate': ['transaction.recipients', 'transaction.input_currency', 'transaction'],
  'recipients.edit': ['recipient.payout_method.details.bank_account', 'recipient'],
  'senders.create': [
    'sender.first_name',
    'sender.email',
    'sender.ip',
    'sender.documents',
    'sender.country',
    'sender',
  ],
  'senders.edit': ['sender.email', 'sender.birth_date', 'sender.ip', 'sender'],
  'transactions.create': [
    'transaction.recipients',
    'transaction.input_currency',
    'transaction.sender',
    'transaction',
  ],
  'transactions.calculate': [
    'transaction.recipients.0.requested_amount',
    'transaction.recipients.0.payout_method.type',
  ],
  'transactions.create_and_fund': [
    'transaction.recipients.0.payout_method.details.bank_code',
    'transaction.external_id',
  ],
  'transactions.payin': ['payin_method.type', 'payin_method'],
  'webhooks.create': ['webhook.url', 'webhook.events', 'webhook'],
};

function leaves(value: Json, at: string[] = []): string[][] {
  const own = at.length > 0 ? [at] : [];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.keys(value).flatMap((name) => leaves(value[name], [...at, name]))];
}

function put(value: Json, [name = '', ...rest]: string[], replacement: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = rest.length > 0 ? put(copy[name], rest, replacement) : replacement;
  return copy;
}

function bodyOf(known: Known, each: Step): Json {
  const body = good[each.id]?.(known, each);
  if (body === undefined || each.plan === 'good') return body;
  if (each.plan === 'anything' && each.raw !== null) return each.raw;
  const paths =
    each.plan === 'refused' ? (crucial[each.id] ?? []).map((path) => path.split('.')) : leaves(body);
  const path = paths[each.where % paths.length] ?? [];
  return put(body, path, each.plan === 'refused' ? (each.where % 2 ? '' : null) : each.junk);
}

function parameterOf(known: Known, each: Step): string {
  const { id, pick, plan } = each;
  if (plan === 'anything') return ['x', '%00', '%E0%A4%A', '..%2F', 'a'.repeat(3000)][pick % 5] ?? '';
  if (id === 'accounts.get') return plan === 'good' ? 'EUR' : 'eur';
  if (plan === 'refused' && row(id).method === 'GET') return NOTHING;
  if (id === 'transactions.payin') return target(known.collections, known.transactions, each);
  if (id === 'transactions.payout') return target(known.funded, known.transactions, each);
  if (id === 'payin_methods.retry') return known.failedPayins.at(-1) ?? NOTHING;
  if (id === 'payin_methods.edit') return known.payins.at(-1) ?? NOTHING;
  if (id === 'payin_methods.cancel') return target(known.payins, known.failedPayins, each);
  if (id === 'payout_methods.edit') return known.methods.at(-1) ?? NOTHING;
  if (id === 'recipients.edit') return known.recipients.at(-1) ?? NOTHING;
  const [kind = ''] = id.split('.');
  const lists: Partial<Record<string, string[]>> = {
    transactions: known.transactions,
    recipients: known.recipients,
    senders: known.senders,
    webhooks: known.webhooks,
    payin_methods: known.payins,
    payout_methods: known.methods.slice(0, -1),
    documents: known.documents,
    mandates: known.mandates,
    api_logs: known.logs,
    webhook_logs: known.webhookLogs,
  };
  return pickOf(lists[kind] ?? [], pick);
}

/** The newest one that the call is meant for, or any. */
function target(meant: string[], any: string[], { plan, pick }: Step): string {
  return (plan === 'good' ? meant.pop() : undefined) ?? pickOf(any, pick);
}

const ids = (list: Json): string[] => list.map((entry: Json) => entry.id);

function remember(known: Known, id: OperationId, object: Json): void {
  if (id === 'api_logs.list') known.logs = ids(object);
  if (id === 'webhook_logs.list') known.webhookLogs = [...known.webhookLogs, ...ids(object)];
  if (id === 'senders.create') known.senders.push(object.id);
  if (id === 'webhooks.create') known.webhooks.push(object.id);
  if (id === 'payout_methods.create') known.methods.push(object.id);
  if (id === 'documents.create') known.documents.push(object.id);
  if (!id.startsWith('transactions.create')) return;
  for (const { id: payinId, type } of object.payin_methods) {
    (type === 'XOF::Mobile' ? known.failedPayins : known.payins).push(payinId);
  }
  known.transactions.push(object.id);
  known.recipients.push(object.recipients[0].id);
  if (object.recipients[0].mandate_id) known.mandates.push(object.recipients[0].mandate_id);
  const group = object.payin_methods.length > 0 ? known.collections : known.unfunded;
  (id === 'transactions.create' ? group : known.funded).push(object.id);
}

async function take({ call, sandbox }: Bench, known: Known, each: Step): Promise<number> {
  const { method, path } = row(each.id);
  const target = path.replace(/\{\w+\}/, parameterOf(known, each));
  const reply = await call(
    method,
    target + (method === 'GET' ? (each.query ?? '') : ''),
    bodyOf(known, each),
  );
  expect(reply.status, `${each.id} ${reply.text.slice(0, 500)}`).not.toBe(500);
  if (reply.status < 300) remember(known, each.id, reply.body.object);
  if (each.advance > 0) await sandbox.advance(each.advance);
  return reply.status;
}

/** Something of each kind, so that later requests have what to name. */
const beforehand: Step[] = (
  [
    ['senders.create', 0],
    ['transactions.create', 0],
    ['transactions.create', 1],
    ['transactions.create', 4],
    ['transactions.create', 2],
    ['transactions.create_and_fund', 3],
    ['payout_methods.create', 1],
    ['payout_methods.create', 2],
    ['documents.create', 0],
    ['webhooks.create', 0],
    ['api_logs.list', 0],
    ['webhook_logs.list', 0],
  ] as const
).map(([id, pick]) => ({ id, pick, plan: 'good', where: 0, junk: null, raw: null, query: null, advance: 0 }));

test(`${RUNS * STEPS} generated requests are accepted or refused, never a 500`, async () => {
  const seen = new Map<string, Map<number, number>>();
  const totals = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const bench = await startBench();
      const known = nothingKnown();
      await bench.call('POST', '/webhooks', { webhook: { url: HOOK, events: eventNames } });
      for (const each of beforehand) await take(bench, known, each);
      for (const each of steps) {
        const status = await take(bench, known, each);
        const counts = seen.get(each.id) ?? new Map<number, number>();
        seen.set(each.id, counts.set(status, (counts.get(status) ?? 0) + 1));
        totals.set(status, (totals.get(status) ?? 0) + 1);
      }
      bench.sandbox.audit();
    }),
    { numRuns: RUNS, seed: 20260105, endOnFailure: true },
  );
  const share = (wanted: (status: number) => boolean) =>
    [...totals].filter(([status]) => wanted(status)).reduce((sum, [, count]) => sum + count, 0) /
    (RUNS * STEPS);
  expect(share((status) => status < 300)).toBeGreaterThanOrEqual(0.4);
  expect(share((status) => status === 422)).toBeGreaterThanOrEqual(0.3);
  for (const id of served) {
    const statuses = [...(seen.get(id)?.keys() ?? [])];
    expect(
      statuses.some((status) => status < 300),
      `${id} accepts`,
    ).toBe(true);
    const refusals = row(id).failures.filter((status) => status !== 400);
    if (refusals.length === 0) continue;
    expect(
      statuses.some((status) => (refusals as number[]).includes(status)),
      `${id} refuses`,
    ).toBe(true);
  }
});
