/**
 * One command, from its intent to its settling, over a network that fails as planned; and the oracle: whatever was claimed
 * must be so in the service, at once for what is applied, and for good for what is not.
 */
import { type Client, createClient } from '../../src/client/client.ts';
import type { Earlier } from '../../src/client/duplicate-check.ts';
import { NotReadyError } from '../../src/client/errors.ts';
import { type Recorded, record } from '../../src/client/intents.ts';
import type { Outcome } from '../../src/client/outcome.ts';
import { settleIntent } from '../../src/client/settle-intent.ts';
import type { Intent, Intents } from '../../src/client/store/port.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import { type FaultPlan, type FaultyTransport, faultyTransport } from './faults.ts';
import { memoryTransport } from './memory-transport.ts';
import { credentials, HOST } from './sandbox.ts';
import type { Undertaking } from './undertakings.ts';

export type Claim = Outcome<{ id?: string | null }>['kind'];

let nonces = 0;

export function clientOver(send: Transport, tries = 1): Client {
  return createClient({
    baseUrl: `http://${HOST}/v1`,
    credentials,
    transport: send,
    clock: { now: () => 1_790_000_000_000 },
    random: seededRandom(3),
    nonce: () => `client-${nonces++}`,
    sleep: async () => undefined,
    retries: { tries, firstDelayMs: 1 },
  });
}

/** The undertaking as a command: the same profile and body give the same digest. */
export function command(client: Client, intents: Intents, profile: string, { asked }: Undertaking) {
  return record(client, {
    intents,
    about: {
      command: asked.plan,
      profile,
      environment: 'sandbox',
      // Each run has an account of its own in the one file.
      baseUrl: `${client.baseUrl}/${profile}`,
      keyLast4: profile,
      summary: 'a payment',
      externalId: asked.plan === 'create' ? asked.transaction.external_id : undefined,
    },
    asked,
    meeting: {
      // After everything that was told.
      lastTold: Number.MAX_SAFE_INTEGER,
      now: () => 1_790_000_000_001,
      isRunning: () => false,
      pause: async () => undefined,
    },
  });
}

export async function intentOf(intents: Intents, id: string): Promise<Intent & { request: string }> {
  const found = await intents.get(id);
  if (found?.request === undefined) throw new Error(`intent ${id} keeps no request to settle it with`);
  return { ...found, request: found.request };
}

/** What was claimed so far, with the moment of the claim. */
export class Oracle {
  readonly #claims: { when: string; claim: Claim }[] = [];
  constructor(readonly undertaking: Undertaking) {}

  async hear(when: string, claim: Claim): Promise<void> {
    this.#claims.push({ when, claim });
    const { undertaking } = this;
    if (claim === 'applied' && !(await undertaking.isApplied()))
      throw new Error(`${when}: claimed applied, it is not`);
    if (claim === 'conflict' && !(await undertaking.differs()))
      throw new Error(`${when}: claimed a conflict, nothing differs`);
    if (claim === 'not_applied' && (await undertaking.isApplied()))
      throw new Error(`${when}: claimed not applied, it is applied`);
    await undertaking.audit();
  }

  /** When everything that was late has arrived. */
  async conclude(): Promise<void> {
    await this.undertaking.audit();
    const wrong = this.#claims.find(({ claim }) => claim === 'not_applied');
    if (wrong && (await this.undertaking.isApplied()))
      throw new Error(`${wrong.when}: claimed not applied, and it was applied later`);
  }
}

export interface Run {
  undertaking: Undertaking;
  intents: Intents;
  /** Apart from every other run's. */
  profile: string;
  plan: FaultPlan;
  /** Happens between the command and its settling. */
  meanwhile?: string | undefined;
  /** Tries of a read; one, so that every request of the flow has its number. */
  tries?: number;
}

