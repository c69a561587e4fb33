/** Our client over our transport, as the commands make it, listing balances in a loop. */
import { randomUUID } from 'node:crypto';
import { createClient } from '../src/client/client.ts';
import { createNetworkTransport } from '../src/client/network-transport.ts';
import { listAccounts } from '../src/contract/operations/accounts.ts';
import { seededRandom } from '../src/core/random.ts';
import { serveParent } from './support/children.ts';
import { closedLoop, type LoopQuestion } from './support/loop.ts';
import { credentials } from './support/signed.ts';

serveParent<{ url: string }, LoopQuestion>(async ({ url }) => {
  const { send } = await createNetworkTransport();
  const client = createClient({
    baseUrl: url,
    credentials,
    transport: send,
    clock: { now: () => Date.now() },
    random: seededRandom(1),
    nonce: randomUUID,
    sleep: () => Promise.resolve(),
  });
  return (question) => closedLoop(question, () => client.call(listAccounts));
});
