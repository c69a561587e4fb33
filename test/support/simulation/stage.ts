/** A sandbox in memory under watch: its client's requests and its webhooks pass the auditor. */

import { type Client, createClient } from '../../../src/client/client.ts';
import type { ControlId } from '../../../src/contract/controls/index.ts';
import { createWebhook, listWebhookEvents } from '../../../src/contract/operations/webhooks.ts';
import { headerValue } from '../../../src/contract/signed-text.ts';
import { verify } from '../../../src/contract/signing.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { type Transport, TransportError } from '../../../src/core/transport.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { type FaultPlan, faultyTransport } from '../faults.ts';
import { memoryTransport } from '../memory-transport.ts';
import { credentials, HOOK, HOST } from '../sandbox.ts';
import { Auditor } from './auditor.ts';
import type { Bug } from './bugs.ts';
import type { Json } from './look.ts';
import { Weather } from './weather.ts';

const BALANCES = {
  EUR: '2000000.00',
  GBP: '2000000.00',
  GHS: '500000.00',
  NGN: '50000000',
  USD: '9000.00',
  XOF: '25000000',
};

export interface Stage {
  sandbox: Sandbox;
  auditor: Auditor;
  weather: Weather;
  /** A client over a network that has these faults, and what makes everything that is late arrive. */
  connect(plan: FaultPlan): { client: Client; release: () => Promise<void> };
  /** What the operator and the providers do. */
  control(control: ControlId, id: string, body: Json): Promise<boolean>;
  close(): Promise<void>;
}

export async function openStage(seed: number | string, bug?: Bug): Promise<Stage> {
  const receiver: { heard: (event: string, object: Json) => void; count: number } = {
    heard: () => {},
    count: 0,
  };
  const options: SandboxOptions = {
    credentials,
    seed,
    balances: BALANCES,
    sleep: async () => undefined,
    transport: receiving(receiver),
    ...bug?.options,
  };
  const mend = bug?.breaks?.() ?? (() => {});
  const sandbox = await createSandbox(options);
  bug?.opened?.(sandbox);
  const auditor = new Auditor(sandbox);
  receiver.heard = (event, object) => auditor.witness.heard(event, object);
  await auditor.begin();
  const wire = bug?.wire ?? ((send) => send);
  const watched = auditor.witness.watch(wire(unbroken(memoryTransport(sandbox.fetch))));
  const stage = stageOf(sandbox, auditor, watched);
  const { client } = stage.connect(new Map());
  const events = (await client.call(listWebhookEvents)).object.filter(
    (name) => !name.startsWith('transaction_request'),
  );
  await client.call(createWebhook, { body: { webhook: { url: HOOK, events } } });
  return {
    ...stage,
    async close() {
      mend();
      await sandbox.close();
    },
  };
}

function stageOf(sandbox: Sandbox, auditor: Auditor, watched: Transport): Omit<Stage, 'close'> {
  let nonces = 0;
  return {
    sandbox,
    auditor,
    weather: new Weather(sandbox),
    connect(plan) {
      const network = faultyTransport(watched, plan);
      const client = createClient({
        baseUrl: `http://${HOST}/v1`,
        credentials,
        transport: network.send,
        clock: { now: () => sandbox.clock.now() },
        random: seededRandom(7),
        nonce: () => `partner-${nonces++}`,
        sleep: async () => undefined,
        retries: { tries: 3, firstDelayMs: 1 },
      });
      return { client, release: () => network.release('settling') };
    },
    async control(control, id, body) {
      auditor.witness.touch(id);
      return (await sandbox.control.ask(control, { id, body })).kind === 'done';
    },
  };
}

/** What a broken connection is to a client. */
function unbroken(send: Transport): Transport {
  return async (request) => {
    try {
      return await send(request);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code === 'ECONNREFUSED') throw new TransportError('not_sent', code, 'connection refused');
      if (code === 'ECONNRESET') throw new TransportError('may_have_arrived', code, 'connection reset');
      throw error;
    }
  };
}

/** Refuses what is not signed as it should be, and every fiftieth for no reason. */
function receiving(receiver: { heard: (event: string, object: Json) => void; count: number }): Transport {
  return async ({ method, url, body, headers }) => {
    receiver.count += 1;
    const nonce = headerValue(headers, 'authorization-nonce') ?? '';
    const signature = headerValue(headers, 'authorization-signature') ?? '';
    const isOurs = verify(credentials.secret, { nonce, method, url, body }, signature);
    if (!isOurs || receiver.count % 50 === 0) return { status: isOurs ? 500 : 401, headers: {}, body: '' };
    const { event, object } = JSON.parse(body ?? '{}');
    receiver.heard(event, object);
    return { status: 200, headers: {}, body: '' };
  };
}
