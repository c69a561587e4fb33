/**
 * Every command that writes at the service, as it is typed, each with an eye of its own on what became of it: signed requests of
 * the second client, which shares no code with the first, and the ledger of the sandbox.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, baseUrl, createBench, credentials, paymentFlags, senderFlags } from './cli.ts';
import type { Json } from './sandbox.ts';
import { secondClient } from './second-client.ts';

export interface Enterprise {
  bench: Bench;
  argv: string[];
  isApplied(): Promise<boolean>;
  /** Money that left the wallet, and things made, since the stage was set: throws where it is more than once. */
  audit(): Promise<void>;
  /** No intent is kept: it moves no money. */
  isPlain?: true;
  /** The price, for what pays. */
  price?: string;
}

const FUND = ['--fund', '--max-input', '20'];
const EUR = (bench: Bench): number => Number((bench.sandbox.control.state() as Json).balances.EUR);

interface Stage {
  bench: Bench;
  get(path: string): Promise<Json>;
  made(...argv: string[]): Promise<Json>;
  /** What left the wallet since now is nothing, or one of these; and no more transactions than one are made. */
  auditor(prices: readonly number[], transactions: number): () => Promise<void>;
}

async function stage(): Promise<Stage> {
  const bench = await createBench();
  const second = secondClient((request) => bench.sandbox.fetch(request), baseUrl, credentials);
  const get = async (path: string) => (await second.call('GET', path)).body.object;
  const made = async (...argv: string[]) => {
    const run = await bench.run([...argv, '-o', 'json']);
    if (run.code !== 0) throw new Error(`the stage: ${argv.join(' ')}: ${run.stderr}`);
    return run.data<Json>();
  };
  await made('sender', 'create', ...senderFlags('customer-1'));
  const auditor = (prices: readonly number[], transactions: number) => {
    const opening = EUR(bench);
    return async () => {
      bench.sandbox.audit();
      const spent = Number((opening - EUR(bench)).toFixed(2));
      if (!prices.includes(spent)) throw new Error(`${spent} left the wallet, allowed: ${prices.join(', ')}`);
      const all = await get('/transactions?per=100');
      if (all.length > transactions)
        throw new Error(`${transactions} was asked for, and ${all.length} transactions exist`);
    };
  };
  return { bench, get, made, auditor };
}

const PRICE = 14.99;

async function creating(
  rest: string[],
  { fund, raw = false }: { fund: boolean; raw?: boolean },
): Promise<Enterprise> {
  const s = await stage();
  const typed = ['tx', 'create', ...paymentFlags('customer-1'), ...(fund ? FUND : []), ...rest];
  const audit = s.auditor(fund ? [0, PRICE] : [0], 1);
  let argv = typed;
  if (raw) {
    const dry = await s.bench.run([...typed, '--dry-run', '-o', 'json']);
    const { body } = dry.data<{ body: object }>();
    argv = ['api', fund ? 'transactions.create_and_fund' : 'transactions.create', '-d', JSON.stringify(body)];
  }
  return {
    bench: s.bench,
    argv,
    audit,
    isApplied: async () => {
      const [one] = await s.get('/transactions?per=100');
      return one !== undefined && (!fund || Number(one.paid_amount) > 0);
    },
    ...(fund ? { price: String(PRICE) } : {}),
  };
}

async function funding(raw: boolean): Promise<Enterprise> {
  const s = await stage();
  const { id } = await s.made('tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1');
  const debit = JSON.stringify({ debit: { to_id: id, to_type: 'Transaction' } });
  return {
    bench: s.bench,
    argv: raw ? ['api', 'debits.create', '-d', debit] : ['tx', 'fund', id],
    isApplied: async () => Number((await s.get(`/transactions/${id}`)).paid_amount) > 0,
    audit: s.auditor([0, PRICE], 1),
    price: String(PRICE),
  };
}

