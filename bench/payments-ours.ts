/** Payments by our client in a loop: alone, or under an intent of a journal in a file, as a partner's service makes them. */
import { randomUUID } from 'node:crypto';
import { createClient } from '../src/client/client.ts';
import { type CreateAsked, planCreate } from '../src/client/create-plan.ts';
import { record } from '../src/client/intents.ts';
import { createNetworkTransport } from '../src/client/network-transport.ts';
import { carryOut } from '../src/client/outcome.ts';
import { seededRandom } from '../src/core/random.ts';
import { openStore } from '../test/support/open-store.ts';
import { serveParent } from './support/children.ts';
import { closedLoop, type LoopQuestion } from './support/loop.ts';
import { credentials } from './support/signed.ts';

const clock = { now: () => Date.now() };
const random = seededRandom(1);

function payment(number: number): CreateAsked {
  const details = {
    first_name: 'Ada',
    last_name: 'Okafor',
    bank_code: '044',
    bank_account: String(number).padStart(10, '0'),
  };
  const recipient = {
    requested_amount: '12.50',
    requested_currency: 'EUR',
    payout_method: { type: 'NGN::Bank', details },
  };
  const sender = { external_id: 'customer-1' };
  const transaction = {
    external_id: `wages-${number}`,
    input_currency: 'EUR',
    sender,
    recipients: [recipient],
  };
  return { transaction, fund: true };
}

serveParent<{ url: string; journal?: string }, LoopQuestion>(async ({ url, journal }) => {
  const { send } = await createNetworkTransport({ connections: 64 });
  const client = createClient({
    baseUrl: url,
    credentials,
    transport: send,
    clock,
    random,
    nonce: randomUUID,
    sleep: () => Promise.resolve(),
  });
  const store = journal === undefined ? undefined : await openStore(journal, { clock, random });
  let made = 0;
  const meeting = {
    lastTold: Number.MAX_SAFE_INTEGER,
    now: () => clock.now(),
    isRunning: () => false,
    pause: async () => {},
  };
  const alone = async () => carryOut(planCreate(client, payment(made++)));
  const journalled = async () => {
    const asked = payment(made++);
    const { external_id: externalId } = asked.transaction;
    const about = {
      command: 'client transactions.create_and_fund',
      profile: 'service',
      environment: 'sandbox',
      baseUrl: url,
      keyLast4: '51ab',
      pid: process.pid,
      host: 'bench',
      externalId,
      summary: 'pay 12.50 EUR',
    };
    if (!store) throw new Error('there is no journal');
    return record(client, { intents: store.intents, about, asked: { plan: 'create', ...asked }, meeting });
  };
  const once = store ? journalled : alone;
  return Object.assign((question: LoopQuestion) => closedLoop(question, once), {
    close: async () => store?.close(),
  });
});
