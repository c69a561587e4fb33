/**
 * Webhooks: kept when the event happens, sent in order, one at a time for each endpoint, and tried again five times on the
 * virtual clock. An endpoint that only times out, three deliveries in a row, is switched off.
 */

import type { EventName } from '../../contract/events.ts';
import { signedHeaders } from '../../contract/signing.ts';
import { RETRY_DELAYS_MS } from '../../contract/timing.ts';
import { uuid } from '../../core/ids.ts';
import { invariant } from '../../core/invariants.ts';
import type { Random } from '../../core/random.ts';
import { TransportError, type WireResponse } from '../../core/transport.ts';
import type { SandboxState, Subject } from '../sandbox-state.ts';
import type { Piece } from '../store/port.ts';
import type { DeliveryRecord, WebhookRecord } from '../store/records.ts';
import { RawJson, toJson } from '../views/json.ts';
import { WebhookFaults } from './faults.ts';
import { logAttempt, type TryOutcome } from './log.ts';

/** @assumes webhook-retries */
const TIMEOUT_MS = 10_000;
const TIMED_OUT_DELIVERIES = 3;

interface Lane {
  waiting: string[];
  busy: boolean;
  /** Deliveries that timed out since the endpoint last gave any answer. */
  timedOut: Set<string>;
}

export class Deliveries {
  readonly #sandbox: SandboxState;
  /** Its own source: when an answer comes in must not change the ids of anything else. */
  readonly #random: Random;
  readonly #faults: WebhookFaults;
  readonly #lanes = new Map<string, Lane>();
  #stop = new AbortController();
  #busy = 0;
  #idle: (() => void)[] = [];

  constructor(sandbox: SandboxState, random: Random) {
    this.#sandbox = sandbox;
    this.#random = random;
    this.#faults = new WebhookFaults(sandbox);
  }

  /** Keeps one delivery for each endpoint that wants the event; due at once. */
  emit(event: EventName, subject: Subject): void {
    const { store, schedule, clock } = this.#sandbox;
    if (store.webhooks.size === 0) return;
    let object: RawJson | undefined;
    for (const webhook of store.webhooks.all()) {
      if (!webhook.enabled || !webhook.events.includes(event)) continue;
      object ??= new RawJson(toJson(subject.render()));
      const body = toJson({ webhook: webhook.id, event, object });
      const { copies, delayMs, overtaken } = this.#faults.atBirth(webhook.id, event, subject.id);
      for (let copy = 0; copy < copies; copy++) {
        const delivery = this.#keep(webhook, event, subject, body);
        schedule.add(clock.now() + delayMs, { kind: 'deliver', deliveryId: delivery.id });
        if (overtaken) this.#faults.hold(webhook.id, delivery.id);
        else this.#faults.release(webhook.id);
      }
    }
  }

  #keep(webhook: WebhookRecord, event: EventName, { id, type }: Subject, body: string): DeliveryRecord {
    const delivery: DeliveryRecord = {
      id: uuid(this.#random),
      webhookId: webhook.id,
      event,
      instanceId: id,
      instanceType: type,
      body,
      tries: 0,
    };
    invariant(webhook.enabled, `endpoint ${webhook.id} wants deliveries`);
    this.#sandbox.store.deliveries.insert(delivery);
    return delivery;
  }

  /** Puts a delivery that is due in its endpoint's line. */
  begin(deliveryId: string): void {
    const delivery = this.#sandbox.store.deliveries.get(deliveryId);
    if (!delivery) return;
    const lane = this.#lane(delivery.webhookId);
    lane.waiting.push(deliveryId);
    if (!lane.busy) void this.#work(lane);
  }

