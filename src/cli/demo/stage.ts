/** The stage of the demo: the sandbox on a free port, a listener of ours, and the same client that a partner uses. */
import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '../../client/client.ts';
import { createNetworkTransport } from '../../client/network-transport.ts';
import { eventNames } from '../../contract/events.ts';
import { createWebhook, deleteWebhook } from '../../contract/operations/webhooks.ts';
import { diagnose } from '../../contract/signatures/diagnose.ts';
import type { Intents } from '../../core/ports/intents.ts';
import { createListener } from '../../desk/webhooks/listener.ts';
import { listen } from '../../sandbox/http/listen.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import type { BreakableRule } from '../../sandbox/settings.ts';
import { memoryLocalStore } from '../../store/local-memory.ts';
import { openSqliteInbox } from '../../store/sqlite-inbox.ts';
import type { World } from '../world.ts';
import { Mailbox } from './mailbox.ts';

export interface DemoStage {
  client: Client;
  /** Moves the sandbox's clock. */
  advance(ms: number): Promise<void>;
  intents: Intents;
  mailbox: Mailbox;
  baseUrl: string;
  listenerUrl: string;
  webhookId: string;
  key: string;
  close(): Promise<void>;
}

export async function setStage(world: World, breakRule: readonly BreakableRule[]): Promise<DemoStage> {
  const network = await createNetworkTransport();
  const credentials = {
    key: `demo-${randomBytes(4).toString('hex')}`,
    secret: randomBytes(24).toString('hex'),
  };
  const sandbox = await createSandbox({
    credentials,
    clock: { mode: 'standing', start: world.clock.now() },
    transport: network.send,
    seed: 'demo',
    breakRule,
  });
  const service = await listen(sandbox, { port: 0 });
  const store = memoryLocalStore({ clock: world.clock, random: world.random });
  const mailbox = new Mailbox();
  const inbox = await openSqliteInbox(':memory:', { ...world, account: 'demo' });
  const receiver = createListener({
    clock: world.clock,
    random: world.random,
    owner: 'demo',
    inbox,
    secrets: [credentials],
    wanted: () => true,
    trustProxy: false,
    examine: (request) => diagnose(request, { credentials }),
    onTold: (told) => mailbox.take(told),
    onEnded: () => undefined,
    onError: (error) => mailbox.fail(error),
  });
  const listener = await receiver.listen(0);
  const clientAt = (baseUrl: string): Client =>
    createClient({
      baseUrl,
      credentials,
      transport: network.send,
      clock: world.clock,
      random: world.random,
      nonce: world.newId,
      sleep: world.sleep,
    });
  const client = clientAt(service.url);
  const listenerUrl = `${listener.url}/`;
  const registered = await client.call(createWebhook, {
    body: { webhook: { url: listenerUrl, events: [...eventNames], metadata: {} } },
  });
  const webhookId = registered.object.id ?? '';
  return {
    client,
    advance: (ms) => sandbox.advance(ms),
    intents: store.intents,
    mailbox,
    baseUrl: service.url,
    listenerUrl,
    webhookId,
    key: credentials.key,
    async close() {
      await client.call(deleteWebhook, { path: { webhook_id: webhookId } });
      await receiver.close(0);
      await inbox.close();
      await service.close();
      await sandbox.close();
      await network.close();
    },
  };
}