/** The first claim, and how many requests the command and its settling made. */
export async function run(given: Run): Promise<{ claim: Claim; requests: number }> {
  const { undertaking, intents, profile, plan, meanwhile, tries = 1 } = given;
  const network = faultyTransport(memoryTransport(undertaking.bench.sandbox.fetch), plan);
  const client = clientOver(network.send, tries);
  const oracle = new Oracle(undertaking);
  const first = await command(client, intents, profile, undertaking).catch((error: unknown) => {
    if (error instanceof NotReadyError) return undefined;
    throw error;
  });
  if (first === undefined) return unsent(oracle, network, intents, profile);
  if (first.kind !== 'carried_out') throw new Error('the first run was refused');
  const claim = first.outcome.kind;
  await oracle.hear('the command', claim);
  await network.release('run');
  if (claim === 'unknown')
    await settleAgainAndAgain(oracle, client, intents, profile, first.intent.id, meanwhile);
  await network.release('settling');
  await oracle.conclude();
  await rerunAfter(oracle, intents, profile, first.intent.id);
  return { claim, requests: network.requests };
}

/** The service did not answer the read before the write: nothing was sent, and the journal has nothing of it. */
async function unsent(
  oracle: Oracle,
  network: FaultyTransport,
  intents: Intents,
  profile: string,
): Promise<{ claim: Claim; requests: number }> {
  await oracle.hear('the command', 'not_applied');
  await network.release('settling');
  await oracle.conclude();
  const digests = (await intents.list({ limit: 1_000_000 })).filter(({ keyLast4 }) => keyLast4 === profile);
  if (digests.length > 0) throw new Error('an intent was written for what was never sent');
  return { claim: 'not_applied', requests: network.requests };
}

async function settleAgainAndAgain(
  oracle: Oracle,
  client: Client,
  intents: Intents,
  profile: string,
  id: string,
  meanwhile: string | undefined,
): Promise<void> {
  const { undertaking } = oracle;
  await mustBeRefused(client, intents, profile, undertaking, id);
  if (meanwhile !== undefined) await undertaking.meanwhile[meanwhile]?.();
  for (const mode of ['look', 'send', 'send'] as const) {
    if ((await intents.get(id))?.state !== 'unknown') return;
    const intent = await intentOf(intents, id);
    const outcome = await settleIntent(client, intents, { intent, account: intent, mode });
    await oracle.hear(`settling (${mode})`, outcome.kind);
  }
}

async function mustBeRefused(
  client: Client,
  intents: Intents,
  profile: string,
  undertaking: Undertaking,
  id: string,
) {
  const again = await command(client, intents, profile, undertaking);
  if (again.kind !== 'refused' || again.earlier.intent.id !== id)
    throw new Error('the same was sent while one is unsettled');
}

/**
 * On a network that works: the same command again, and never a second payment. While nobody was told of what was applied, it is
 * answered with that. After that an id of the caller's leads to the record that stands, and an id that we made is asked about.
 */
async function rerunAfter(oracle: Oracle, intents: Intents, profile: string, id: string): Promise<void> {
  const { undertaking } = oracle;
  const client = clientOver(memoryTransport(undertaking.bench.sandbox.fetch));
  const state = (await intents.get(id))?.state;
  if (state === 'open' || state === 'unknown')
    return mustBeRefused(client, intents, profile, undertaking, id);
  const { asked } = undertaking;
  const pays = asked.plan === 'create' || asked.plan === 'debit';
  if (pays && state === 'applied') {
    await mustBe('untold', await command(client, intents, profile, undertaking));
    await intents.told(id);
  }
  const again = await command(client, intents, profile, undertaking);
  if (asked.plan === 'create' && asked.madeId && state === 'applied') await mustBe('repeated', again);
  else if (again.kind !== 'carried_out') throw new Error('a settled command was refused');
  await undertaking.audit();
}

async function mustBe(
  kind: Earlier['kind'],
  recorded: Recorded<{ id?: string | null | undefined }>,
): Promise<void> {
  if (recorded.kind !== 'refused' || recorded.earlier.kind !== kind)
    throw new Error(`the same again was not met as ${kind}`);
}
