/**
 * One account of the service, two machines with a journal each, two keys, clocks that jump, and several wishes: what a partner does in a bad week.
 * Every step is a process of its own, with a client of its own. The oracle shares no code with the client: it reads the service's records and
 * compares them with every claim that was made, and with what the journals say at the end.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { type Client, createClient } from '../../src/client/client.ts';
import { isCallError, NotReadyError } from '../../src/client/errors.ts';
import { type Recorded, record } from '../../src/client/intents.ts';
import { joinKeys } from '../../src/client/join-keys.ts';
import { settleIntent } from '../../src/client/settle-intent.ts';
import {
  type Intent,
  type Intents,
  isUnsettled,
  type NewIntent,
  UNSETTLED,
} from '../../src/client/store/port.ts';
import type { AskedWrite } from '../../src/client/writes.ts';
import { accountWith } from '../../src/contract/account-key.ts';
import type { SenderWrite } from '../../src/contract/resources/sender.ts';
import { accountRelation } from '../../src/core/account.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import { type Fault, type FaultyTransport, faults, faultyTransport } from './faults.ts';
import { memoryTransport } from './memory-transport.ts';
import { openStore } from './open-store.ts';
import { type Bench, credentials, HOST, type Json, payoutDetails, person, startBench } from './sandbox.ts';
import { temporaryStorePath } from './stores.ts';

/** Where the journal says that it went: another machine, so that keys that are not joined stand in the way. */
const REMOTE = 'https://api.example.com/v1';
const KEYS = [credentials.key, 'key_of_acme_9c9c', 'key_of_acme_77d1'];
const FAILS = ['0123456719', '1123456719', '2123456719', '3123456719'];

export interface Terms {
  /** One journal that is never set back: then payments may be without an id of their own. */
  isOne: boolean;
  seed: number;
}

interface Claim {
  what: 'applied' | 'not_applied';
  externalId: string;
  /** The step at which it was made. */
  at: number;
  wasPaid: boolean;
}

interface Machine {
  path: string;
  copies: number;
  clock: number;
}

interface Process {
  /** As the process hears of it: the answer to a COMMIT may be lost. */
  intents: Intents;
  lastTold: number;
  client: Client;
  machine: Machine;
  key: string;
}

interface Wish {
  amount: string;
  /** The caller's, or made by us for each try. */
  externalId: string | undefined;
  /** So often it may be paid: once more for each time that a person wants another on purpose. */
  allowed: number;
}

let nonces = 0;

export class FactsWorld {
  readonly #random: Random;
  readonly #terms: Terms;
  readonly #bench: Bench;
  readonly #service: Transport;
  readonly #machines: Machine[];
  readonly #claims: Claim[] = [];
  readonly #sent = new Map<string, number>();
  readonly #wishes: Wish[];
  readonly #late: FaultyTransport[] = [];
  readonly log: string[] = [];
  #key = 0;
  #step = 0;
  #made = 0;
  #hasLateCopies = false;
  #recipient: { id: string; transactionId: string } | undefined;
  /** Accounts that some process claimed to have set, or may have set, the latest last. */
  #edits: { account: string; claim: string }[] = [];

