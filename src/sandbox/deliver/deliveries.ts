/**
 * Webhooks: kept when the event happens, sent in order, one at a time for each endpoint, and tried again five times on the
 * virtual clock. An endpoint that only times out, three deliveries in a row, is switched off.
 */
import type { EventName } from '../../contract/events.ts';
import { signedHeaders } from '../../contract/signing.ts';
import { uuid } from '../../core/ids.ts';
import { TransportError, type WireResponse } from '../../core/ports/transport.ts';
import type { Random } from '../../core/random.ts';
import type { DeliveryRecord, WebhookRecord } from '../store/records.ts';
import { toJson, Written } from '../views/json.ts';
import type { Subject, World } from '../world.ts';
import { logAttempt } from './log.ts';

const MINUTE = 60_000;
const RETRY_DELAYS_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE);
const TIMEOUT_MS = 10_000;
const TIMED_OUT_DELIVERIES = 3;

export type Outcome = { response: WireResponse } | { error: string; timedOut: boolean };

interface Lane {
  waiting: string[];
  busy: boolean;
  /** Deliveries that timed out since the endpoint last gave any answer. */
  timedOut: Set<string>;
}

export class Deliveries {
  readonly #world: World;
  /** Its own source: when an answer comes in must not change the ids of anything else. */
  readonly #random: Random;
  readonly #lanes = new Map<string, Lane>();
  readonly #stop = new AbortController();
  #busy = 0;
  #idle: (() => void)[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Keeps one delivery for each endpoint that wants the event; due at once. */
  emit(event: EventName, subject: Subject): void {
    const { store, schedule, clock } = this.#world;
    if (store.webhooks.size === 0) return;
    let object: Written | undefined;
    for (const webhook of store.webhooks.all()) {
      if (!webhook.enabled || !webhook.events.includes(event)) continue;
      object ??= new Written(toJson(subject.render()));
      const id = uuid(this.#random);
      store.deliveries.insert({
        id,
        webhookId: webhook.id,
        event,
        instanceId: subject.id,
        instanceType: subject.type,
        body: toJson({ webhook: webhook.id, event, object }),
        tries: 0,
      });
      schedule.add(clock.now(), { kind: 'deliver', deliveryId: id });
    }
  }

  /** Puts a delivery that is due in its endpoint's line. */
  begin(deliveryId: string): void {
    const delivery = this.#world.store.deliveries.get(deliveryId);
    if (!delivery) return;
    const lane = this.#lane(delivery.webhookId);
    lane.waiting.push(deliveryId);
    if (!lane.busy) void this.#work(lane);
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
    for (let id = lane.waiting.shift(); id !== undefined; id = lane.waiting.shift()) {
      const delivery = this.#world.store.deliveries.get(id);
      if (delivery && !this.#stop.signal.aborted) await this.#attempt(lane, delivery);
    }
    lane.busy = false;
    this.#busy -= 1;
    if (this.#busy === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #attempt(lane: Lane, delivery: DeliveryRecord): Promise<void> {
    const { store } = this.#world;
    const webhook = store.webhooks.get(delivery.webhookId);
    if (!webhook?.enabled) return store.deliveries.remove(delivery.id);
    const headers = this.#headers(webhook, delivery);
    const outcome = await this.#post(webhook, delivery, headers);
    if (this.#stop.signal.aborted) return;
    store.deliveries.update(delivery, { tries: delivery.tries + 1 });
    logAttempt(this.#world, this.#random, { webhook, delivery, headers, outcome });
    if ('response' in outcome && isSuccess(outcome.response)) store.deliveries.remove(delivery.id);
    else this.#tryLater(delivery);
    this.#watch(lane, webhook, delivery, outcome);
  }

  #headers(webhook: WebhookRecord, { body }: DeliveryRecord): Record<string, string> {
    const nonce = uuid(this.#random);
    return {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...signedHeaders(this.#world.credentials, { nonce, method: 'POST', url: webhook.url, body }),
    };
  }

  async #post(
    { url }: WebhookRecord,
    { body }: DeliveryRecord,
    headers: Record<string, string>,
  ): Promise<Outcome> {
    const { transport } = this.#world;
    if (!transport) return { error: 'the sandbox has no way out', timedOut: false };
    const limits = { connectTimeoutMs: TIMEOUT_MS, responseTimeoutMs: TIMEOUT_MS };
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      return { response: await transport({ method: 'POST', url, headers, body, ...limits, signal }) };
    } catch (error) {
      const code = error instanceof TransportError ? error.code : '';
      const message = error instanceof Error ? error.message : String(error);
      return { error: message, timedOut: signal.aborted || /TIMEOUT|ETIMEDOUT/.test(code) };
    }
  }

  #tryLater(delivery: DeliveryRecord): void {
    const { store, schedule, clock } = this.#world;
    const delay = RETRY_DELAYS_MS[delivery.tries - 1];
    if (delay === undefined) store.deliveries.remove(delivery.id);
    else schedule.add(clock.now() + delay, { kind: 'deliver', deliveryId: delivery.id });
  }

  #watch(lane: Lane, webhook: WebhookRecord, delivery: DeliveryRecord, outcome: Outcome): void {
    if ('response' in outcome || !outcome.timedOut) {
      lane.timedOut.clear();
      return;
    }
    lane.timedOut.add(delivery.id);
    if (lane.timedOut.size < TIMED_OUT_DELIVERIES) return;
    this.#world.store.webhooks.update(webhook, { enabled: false });
  }
}

function isSuccess({ status }: WireResponse): boolean {
  return status >= 200 && status < 300;
}
