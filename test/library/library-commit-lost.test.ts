/** `remit-cli/client` with its intents in PostgreSQL: whatever becomes of a COMMIT, the loops of docs/library.md pay once. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPartnerClient, postgresIntents } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { ownDatabase } from '../support/one-postgres.ts';
import { isBouncerHere, startBouncer } from '../support/pgbouncer.ts';
import { openPool, type PostgresDatabase } from '../support/postgres.ts';
import { type Losing, type Loss, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { paymentBody } from '../support/sandbox.ts';

let server: PostgresDatabase;
let proxy: PostgresProxy;
let sandbox: Sandbox;
let pool: pg.Pool;
let client: Public.PartnerClient;
let sent: string[] = [];
/** What one payment takes. */
let cost = 0;

const payment = (externalId: string): Public.NamedTransaction =>
  paymentBody(externalId, undefined, { sender: samplePerson }).transaction;
const balance = async (): Promise<number> => Number((await client.accounts.get('EUR')).amount);
const paid = async (externalId: string): Promise<number> =>
  (await client.transactions.list({ external_id: externalId }).page(1)).items.length;

function clientOver(over: pg.Pool): Public.PartnerClient {
  const { url: baseUrl, key, secret } = sandbox;
  const onExchange = ({ call }: Public.Exchange) => {
    if (call.effect !== 'read') sent.push(call.operation);
  };
  const logger = { debug() {}, warn() {} };
  const intents = postgresIntents(over);
  return createPartnerClient({ baseUrl, key, secret, intents, onExchange, logger });
}

beforeAll(async () => {
  server = await ownDatabase();
  proxy = await startPostgresProxy(server.url);
  sandbox = await startSandbox({ port: 0, balances: { EUR: '10000' } });
  pool = openPool(proxy);
  await postgresIntents(pool).prepare();
  client = clientOver(pool);
  const before = await balance();
  await client.transactions.createAndFund(payment('warm'));
  cost = before - (await balance());
});
afterAll(async () => {
  await client.close();
  await pool.end();
  await proxy.close();
  await sandbox.close();
  await server.stop();
});

/** As docs/library.md has it. */
async function settleAll(by = client): Promise<string[]> {
  const settled: string[] = [];
  for (const intent of await by.unsettled()) {
    if (intent.underWay) continue;
    settled.push((await by.settle(intent)).outcome);
  }
  return settled;
}

/** Pays; where that throws, tries again later. */
async function payOnce(externalId: string, by = client): Promise<string> {
  for (;;) {
    try {
      return (await by.transactions.createAndFund(payment(externalId))).outcome;
    } catch {
      proxy.calm();
    }
  }
}

interface Case {
  loss: Loss;
  losing?: Losing;
  /** What the call comes to: an outcome, or that it throws. */
  ends: 'applied' | 'unknown' | 'throws';
  /** What it sent. */
  sends: number;
  /** What the loop over what is unsettled finds afterwards. */
  settles: string[];
}

const CLOSING = /^UPDATE remit_intents\s+SET state/;
const cases: [string, Case][] = [
  ['the server did not get it', { loss: 'statement', ends: 'throws', sends: 0, settles: [] }],
  ['its answer is lost', { loss: 'answer', ends: 'applied', sends: 1, settles: [] }],
  ['it is in progress for a while', { loss: 'late', ends: 'applied', sends: 1, settles: [] }],
  [
    'its answer is lost, and nobody can ask',
    { loss: 'answer', losing: { away: true }, ends: 'unknown', sends: 0, settles: ['applied'] },
  ],
  [
    'the server did not get it, and nobody can ask',
    { loss: 'statement', losing: { away: true }, ends: 'unknown', sends: 0, settles: [] },
  ],
  [
    'the answer to the closing is lost',
    { loss: 'answer', losing: { statement: CLOSING }, ends: 'applied', sends: 1, settles: [] },
  ],
  [
    'the closing is lost, and the server is away',
    {
      loss: 'statement',
      losing: { statement: CLOSING, away: true },
      ends: 'applied',
      sends: 1,
      settles: ['applied'],
    },
  ],
];

describe.each([
  ['what is unsettled is settled, and the same call made again', true],
  ['the same call is made again', false],
] as const)('%s', (_how, settles) => {
  it.each(cases)('%s', async (name, { loss, losing, ends, sends, settles: settled }) => {
    const externalId = `${settles} ${name}`;
    const before = await balance();
    sent = [];
    proxy.lose(loss, losing);
    const made = await client.transactions.createAndFund(payment(externalId)).then(
      (one) => one,
      () => undefined,
    );
    expect(proxy.calm()).toBe(true);
    expect(made?.outcome ?? 'throws').toBe(ends);
    expect(sent).toHaveLength(sends);
    if (ends === 'unknown') expect(made).toMatchObject({ intent: { state: 'open', externalId } });
    if (ends === 'throws') expect(await client.unsettled()).toEqual([]);
    if (settles) expect(await settleAll()).toEqual(settled);
    expect(await payOnce(externalId)).toBe('applied');
    expect(await client.unsettled()).toEqual([]);
    expect([await paid(externalId), before - (await balance())]).toEqual([1, cost]);
  });
});

it('the loop goes on where the store is away when it throws', async () => {
  const before = await balance();
  proxy.lose('statement', { statement: /^BEGIN/, away: true });
  expect(await payOnce('away at the beginning')).toBe('applied');
  expect([await paid('away at the beginning'), before - (await balance())]).toEqual([1, cost]);
});

it.runIf(isBouncerHere)('through a PgBouncer in transaction mode', async () => {
  const bouncer = await startBouncer(server.url);
  const before = await startPostgresProxy(bouncer.url);
  const over = openPool(before);
  const through = clientOver(over);
  await through.transactions.createAndFund(payment('warm through a bouncer'));
  before.lose('answer');
  sent = [];
  const made = await through.transactions.createAndFund(payment('through a bouncer'));
  expect(before.calm()).toBe(true);
  expect([made.outcome, sent.length, await paid('through a bouncer')]).toEqual(['applied', 1, 1]);
  await through.close();
  await over.end();
  await before.close();
  await bouncer.stop();
});
