/** The payments of a run without a run: by an undici Pool that signs, or by our client; no store, and nothing checked but the status. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { createClient } from '../src/client/client.ts';
import { createNetworkTransport } from '../src/client/network-transport.ts';
import { createAndFundTransaction } from '../src/contract/operations/transactions.ts';
import { seededRandom } from '../src/core/random.ts';
import { serveParent } from './support/children.ts';
import { closedLoop, type LoopQuestion } from './support/loop.ts';
import { IN_FLIGHT, paymentOf } from './support/payrun.ts';
import { pause } from './support/processor.ts';
import { bareSignature, credentials } from './support/signed.ts';

type Pay = (number: number) => Promise<unknown>;

function byPool(url: string): Pay {
  const target = `${url}/transactions/create_and_fund`;
  const { origin, pathname } = new URL(target);
  const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  return async (number) => {
    const nonce = randomUUID();
    const body = JSON.stringify({ transaction: paymentOf('bare', number) });
    const headers = {
      'Authorization-Key': credentials.key,
      'Authorization-Nonce': nonce,
      'Authorization-Signature': bareSignature(nonce, 'POST', target, body),
      Accept: 'application/json',
      'Content-Type': 'application/json',
    };
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
    if (answer.statusCode !== 201) throw new Error(`answered ${answer.statusCode}`);
    return answer.body.text();
  };
}

async function byClient(url: string): Promise<Pay> {
  const { send } = await createNetworkTransport({ connections: IN_FLIGHT });
  const client = createClient({
    baseUrl: url,
    credentials,
    transport: send,
    clock: { now: () => Date.now() },
    random: seededRandom(1),
    nonce: randomUUID,
    sleep: pause,
  });
  return (number) =>
    client.call(createAndFundTransaction, { body: { transaction: paymentOf('client', number) } });
}

serveParent<{ url: string; by: 'pool' | 'client' }, LoopQuestion>(async ({ url, by }) => {
  const pay = by === 'pool' ? byPool(url) : await byClient(url);
  let made = 0;
  return (question) => closedLoop(question, () => pay(made++));
});