  /** Deliveries that timed out, by endpoint. */
  readonly piece: Piece = {
    name: 'timed_out',
    read: () =>
      Object.fromEntries(
        [...this.#lanes].flatMap(([id, { timedOut }]) => (timedOut.size > 0 ? [[id, [...timedOut]]] : [])),
      ),
    write: (value) => {
      for (const lane of this.#lanes.values()) lane.timedOut.clear();
      for (const [id, timedOut] of Object.entries(value as Record<string, string[]>)) {
        this.#lane(id).timedOut = new Set(timedOut);
      }
    },
  };

  /** Breaks off what is on its way: other deliveries take its place. */
  forget(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    for (const [id, { timedOut }] of this.#lanes) {
      this.#lanes.set(id, { waiting: [], busy: false, timedOut });
    }
  }

  /**
   * Makes deliveries due again that were on their way when everything ended: a delivery may come twice, and never
   * gets lost.
   */
  resume(): void {
    const { store, schedule, clock } = this.#sandbox;
    const due = new Set(
      schedule.tasks.flatMap(({ body }) => (body.kind === 'deliver' ? body.deliveryId : [])),
    );
    for (const { id } of store.deliveries.all()) {
      if (!due.has(id)) schedule.add(clock.shown(), { kind: 'deliver', deliveryId: id });
    }
  }

  /** Resolves when nothing is on its way. */
  idle(): Promise<void> {
    if (this.#busy === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  close(): Promise<void> {
    this.#stop.abort();
    return this.idle();
  }

  #lane(webhookId: string): Lane {
    const known = this.#lanes.get(webhookId);
    if (known) return known;
    const lane: Lane = { waiting: [], busy: false, timedOut: new Set() };
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  async #work(lane: Lane): Promise<void> {
    lane.busy = true;
    this.#busy += 1;
    const { signal } = this.#stop;
    for (let id = lane.waiting.shift(); id !== undefined; id = lane.waiting.shift()) {
      if (!signal.aborted) await this.#attempt(lane, id, signal);
    }
    lane.busy = false;
    this.#busy -= 1;
    if (this.#busy === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Records are looked up again after every wait: they may have changed, or be gone. */
  async #attempt(lane: Lane, id: string, stopped: AbortSignal): Promise<void> {
    const { store } = this.#sandbox;
    await this.#sandbox.saved()?.catch(() => undefined);
    await this.#sandbox.hold.untilOver();
    if (stopped.aborted) return;
    const sent = this.#wanted(id);
    if (!sent) return;
    const headers = this.#headers(sent.webhook, sent.delivery);
    const outcome = await this.#post(sent.webhook, sent.delivery, headers, stopped);
    await this.#sandbox.hold.untilOver();
    if (stopped.aborted) return;
    const delivery = store.deliveries.get(id);
    if (!delivery) return;
    store.deliveries.update(delivery, { tries: delivery.tries + 1 });
    logAttempt(this.#sandbox, this.#random, { webhook: sent.webhook, delivery, headers, outcome });
    if ('response' in outcome && isSuccess(outcome.response)) store.deliveries.remove(delivery.id);
    else this.#tryLater(delivery);
    this.#watch(lane, delivery, outcome);
  }

  #wanted(id: string): { webhook: WebhookRecord; delivery: DeliveryRecord } | undefined {
    const { store } = this.#sandbox;
    const delivery = store.deliveries.get(id);
    const webhook = delivery && store.webhooks.get(delivery.webhookId);
    if (delivery && webhook?.enabled) return { webhook, delivery };
    store.deliveries.remove(id);
    return undefined;
  }

  #headers(webhook: WebhookRecord, delivery: DeliveryRecord): Record<string, string> {
    const nonce = uuid(this.#random);
    const { event, instanceId, body } = delivery;
    const signed = signedHeaders(this.#sandbox.credentials, {
      nonce,
      method: 'POST',
      url: webhook.url,
      body,
    });
    const signature = signed['Authorization-Signature'] ?? '';
    return {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...signed,
      'Authorization-Signature': this.#faults.signature(webhook.id, event, instanceId, signature),
    };
  }

  async #post(
    { url }: WebhookRecord,
    { body }: DeliveryRecord,
    headers: Record<string, string>,
    stopped: AbortSignal,
  ): Promise<TryOutcome> {
    const { transport } = this.#sandbox;
    if (!transport) return { error: 'the sandbox has no way out', timedOut: false };
    const limits = { connectTimeoutMs: TIMEOUT_MS, responseTimeoutMs: TIMEOUT_MS };
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      return { response: await transport({ method: 'POST', url, headers, body, ...limits, signal }) };
    } catch (error) {
      const code = error instanceof TransportError ? error.code : '';
      const message = error instanceof Error ? error.message : String(error);
      return { error: message, timedOut: signal.aborted || /TIMEOUT|ETIMEDOUT/.test(code) };
    }
  }

  #tryLater(delivery: DeliveryRecord): void {
    const { store, schedule, clock } = this.#sandbox;
    const delay = RETRY_DELAYS_MS[delivery.tries - 1];
    if (delay === undefined) store.deliveries.remove(delivery.id);
    else schedule.add(clock.now() + delay, { kind: 'deliver', deliveryId: delivery.id });
  }

  #watch(lane: Lane, delivery: DeliveryRecord, outcome: TryOutcome): void {
    if ('response' in outcome || !outcome.timedOut) {
      lane.timedOut.clear();
      return;
    }
    lane.timedOut.add(delivery.id);
    if (lane.timedOut.size < TIMED_OUT_DELIVERIES) return;
    const { webhooks } = this.#sandbox.store;
    const webhook = webhooks.get(delivery.webhookId);
    if (webhook) webhooks.update(webhook, { enabled: false });
  }
}

function isSuccess({ status }: WireResponse): boolean {
  return status >= 200 && status < 300;
}
