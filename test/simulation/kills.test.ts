/**
 * The built program, killed with SIGKILL while its request, or the answer to it, is on the way. The same command again is
 * refused, `remit history settle` finds out, and the ledger of the service shows one payment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { isLong, some } from '../support/long.ts';
import { type Hold, type Relay, startRelay } from '../support/relay.ts';
import { type Bench, credentials, type Json, payoutDetails, person, startBench } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/remit.js');

let bench: Bench;
let listening: Listening;
let relay: Relay;
let folder: string;
beforeEach(async () => {
  bench = await startBench();
  listening = await listen(bench.sandbox, { port: 0 });
  folder = temporaryFolder();
});
afterEach(async () => {
  await relay.close();
  await listening.close();
  await bench.sandbox.close();
});

const transaction: Json = {
  input_currency: 'EUR',
  sender: { external_id: 'customer-1', ...person },
  recipients: [
    {
      type: 'person',
      requested_amount: '100',
      requested_currency: 'EUR',
      payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456700') },
    },
  ],
};

const wallet = (): number => Number((bench.sandbox.control.state() as Json).balances.EUR);
const transactions = async (): Promise<Json[]> =>
  (await bench.call('GET', '/transactions?per=100')).body.object;

function start(args: readonly string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    REMIT_BASE_URL: `http://127.0.0.1:${relay.port}/v1`,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: folder,
  };
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function remit(...args: string[]): Promise<{ code: number; output: string }> {
  const child = start(args);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Killed as soon as the request or its answer is held; then what was held arrives after all, or never. */
async function kill(args: readonly string[], hold: Hold, then: 'it arrives' | 'it is lost'): Promise<void> {
  relay = await startRelay(listening.port, hold);
  const child = start(args);
  await Promise.race([
    relay.held,
    once(child, 'close').then(([code]) =>
      Promise.reject(new Error(`it ended with ${code} before it was killed`)),
    ),
  ]);
  child.kill('SIGKILL');
  await once(child, 'close');
  relay.open();
  if (then === 'it arrives') relay.release();
  await bench.sandbox.drain();
}

async function refusedThenSettled(
  args: readonly string[],
  { code, says } = { code: 0, says: 'applied' },
): Promise<void> {
  const again = await remit(...args);
  expect(again.code, again.output).toBe(9);
  const id = /remit history settle ([0-9a-f-]+)/.exec(again.output)?.[1];
  expect(id, again.output).toBeDefined();
  const settled = await remit('history', 'settle', id ?? '');
  expect(settled.code, settled.output).toBe(code);
  expect(settled.output).toContain(says);
}

async function existing(number = '0123456700'): Promise<{ id: string; recipientId: string }> {
  const body = structuredClone(transaction);
  body.external_id = 'invoice-1';
  body.recipients[0].payout_method.details.bank_account = number;
  const { object } = (await bench.call('POST', '/transactions', { transaction: body })).body;
  return { id: object.id, recipientId: object.recipients[0].id };
}

const pay = ['tx', 'create', '--fund', '--file', 'payment.json', '--max-input', '100'];
const paying = (at: Hold['at']): Hold => ({ request: 'POST /v1/accounts/debits', at });
const creating = (at: Hold['at']): Hold => ({ request: 'POST /v1/transactions ', at });

it.each([
  ['while the request is on its way, which never arrives', 'request', 'it is lost'],
  ['while the request is on its way, which arrives afterwards', 'request', 'it arrives'],
  ['when the service has done it and the answer is on its way', 'answer', 'it is lost'],
] as const)('remit tx create --fund, killed %s', async (_, at, then) => {
  writeFileSync(join(folder, 'payment.json'), JSON.stringify(transaction));
  const before = wallet();
  await kill(pay, paying(at), then);
  // What arrived is found by the same command; what did not has to be settled.
  if (at === 'request' && then === 'it is lost') await refusedThenSettled(pay);
  else expect((await remit(...pay)).code).toBe(0);
  expect(wallet()).toBe(before - 100);
  expect(await transactions()).toHaveLength(1);
});

const CREATIONS = [
  ['while the creation is on its way, which never arrives', 'request', 'it is lost'],
  ['while the creation is on its way, which arrives afterwards', 'request', 'it arrives'],
  ['when it is created and the answer is on its way', 'answer', 'it is lost'],
] as const;
it.each(some(CREATIONS, 1))(
  'remit tx create --fund, killed %s: settled it is not paid, the same again pays it',
  async (_, at, then) => {
    writeFileSync(join(folder, 'payment.json'), JSON.stringify(transaction));
    const before = wallet();
    await kill(pay, creating(at), then);
    await refusedThenSettled(pay, { code: 9, says: 'made, not paid' });
    expect(wallet()).toBe(before);
    const again = await remit(...pay);
    expect(again.code, again.output).toBe(0);
    expect(wallet()).toBe(before - 100);
    expect(await transactions()).toHaveLength(1);
  },
);

it('remit tx fund, killed while the request is on its way', async () => {
  const { id } = await existing();
  const before = wallet();
  const fund = ['tx', 'fund', id];
  await kill(fund, { request: 'POST /v1/accounts/debits', at: 'request' }, 'it is lost');
  expect(wallet()).toBe(before);
  await refusedThenSettled(fund);
  expect(wallet()).toBe(before - 100);
});

it.runIf(isLong)('remit recipient cancel, killed while the request is on its way', async () => {
  const { id, recipientId } = await existing();
  const cancel = ['recipient', 'cancel', recipientId, '--tx', id];
  await kill(cancel, { request: 'DELETE /v1/recipients/', at: 'request' }, 'it is lost');
  await refusedThenSettled(cancel);
  expect((await transactions())[0].state).toBe('canceled');
});