/** Refused by the bank for its account number, so that it waits for a correction or a cancel. */
async function refused(): Promise<Stage & { id: string; recipientId: string }> {
  const s = await stage();
  const flags = [...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1', ...FUND];
  const { id } = await s.made('tx', 'create', ...flags);
  const { recipients } = await s.get(`/transactions/${id}`);
  return { ...s, id, recipientId: recipients[0].id };
}

async function editing(): Promise<Enterprise> {
  const s = await refused();
  const account = async () =>
    (await s.get(`/transactions/${s.id}`)).recipients[0].payout_method.details.bank_account;
  return {
    bench: s.bench,
    argv: [
      ...['recipient', 'edit', s.recipientId, '--tx', s.id],
      ...['--detail', 'bank_account=0123456700', '--skip-validation'],
    ],
    isApplied: async () => (await account()) === '0123456700',
    audit: s.auditor([0], 1),
  };
}

async function cancelling(words: 'recipient' | 'tx'): Promise<Enterprise> {
  const s = await refused();
  const audit = s.auditor([0, -PRICE], 1);
  return {
    bench: s.bench,
    argv: words === 'tx' ? ['tx', 'cancel', s.id] : ['recipient', 'cancel', s.recipientId, '--tx', s.id],
    isApplied: async () =>
      ['canceled', 'refunded'].includes((await s.get(`/transactions/${s.id}`)).recipients[0].state),
    audit,
  };
}

const ACCOUNT = ['first_name=Ada', 'last_name=Obi', 'bank_code=044', 'bank_account=0123456700'];
const details = (flag: string, pairs: readonly string[]) => pairs.flatMap((pair) => [flag, pair]);

async function method(kind: 'create' | 'edit' | 'disable'): Promise<Enterprise> {
  const s = await stage();
  const create = ['payout-method', 'create', '--type', 'NGN::Bank', ...details('--detail', ACCOUNT)];
  const audit = s.auditor([0], 0);
  if (kind === 'create')
    return {
      bench: s.bench,
      argv: create,
      isPlain: true,
      isApplied: async () => (await s.get('/payout_methods')).length > 0,
      async audit() {
        await audit();
        if ((await s.get('/payout_methods')).length > 1) throw new Error('it is stored twice');
      },
    };
  const { id } = await s.made(...create);
  const read = () => s.get(`/payout_methods/${id}`);
  return {
    bench: s.bench,
    argv:
      kind === 'edit'
        ? ['payout-method', 'edit', id, '--detail', 'bank_account=0123456711']
        : ['payout-method', 'disable', id],
    ...(kind === 'disable' ? { isPlain: true as const } : {}),
    isApplied: async () =>
      kind === 'edit'
        ? (await read()).details.bank_account === '0123456711'
        : (await read()).state === 'disabled',
    audit,
  };
}

/** A collection that waits for its customer, or one that failed and can be tried again. */
async function payin(kind: 'edit' | 'retry' | 'cancel'): Promise<Enterprise> {
  const s = await stage();
  const failed = kind === 'retry';
  const phone = failed ? '+2250700000009' : '+233302123400';
  const { payin_methods: payins } = await s.made(
    ...['tx', 'create', '--payin', failed ? 'XOF::Mobile' : 'GHS::Mobile', '--payin-flow', 'ussd_popup'],
    ...['--amount', failed ? '5000' : '50', '--type', failed ? 'XOF::Balance' : 'GHS::Balance'],
    ...['--detail', 'reference=order-17', '--sender', 'customer-1', '--external-id', 'order-17'],
    ...details('--payin-detail', [`phone_number=${phone}`, 'mobile_provider=mtn']),
    ...(failed ? ['--payin-detail', 'country=CI'] : []),
  );
  await s.bench.sandbox.drain();
  const { id } = payins[0];
  const read = () => s.get(`/payin_methods/${id}`);
  const before = (await read()).state;
  const typed = {
    edit: ['payin-method', 'edit', id, '--detail', 'phone_number=+233302123411'],
    retry: ['payin-method', 'retry', id],
    cancel: ['payin-method', 'cancel', id],
  };
  const wasTaken = async () => {
    const logs = await s.get('/api_logs?per=100');
    return logs.some(
      (log: Json) =>
        String(log.request_url ?? log.url ?? '').endsWith('/retry') && Number(log.response_status) === 200,
    );
  };
  return {
    bench: s.bench,
    argv: typed[kind],
    isApplied: async () => {
      const now = await read();
      if (kind === 'edit') return now.in_details.phone_number === '+233302123411';
      if (kind === 'cancel') return ['canceled', 'refunded'].includes(now.state);
      return now.state !== before || (await wasTaken());
    },
    audit: s.auditor([0], 1),
  };
}

async function sender(kind: 'create' | 'edit' | 'disable'): Promise<Enterprise> {
  const s = await stage();
  const argv = {
    create: ['sender', 'create', ...senderFlags('customer-2')],
    edit: ['sender', 'edit', 'customer-1', '--email', 'ines.marques@example.com'],
    disable: ['sender', 'disable', 'customer-1'],
  };
  const named = async (externalId: string) => (await s.get(`/senders?external_id=${externalId}`))[0];
  const audit = s.auditor([0], 0);
  return {
    bench: s.bench,
    argv: argv[kind],
    isPlain: true,
    isApplied: async () => {
      if (kind === 'create') return (await named('customer-2')) !== undefined;
      const now = await named('customer-1');
      return kind === 'edit' ? now.email === 'ines.marques@example.com' : now.state === 'disabled';
    },
    async audit() {
      await audit();
      if ((await s.get('/senders?per=100')).length > 2) throw new Error('it was made twice');
    },
  };
}

async function document(): Promise<Enterprise> {
  const s = await stage();
  writeFileSync(join(s.bench.dir, 'passport.jpg'), Buffer.from('ffd8ffe000104a46494600', 'hex'));
  return {
    bench: s.bench,
    argv: ['document', 'create', '--file', 'passport.jpg', '--type', 'passport'],
    isPlain: true,
    isApplied: async () => (await s.get('/documents')).length > 0,
    async audit() {
      if ((await s.get('/documents')).length > 1) throw new Error('it was uploaded twice');
    },
  };
}

async function webhook(kind: 'add' | 'remove'): Promise<Enterprise> {
  const s = await stage();
  const url = 'http://127.0.0.1:9/hooks';
  const endpoint = kind === 'remove' ? await s.made('webhooks', 'add', url) : undefined;
  const count = async () => (await s.get('/webhooks')).length;
  return {
    bench: s.bench,
    argv: kind === 'add' ? ['webhooks', 'add', url] : ['webhooks', 'remove', endpoint.id],
    isPlain: true,
    isApplied: async () => (await count()) === (kind === 'add' ? 1 : 0),
    async audit() {
      if ((await count()) > 1) throw new Error('it was registered twice');
    },
  };
}

const named = () => ['--external-id', `wages-${randomUUID().slice(0, 8)}`];

export const enterprises: Readonly<Record<string, () => Promise<Enterprise>>> = {
  'tx create': () => creating([], { fund: false }),
  'tx create --external-id': () => creating(named(), { fund: false }),
  'tx create --fund': () => creating([], { fund: true }),
  'tx create --fund --external-id': () => creating(named(), { fund: true }),
  'tx fund': () => funding(false),
  'recipient edit': editing,
  'recipient cancel': () => cancelling('recipient'),
  'tx cancel': () => cancelling('tx'),
  'api transactions.create': () => creating(named(), { fund: false, raw: true }),
  'api transactions.create_and_fund': () => creating(named(), { fund: true, raw: true }),
  'api debits.create': () => funding(true),
  'payout-method edit': () => method('edit'),
  'payin-method edit': () => payin('edit'),
  'payin-method retry': () => payin('retry'),
  'payin-method cancel': () => payin('cancel'),
  'payout-method create': () => method('create'),
  'payout-method disable': () => method('disable'),
  'sender create': () => sender('create'),
  'sender edit': () => sender('edit'),
  'sender disable': () => sender('disable'),
  'document create': document,
  'webhooks add': () => webhook('add'),
  'webhooks remove': () => webhook('remove'),
};