  constructor(bench: Bench, terms: Terms) {
    this.#terms = terms;
    this.#bench = bench;
    this.#random = seededRandom(terms.seed);
    const direct = memoryTransport(bench.sandbox.fetch);
    // The service knows all keys of the account: the signature does not cover the key.
    this.#service = (request) =>
      direct({ ...request, headers: { ...request.headers, 'Authorization-Key': credentials.key } });
    this.#machines = (terms.isOne ? [0] : [0, 1]).map(() => ({
      path: temporaryStorePath(),
      copies: 0,
      clock: 1_790_000_000_000,
    }));
    const given = (amount: string, externalId: string): Wish => ({ amount, externalId, allowed: 1 });
    this.#wishes = terms.isOne
      ? [given('100', 'invoice-0'), { amount: '70', externalId: undefined, allowed: 1 }]
      : [given('100', 'invoice-0'), given('70', 'invoice-1')];
  }

  /** @throws where something is claimed that is not so, or paid more often than it was wanted */
  async live(steps: number): Promise<void> {
    for (this.#step = 1; this.#step <= steps; this.#step++) {
      await this.#act();
      await this.#audit();
    }
    await this.#arrive();
    await this.#settleAll();
    await this.#audit();
    await this.#conclude();
  }

  #dice(sides: number): number {
    return Math.floor(this.#random.next() * sides);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#dice(all.length)] as T;
  }

  async #act(): Promise<void> {
    const roll = this.#dice(100);
    if (roll < 40) return this.#pay(this.#pick(this.#wishes));
    if (roll < 60) return this.#settleSome();
    if (roll < 70) return this.#terms.isOne ? this.#edit() : this.#setBack();
    if (roll < 78) return this.#arrive();
    if (roll < 86) return this.#jump();
    if (roll < 92) return this.#rotate();
    return this.#copy();
  }

  /** A process: its own store, its own client, on a network that may fail. */
  async #process<T>(
    words: string,
    network: 'faulty' | 'good',
    work: (at: Process) => Promise<T>,
    machine = this.#pick(this.#machines),
  ): Promise<T> {
    const key = KEYS[this.#key] as string;
    const plan = new Map<number, Fault>();
    if (network === 'faulty')
      for (let at = 1; at <= 8; at++) if (this.#dice(4) === 0) plan.set(at, this.#pick(faults));
    this.log.push(
      `${this.#step} ${words} machine ${this.#machines.indexOf(machine)} key ${this.#key} ${[...plan].map(([at, fault]) => `${at}: ${fault}`).join('; ')}`,
    );
    // A copy of an older correction that arrives after a newer one sets the account back: no client can keep that from happening.
    if ([...plan.values()].some((fault) => /late|later|copy/.test(fault))) this.#hasLateCopies = true;
    const wire = faultyTransport(this.#service, plan);
    this.#late.push(wire);
    const clock = { now: () => machine.clock };
    const store = await openStore(machine.path, {
      clock,
      random: seededRandom(`${this.#terms.seed} ${++nonces}`),
    });
    const client = createClient({
      ...{ baseUrl: `http://${HOST}/v1`, credentials: { ...credentials, key }, transport: wire.send, clock },
      random: seededRandom(3),
      nonce: () => `facts-${nonces++}`,
      sleep: async () => undefined,
      retries: { tries: 2, firstDelayMs: 1 },
    });
    const intents = network === 'good' ? store.intents : this.#losing(store.intents);
    try {
      return await work({ intents, lastTold: store.lastTold, client, machine, key });
    } finally {
      store.close();
    }
  }

  /** As a journal in PostgreSQL: the answer to a COMMIT is lost now and then, and what was asked for stands, or does not. */
  #losing(intents: Intents): Intents {
    const lost = new Error('the answer to COMMIT was lost');
    const isLost = (): boolean => this.#dice(12) === 0;
    return {
      ...intents,
      open: async (intent, judge) => {
        if (!isLost()) return intents.open(intent, judge);
        const stands = this.#dice(2) === 0;
        // What stands in the way is told all the same: that is no COMMIT.
        const begun = await intents.open(
          intent,
          (alike) => judge?.(alike) ?? (stands ? undefined : (NOT_KEPT as never)),
        );
        const isKept = 'opened' in begun;
        if (!isKept && !('refused' in begun && (begun.refused as unknown) === NOT_KEPT)) return begun;
        this.log.push(`  COMMIT of an intent is lost, and it ${stands ? 'stands' : 'does not stand'}`);
        return { unsure: isKept ? begun.opened : unkept(intent), error: lost };
      },
      close: async (id, closing) => {
        if (!isLost()) return intents.close(id, closing);
        const stands = this.#dice(2) === 0;
        this.log.push(`  COMMIT of an outcome is lost, and it ${stands ? 'stands' : 'does not stand'}`);
        if (stands) await intents.close(id, closing);
        throw lost;
      },
    };
  }

  async #pay(wish: Wish): Promise<void> {
    const externalId = wish.externalId ?? `made-${++this.#made}`;
    const asked: AskedWrite = {
      plan: 'create',
      fund: true,
      madeId: wish.externalId === undefined,
      transaction: {
        input_currency: 'EUR',
        external_id: externalId,
        sender: { external_id: 'customer-1', ...person } as SenderWrite,
        recipients: [
          {
            type: 'person',
            requested_amount: wish.amount,
            requested_currency: 'EUR',
            payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456700') },
          },
        ],
      },
    };
    // A person says so on purpose, now and then: that is another payment.
    const isAnother = wish.externalId === undefined && this.#dice(8) === 0;
    await this.#process(`pay ${externalId}${isAnother ? ' again on purpose' : ''}`, 'faulty', async (at) => {
      if (isAnother || (await this.#isOfAnotherAccount(at, wish))) wish.allowed += 1;
      this.#sent.set(externalId, this.#step);
      const ended = await this.#recorded(at, asked, externalId, isAnother);
      if (ended === undefined) return;
      if (ended.kind === 'carried_out') {
        await this.#claim(ended.outcome.kind, externalId);
        if (ended.outcome.kind === 'applied' && ended.unrecorded === undefined && this.#dice(3) > 0)
          await at.intents.told(ended.intent.id);
      } else if (ended.kind === 'refused' && ended.earlier.kind === 'untold') {
        await this.#claim('applied', ended.earlier.intent.externalId ?? '');
        await at.intents.told(ended.earlier.intent.id);
      }
    });
  }

  /** Nobody said that the key which paid it is of this account: then it is another's payment, where nothing of it is unknown. */
  async #isOfAnotherAccount({ intents, key }: Process, wish: Wish): Promise<boolean> {
    if (wish.externalId !== undefined) return false;
    const joins = await intents.joins();
    const here = accountWith(REMOTE, key);
    const same = (await intents.list({ limit: 1000 })).filter(
      ({ summary, state }) => summary === wish.amount && state !== 'not_applied',
    );
    const others = same.filter((one) => accountRelation(here, one, joins) === 'other');
    return others.length > 0 && others.length === same.length && !others.some(isUnsettled);
  }

  async #recorded(
    { intents, lastTold, client, key }: Process,
    asked: AskedWrite,
    externalId: string | undefined,
    newPayment = false,
    subject?: { id: string; transactionId: string },
  ): Promise<Recorded<{ id?: string | null }> | undefined> {
    const meeting = {
      ...{ newPayment, lastTold, now: () => 0, isRunning: () => false },
      pause: async () => undefined,
    };
    const about = {
      ...{ command: asked.plan, profile: 'p', environment: 'production', ...accountWith(REMOTE, key) },
      ...{ summary: wishOf(asked), externalId, subject: subject?.id, transactionId: subject?.transactionId },
    };
    try {
      return await record(client, { intents, about, asked, meeting });
    } catch (error) {
      // The service did not answer the read before it: nothing was sent.
      if (error instanceof NotReadyError) return undefined;
      throw error;
    }
  }

  async #settleSome(): Promise<void> {
    await this.#process('settle', 'faulty', async (at) => {
      const open = await at.intents.list({ states: UNSETTLED, limit: 1000 });
      if (open.length > 0) await this.#settle(at, this.#pick(open));
    });
  }

  async #settle({ intents, client, key }: Process, intent: Intent): Promise<void> {
    const account = accountWith(REMOTE, key);
    const { request } = intent;
    if (request === undefined || accountRelation(account, intent, await intents.joins()) === 'other') return;
    const mode = this.#dice(4) === 0 ? 'look' : 'send';
    const { kind } = await settleIntent(client, intents, {
      intent: { ...intent, request },
      account,
      mode,
    });
    this.log.push(`  settled ${intent.externalId ?? intent.subject} (${mode}): ${kind}`);
    if (intent.externalId !== undefined) {
      if (mode === 'send') this.#sent.set(intent.externalId, this.#step);
      await this.#claim(kind, intent.externalId);
    }
  }

  async #claim(kind: string, externalId: string): Promise<void> {
    this.log.push(`  claimed ${kind} of ${externalId}`);
    if (kind !== 'applied' && kind !== 'not_applied') return;
    const wasPaid = (await this.#records()).some(
      ({ external_id, paid_amount }) => external_id === externalId && Number(paid_amount) > 0,
    );
    this.#claims.push({ what: kind, externalId, at: this.#step, wasPaid });
  }

  /** A recipient whose payouts fail, corrected now and then. */
  async #edit(): Promise<void> {
    if (this.#recipient === undefined) {
      const transaction = {
        ...{
          input_currency: 'EUR',
          external_id: 'to-correct',
          sender: { external_id: 'customer-1', ...person },
        },
        recipients: [
          {
            ...{ type: 'person', requested_amount: '5', requested_currency: 'EUR' },
            payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', FAILS[0] as string) },
          },
        ],
      };
      const { body } = await this.#bench.call('POST', '/transactions/create_and_fund', { transaction });
      await this.#bench.sandbox.drain();
      this.#recipient = { id: body.object.recipients[0].id, transactionId: body.object.id };
    }
    const { id: recipientId, transactionId } = this.#recipient;
    const before = await this.#account();
    const account = this.#pick(FAILS.filter((one) => one !== before));
    const asked: AskedWrite = {
      ...{ plan: 'edit', recipientId, transactionId, before: { bank_account: before } },
      recipient: { payout_method: { details: { bank_account: account } } },
    };
    await this.#process(`edit ${before} to ${account}`, 'faulty', async (at) => {
      const ended = await this.#recorded(at, asked, undefined, false, { id: recipientId, transactionId });
      await this.#bench.sandbox.drain();
      if (ended?.kind !== 'carried_out') return;
      this.log.push(`  edit was ${ended.outcome.kind}`);
      this.#edits.push({ account, claim: ended.outcome.kind });
      if (ended.outcome.kind === 'applied' && (await this.#account()) !== account)
        throw new Error(`an edit to ${account} was claimed, and it is ${await this.#account()}`);
    });
  }

  async #account(): Promise<string> {
    const { body } = await this.#bench.call('GET', `/transactions/${this.#recipient?.transactionId}`);
    return body.object.recipients[0].payout_method.details.bank_account;
  }

  /** What is late arrives: always within the hour of the service. */
  async #arrive(): Promise<void> {
    this.log.push(`${this.#step} what is late arrives`);
    for (const wire of this.#late.splice(0)) await wire.release('settling');
    await this.#bench.sandbox.drain();
  }

  /** A clock of a machine is set, and the service's goes on. Never a day apart: the same payment a day later is another wish. */
  async #jump(): Promise<void> {
    const machine = this.#pick(this.#machines);
    machine.clock = 1_790_000_000_000 + (this.#dice(23) - 11) * 3_600_000;
    const isLong = this.#dice(2) === 0;
    if (isLong) await this.#arrive();
    this.log.push(`${this.#step} clock ${machine.clock}${isLong ? ', and an hour passes' : ''}`);
    await this.#bench.sandbox.advance(isLong ? 61 * 60_000 : 60_000);
  }

  async #rotate(): Promise<void> {
    const next = this.#dice(KEYS.length);
    if (next === this.#key) return;
    const before = KEYS[this.#key] as string;
    this.#key = next;
    // Nobody says that it is the same account, now and then.
    if (this.#dice(3) === 0) {
      this.log.push(`${this.#step} key ${next}, not joined`);
      return;
    }
    for (const machine of this.#machines)
      await this.#process(
        'rotate',
        'good',
        async ({ intents, client, key }) => {
          const { kind } = await joinKeys(client, intents, { baseUrl: REMOTE, before, key, at: 1 });
          this.log.push(`  key ${this.#key}, joined: ${kind}`);
        },
        machine,
      );
  }

  async #copy(): Promise<void> {
    const machine = this.#pick(this.#machines);
    if (!existsSync(machine.path)) return;
    copyFileSync(machine.path, `${machine.path}.${machine.copies++}`);
    this.log.push(`${this.#step} machine ${this.#machines.indexOf(machine)} is copied`);
  }

  async #setBack(): Promise<void> {
    const machine = this.#pick(this.#machines);
    if (machine.copies === 0) return this.#copy();
    const copy = this.#dice(machine.copies);
    copyFileSync(`${machine.path}.${copy}`, machine.path);
    this.log.push(`${this.#step} machine ${this.#machines.indexOf(machine)} is set back to copy ${copy}`);
  }

  /** On a network that works, by the key in use: what it may not settle stays. */
  async #settleAll(): Promise<void> {
    for (const machine of this.#machines)
      await this.#process(
        'settle all',
        'good',
        async (at) => {
          for (const intent of await at.intents.list({ states: UNSETTLED, limit: 1000 })) {
            const now = (await at.intents.get(intent.id)) as Intent;
            if (isUnsettled(now)) await this.#settle(at, now).catch(onlyCalls);
          }
        },
        machine,
      );
  }

  async #records(): Promise<Json[]> {
    return (await this.#bench.call('GET', '/transactions?per=100')).body.object;
  }

  async #audit(): Promise<void> {
    this.#bench.sandbox.audit();
    const records = await this.#records();
    const funded = records.filter(({ paid_amount }) => Number(paid_amount) > 0);
    for (const { amount, allowed } of this.#wishes) {
      const times = funded.filter(({ input_amount }) => Number(input_amount) === Number(amount)).length;
      if (times > allowed)
        throw new Error(`${amount} EUR was paid ${times} times, and wanted ${allowed} times`);
    }
    const ids = records.map(({ external_id }) => external_id);
    if (new Set(ids).size !== ids.length) throw new Error('one external id has two transactions');
    const isPaid = (id: string): boolean => funded.some(({ external_id }) => external_id === id);
    for (const { what, externalId, at, wasPaid } of this.#claims) {
      if (what === 'applied' && !isPaid(externalId))
        throw new Error(`step ${at}: ${externalId} was claimed applied`);
      // With two journals the payment may be that of the other one.
      const isAlone = this.#terms.isOne && !wasPaid && (this.#sent.get(externalId) ?? 0) <= at;
      if (what === 'not_applied' && isAlone && isPaid(externalId))
        throw new Error(`step ${at}: ${externalId} was claimed not applied, and it is paid`);
    }
  }

  /** What the journals say is so, and a correction that was claimed last stands. */
  async #conclude(): Promise<void> {
    const funded = (await this.#records()).filter(({ paid_amount }) => Number(paid_amount) > 0);
    for (const machine of this.#machines)
      await this.#process(
        'read the history',
        'good',
        async ({ intents }) => {
          const all = await intents.list({ limit: 1000 });
          for (const { state, externalId, id } of all)
            if (
              externalId !== undefined &&
              state === 'applied' &&
              !funded.some((one) => one.external_id === externalId)
            )
              throw new Error(`the history says that ${externalId} (${id}) is applied`);
          const edits = all.filter(({ operation }) => operation.startsWith('recipients.'));
          const [newest] = edits;
          const last = this.#edits.at(-1);
          if (
            newest?.state === 'applied' &&
            last?.claim === 'applied' &&
            edits.every(({ state }) => state !== 'unknown' && state !== 'open')
          ) {
            const undone = edits.some(({ note }) => note?.includes('it undid') ?? false);
            const account = await this.#account();
            if (!undone && !this.#hasLateCopies && account !== last.account)
              throw new Error(`the last correction is ${last.account}, and the recipient has ${account}`);
          }
        },
        machine,
      );
  }
}

/** What keeps an intent from being written whose COMMIT never arrived. */
const NOT_KEPT = 'not kept';

const unkept = (intent: NewIntent): Intent => ({
  ...{ ...intent, id: 'never-kept', state: 'open' },
  ...{ createdAt: 0, updatedAt: 0 },
});

const wishOf = (asked: AskedWrite): string =>
  asked.plan === 'create' ? String(asked.transaction.recipients[0]?.requested_amount) : asked.plan;

function onlyCalls(error: unknown): void {
  if (!isCallError(error)) throw error;
}

/** @throws with every step, where something is not so */
export async function liveThrough(terms: Terms, steps: number): Promise<void> {
  const world = new FactsWorld(await startBench(), terms);
  try {
    await world.live(steps);
  } catch (error) {
    throw new Error(
      `seed ${terms.seed}, ${terms.isOne ? 'one journal' : 'two journals'}: ${(error as Error).message}\n${world.log.join('\n')}`,
      { cause: error },
    );
  }
}
