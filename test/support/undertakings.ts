/**
 * The money-moving writes as a partner undertakes them, each with an auditor that shares no code with the client: it asks
 * the sandbox over signed requests of its own, and reads its ledger.
 */
import type { AskedWrite } from '../../src/client/writes.ts';
import { sub } from '../../src/core/money.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Bench, type Json, payoutDetails, person, startBench } from './sandbox.ts';

export interface Undertaking {
  bench: Bench;
  asked: AskedWrite;
  /** What the digest is made of: the same command again has the same. */
  identity: unknown;
  /** Whether it stands in the service now. */
  isApplied(): Promise<boolean>;
  /** What stands differs from what was asked. */
  differs(): Promise<boolean>;
  /** Throws where money left more than once, or two transactions have one external id. */
  audit(): Promise<void>;
  /** What else may happen meanwhile, by name. */
  meanwhile: Record<string, () => Promise<unknown>>;
}

const CURRENCY = 'EUR';

const payment = (number: string, externalId = 'invoice-17'): Json => ({
  input_currency: CURRENCY,
  external_id: externalId,
  sender: { external_id: 'customer-1', ...person },
  recipients: [
    {
      type: 'person',
      requested_amount: '100.00',
      requested_currency: CURRENCY,
      payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', number) },
    },
  ],
});

interface Stage {
  bench: Bench;
  opening: string;
  wallet(): string;
  all(): Promise<Json[]>;
  read(id: string): Promise<Json>;
}

async function stage(options: Partial<SandboxOptions> = {}): Promise<Stage> {
  const bench = await startBench(options);
  const wallet = () => (bench.sandbox.control.state() as Json).balances[CURRENCY] as string;
  const get = async (path: string) => (await bench.call('GET', path)).body.object;
  return {
    bench,
    opening: wallet(),
    wallet,
    all: () => get('/transactions?per=100'),
    read: (id) => get(`/transactions/${id}`),
  };
}

/** Money that left the wallet since the opening is nothing, or the price once. */
async function auditMoney({ bench, opening, wallet, all }: Stage, prices: readonly string[]): Promise<void> {
  bench.sandbox.audit();
  const spent = Number(sub(opening, wallet()));
  if (!prices.map(Number).includes(spent))
    throw new Error(`${spent} left the wallet, allowed: ${prices.join(', ')}`);
  const ids = (await all()).map(({ external_id }) => external_id);
  if (new Set(ids).size !== ids.length)
    throw new Error(`one external id has two transactions: ${ids.join(', ')}`);
  if (ids.length > 1) throw new Error(`one payment was asked for, and ${ids.length} transactions exist`);
}

const hour = 61 * 60_000;

async function create(fund: boolean, madeId: boolean, balance?: string): Promise<Undertaking> {
  const s = await stage(balance === undefined ? {} : { balances: { [CURRENCY]: balance } });
  const transaction = payment('0123456700', madeId ? 'remit-made-1' : 'invoice-17');
  const { external_id: _, ...withoutId } = transaction;
  const found = async () =>
    (await s.all()).find(({ external_id }) => external_id === transaction.external_id);
  const isApplied = async () => {
    const record = await found();
    return record !== undefined && (!fund || Number(record.paid_amount) > 0);
  };
  const account = (record: Json) => record?.recipients[0].payout_method.details.bank_account;
  return {
    bench: s.bench,
    asked: { plan: 'create', transaction, fund, madeId },
    identity: madeId ? withoutId : transaction,
    isApplied,
    async differs() {
      const record = await found();
      // What has the id that we made is ours, whatever was edited since.
      if (record === undefined || madeId) return false;
      return account(record) !== '0123456700' || Number(record.recipients[0].requested_amount) !== 100;
    },
    audit: () => auditMoney(s, fund ? ['0', '100'] : ['0']),
    meanwhile: {
      'an hour passes': () => s.bench.sandbox.advance(hour),
      'its recipient is edited': async () => {
        const record = await found();
        if (record) await edit(s.bench, record.recipients[0].id, '0123456799');
      },
      'its recipient is cancelled': async () => {
        const record = await found();
        if (record) await s.bench.call('DELETE', `/recipients/${record.recipients[0].id}`);
      },
      'the same is created, and not funded': () => s.bench.call('POST', '/transactions', { transaction }),
      'the same is created, and left to expire': async () => {
        await s.bench.call('POST', '/transactions', { transaction });
        await s.bench.sandbox.advance(hour);
      },
      'another payment takes its external id': async () => {
        const other = payment('0123456700');
        other.recipients[0].requested_amount = '70.00';
        if (!madeId) await s.bench.call('POST', '/transactions', { transaction: other });
      },
    },
  };
}

