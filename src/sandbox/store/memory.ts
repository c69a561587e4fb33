/** The store in memory: sized for 100,000 transactions, with an index for everything that a request looks up. */
import { gte } from '../../core/money.ts';
import type { Page, RecipientFilter, SandboxStore, Window } from './port.ts';
import { Recent } from './recent.ts';
import type {
  ApiLogRecord,
  DebitRecord,
  DeliveryRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
  WebhookLogRecord,
  WebhookRecord,
} from './records.ts';
import { pageOf, Rows } from './rows.ts';

const API_LOG_ENTRIES = 1_000;
const WEBHOOK_LOG_ENTRIES = 10_000;

export function memoryStore(): SandboxStore {
  return {
    senders: new SenderRows(),
    transactions: new TransactionRows(),
    recipients: new RecipientRows(),
    debits: new Rows<DebitRecord>(),
    webhooks: new WebhookMap(),
    deliveries: new DeliveryMap(),
    apiLogs: new Recent<ApiLogRecord>(API_LOG_ENTRIES),
    webhookLogs: new Recent<WebhookLogRecord>(WEBHOOK_LOG_ENTRIES),
  };
}

class SenderRows extends Rows<SenderRecord> {
  constructor() {
    super((row) => row.externalId);
  }

  byExternalId(externalId: string): SenderRecord | undefined {
    return this.byKey(externalId);
  }
}

class TransactionRows {
  readonly #rows = new Rows<TransactionRecord>((row) => row.externalId);
  readonly #bySender = new Map<string, TransactionRecord[]>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: TransactionRecord): void {
    this.#rows.insert(row);
    const ofSender = this.#bySender.get(row.senderId);
    if (ofSender) ofSender.push(row);
    else this.#bySender.set(row.senderId, [row]);
  }

  get(id: string): TransactionRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: TransactionRecord, patch: Partial<TransactionRecord>): TransactionRecord {
    return this.#rows.update(row, patch);
  }

  byExternalId(externalId: string): TransactionRecord | undefined {
    return this.#rows.byKey(externalId);
  }

  waitingFor(senderId: string): TransactionRecord[] {
    return (this.#bySender.get(senderId) ?? []).filter(({ state }) => state === 'initial');
  }

  page({ senderId }: { senderId?: string | undefined }, window: Window): Page<TransactionRecord> {
    if (senderId === undefined) return this.#rows.page({}, window);
    const rows = this.#bySender.get(senderId) ?? [];
    return pageOf(rows, 0, rows.length, window);
  }
}

class RecipientRows {
  readonly #rows = new Rows<RecipientRecord>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: RecipientRecord): void {
    this.#rows.insert(row);
  }

  get(id: string): RecipientRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: RecipientRecord, patch: Partial<RecipientRecord>): RecipientRecord {
    return this.#rows.update(row, patch);
  }

  page(filter: RecipientFilter, window: Window): Page<RecipientRecord> {
    const { states, inputCurrencies, amountFrom, amountTo } = filter;
    const selective = states ?? inputCurrencies ?? amountFrom ?? amountTo;
    if (selective === undefined) return this.#rows.page(filter, window);
    return this.#rows.page(
      filter,
      window,
      (row) =>
        (!states || states.includes(row.state)) &&
        (!inputCurrencies || inputCurrencies.includes(row.inputCurrency)) &&
        (amountFrom === undefined || gte(row.inputAmount, amountFrom)) &&
        (amountTo === undefined || gte(amountTo, row.inputAmount)),
    );
  }
}

/** Few, and some are removed: a map in the order they came is enough. */
class WebhookMap {
  readonly #rows = new Map<string, WebhookRecord>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: WebhookRecord): void {
    this.#rows.set(row.id, row);
  }

  get(id: string): WebhookRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: WebhookRecord, patch: Partial<WebhookRecord>): WebhookRecord {
    return Object.assign(row, patch);
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }

  all(): Iterable<WebhookRecord> {
    return this.#rows.values();
  }

  page(window: Window): Page<WebhookRecord> {
    const rows = [...this.#rows.values()];
    return pageOf(rows, 0, rows.length, window);
  }
}

class DeliveryMap {
  readonly #rows = new Map<string, DeliveryRecord>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: DeliveryRecord): void {
    this.#rows.set(row.id, row);
  }

  get(id: string): DeliveryRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: DeliveryRecord, patch: Partial<DeliveryRecord>): DeliveryRecord {
    return Object.assign(row, patch);
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }
}
