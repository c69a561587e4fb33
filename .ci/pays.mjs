// The built libraries on the Node that runs this, as ES modules and as CommonJS: a payment on a sandbox, its journal in a file.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'remit-pays-'));
const details = { first_name: 'Chidi', last_name: 'Eze', bank_code: '044', bank_account: '0123456700' };
const method = { type: 'NGN::Bank', details };
const sender = {
  type: 'person',
  first_name: 'Ada',
  last_name: 'Okafor',
  country: 'DE',
  phone_number: '+4915112345678',
  email: 'ada@example.com',
  street: 'Hauptstrasse 1',
  city: 'Berlin',
  postal_code: '10115',
  birth_date: '1990-02-03',
  ip: '192.0.2.10',
};

for (const [kind, load] of [
  ['module', (name) => import(name)],
  ['commonjs', async (name) => require(name)],
]) {
  const { createPartnerClient, sqliteIntents } = await load('remit-cli/client');
  const { startSandbox } = await load('remit-cli/sandbox');
  const { signRequest } = await load('remit-cli/edge');
  const sandbox = await startSandbox({ port: 0, settings: { strict_senders: false } });
  const { url: baseUrl, key, secret } = sandbox;
  const intents = sqliteIntents(join(folder, `${kind}.db`));
  const client = createPartnerClient({ baseUrl, key, secret, intents });
  const recipients = [{ requested_amount: '25.50', requested_currency: 'EUR', payout_method: method }];
  const payment = { external_id: 'wages-1', input_currency: 'EUR', sender, recipients };
  const made = await client.transactions.createAndFund(payment);
  assert.equal(made.outcome, 'applied', made.why);
  assert.equal((await client.transactions.createAndFund(payment)).how, 'earlier');
  const url = `${baseUrl}/accounts`;
  const headers = await signRequest({ key, secret, method: 'GET', url });
  assert.equal((await fetch(url, { headers })).status, 200);
  await client.close();
  await intents.end();
  await sandbox.close();
  console.log(`${process.version}, ${kind}: paid`);
}
rmSync(folder, { recursive: true, force: true });