const edit = (bench: Bench, id: string, number: string) =>
  bench.call('PATCH', `/recipients/${id}`, {
    recipient: { payout_method: { details: { bank_account: number } } },
  });

async function withTransaction(number: string, funded: boolean): Promise<Stage & { transaction: Json }> {
  const s = await stage();
  const path = funded ? '/transactions/create_and_fund' : '/transactions';
  const { body } = await s.bench.call('POST', path, { transaction: payment(number) });
  await s.bench.sandbox.drain();
  return { ...s, transaction: body.object };
}

async function debit(): Promise<Undertaking> {
  const s = await withTransaction('0123456700', false);
  const { id, input_amount, input_currency, recipients } = s.transaction;
  const asked = {
    to_id: id,
    to_type: 'Transaction' as const,
    amount: String(input_amount),
    currency: input_currency,
  };
  return {
    bench: s.bench,
    asked: { plan: 'debit', debit: asked },
    identity: asked,
    isApplied: async () => Number((await s.read(id)).paid_amount) > 0,
    differs: async () => false,
    audit: () => auditMoney(s, ['0', '100']),
    meanwhile: {
      'an hour passes': () => s.bench.sandbox.advance(hour),
      'somebody else funds it': () => s.bench.call('POST', '/accounts/debits', { debit: asked }),
      'its recipient is cancelled': () => s.bench.call('DELETE', `/recipients/${recipients[0].id}`),
    },
  };
}

const NEW_ACCOUNT = '0123456700';

/** Before funding, or after the bank refused the first account. */
async function editing(funded: boolean): Promise<Undertaking> {
  const old = '0123456719';
  const s = await withTransaction(old, funded);
  const { id, recipients } = s.transaction;
  const recipientId = recipients[0].id;
  let corrected = false;
  const account = async () => (await s.read(id)).recipients[0].payout_method.details.bank_account;
  return {
    bench: s.bench,
    asked: {
      plan: 'edit',
      recipientId,
      transactionId: id,
      recipient: { payout_method: { details: { bank_account: NEW_ACCOUNT } } },
      before: { bank_account: old },
    },
    identity: { recipientId, bank_account: NEW_ACCOUNT },
    // Once somebody corrected it otherwise, the old wish must not come back by itself.
    isApplied: async () => !corrected && (await account()) === NEW_ACCOUNT,
    differs: async () => ![old, NEW_ACCOUNT].includes(await account()),
    audit: () => auditMoney(s, funded ? ['0', '100'] : ['0']),
    meanwhile: {
      'an hour passes': () => s.bench.sandbox.advance(hour),
      'somebody corrects it otherwise': async () => {
        corrected = (await edit(s.bench, recipientId, '0123456708')).status === 200;
      },
      'it is cancelled': () => s.bench.call('DELETE', `/recipients/${recipientId}`),
    },
  };
}

/** Of a payout not funded yet, refused by the bank, or on its way: there the request alone can be taken. */
async function cancelling(number: string, funded: boolean): Promise<Undertaking> {
  const s = await withTransaction(number, funded);
  const { id, recipients } = s.transaction;
  const recipientId = recipients[0].id;
  const asked = { recipientId, transactionId: id };
  const state = async () => (await s.read(id)).recipients[0].state;
  const wasTaken = async () => {
    const logs = (await s.bench.call('GET', '/api_logs?per=100')).body.object;
    return logs.some((log: Json) => log.request_method === 'DELETE' && Number(log.response_status) === 200);
  };
  return {
    bench: s.bench,
    asked: { plan: 'cancel', ...asked },
    identity: asked,
    isApplied: async () =>
      ['canceled', 'refunded'].includes(await state()) ||
      ((await state()) === 'pending' && (await wasTaken())),
    differs: async () => false,
    audit: () => auditMoney(s, funded ? ['0', '100'] : ['0']),
    meanwhile: {
      'an hour passes': () => s.bench.sandbox.advance(hour),
      'it is paid': () => s.bench.call('POST', `/transactions/${id}/payout`),
    },
  };
}

export const undertakings: Readonly<Record<string, () => Promise<Undertaking>>> = {
  'create with an external id': () => create(false, false),
  'create with an id that we made': () => create(false, true),
  'create and fund with an external id': () => create(true, false),
  'create and fund with an id that we made': () => create(true, true),
  'create and fund, with money for one only': () => create(true, true, '100.00'),
  debit,
  'edit before funding': () => editing(false),
  'edit after the bank refused': () => editing(true),
  'cancel before funding': () => cancelling('0123456719', false),
  'cancel after the bank refused': () => cancelling('0123456719', true),
  'cancel on its way': () => cancelling('0123456701', true),
};
