/** Pays a list of wages once, whatever becomes of this process, and checks itself against the balance. */
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createPartnerClient, type NamedTransaction, sqliteIntents } from 'remit-cli/client';
import { memoryNonces, nodeWebhookHandler } from 'remit-cli/webhooks';

const { BASE_URL = '', KEY = '', SECRET = '', HOOK = '', OPENING = '' } = process.env;
const wages: NamedTransaction[] = JSON.parse(readFileSync('wages.json', 'utf8'));
const intents = sqliteIntents('payments.db');
const client = createPartnerClient({ baseUrl: BASE_URL, key: KEY, secret: SECRET, intents, name: 'wages' });
const cents = (amount: string | null | undefined) => {
  const [whole = '0', part = ''] = (amount ?? '0').split('.');
  return BigInt(whole + part.padEnd(2, '0'));
};
const paid = new Set<string>();
const news = new EventEmitter();
const handler = nodeWebhookHandler({
  url: HOOK,
  key: KEY,
  secret: SECRET,
  nonces: memoryNonces({ keep: 'all' }),
  onEvent(event) {
    if (event.event === 'transaction.paid_out') paid.add(event.object.external_id ?? '');
    news.emit('event');
  },
});
const hook = createServer(handler).listen(Number(new URL(HOOK).port));

// What an earlier run left behind comes first.
for (const intent of await client.unsettled()) {
  const { outcome } = await client.settle(intent);
  console.log(`settled ${intent.externalId}: ${outcome}`);
}
for (const wage of wages) {
  const first = await client.transactions.createAndFund(wage);
  const made = first.outcome === 'unknown' ? await client.settle(first.intent) : first;
  if (made.outcome !== 'applied') throw new Error(`${wage.external_id} is ${made.outcome}: ${made.why}`);
  if (made.how === 'answered')
    while (!paid.has(wage.external_id)) await once(news, 'event', { signal: AbortSignal.timeout(60_000) });
  console.log(`${wage.external_id}: ${made.how}, ${paid.has(wage.external_id) ? 'heard of' : 'looked up'}`);
}

let cost = 0n;
for (const { external_id } of wages)
  for await (const found of client.transactions.list({ external_id })) cost += cents(found.input_amount);
const { amount } = await client.accounts.get('EUR');
console.log(cents(OPENING) - cost === cents(amount) ? 'the balance agrees' : `the balance is ${amount}`);
hook.close();
await client.close();
await intents.end();
