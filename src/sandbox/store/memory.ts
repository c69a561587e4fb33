/** The store in memory: sized for 100,000 transactions, with an index for everything that a request looks up. */
import { gte } from '../../core/money.ts';
import { RecordMap, TaskMap, WebhookMap } from './maps.ts';
import { Nonces } from './nonces.ts';
import type { PayoutMethodFilter, RecipientFilter, SandboxStore } from './port.ts';
import { Recent } from './recent.ts';
import type {
  ApiLogRecord,
  DebitRecord,
  DeliveryRecord,
  DocumentRecord,
  MandateRecord,
  PayoutMethodRecord,
  PostingRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
  WebhookLogRecord,
} from './records.ts';
import { pageOf, Rows } from './rows.ts';
import type { Page, Window } from './whole.ts';

export /** @assumes logs-kept */
const API_LOG_ENTRIES = 1_000;
export const WEBHOOK_LOG_ENTRIES = 10_000;

export function memoryStore(): SandboxStore {
  return {
    senders: new SenderRows(),
    transactions: new TransactionRows(),
    recipients: new RecipientRows(),
    payoutMethods: new PayoutMethodRows(),
    documents: new DocumentRows(),
    mandates: new MandateRows(),
    debits: new Rows<DebitRecord>(),
    webhooks: new WebhookMap(),
    deliveries: new RecordMap<DeliveryRecord>(),
    apiLogs: new Recent<ApiLogRecord>(API_LOG_ENTRIES),
    webhookLogs: new Recent<WebhookLogRecord>(WEBHOOK_LOG_ENTRIES),
    postings: new RecordMap<PostingRecord>(),
    tasks: new TaskMap(),
    nonces: new Nonces(),
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
  readonly #byPayin = new Map<string, TransactionRecord>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: TransactionRecord): void {
    this.#rows.insert(row);
    addTo(this.#bySender, row.senderId, row);
    for (const payin of row.payins) this.#byPayin.set(payin.id, row);
  }

  all(): Iterable<TransactionRecord> {
    return this.#rows.all();
  }

  clear(): void {
    this.#rows.clear();
    this.#bySender.clear();
    this.#byPayin.clear();
  }

  get(id: string): TransactionRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: TransactionRecord, patch: Partial<TransactionRecord>): TransactionRecord {
    for (const payin of patch.payins ?? []) this.#byPayin.set(payin.id, row);
    return this.#rows.update(row, patch);
  }

  byExternalId(externalId: string): TransactionRecord | undefined {
    return this.#rows.byKey(externalId);
  }

  waitingFor(senderId: string): TransactionRecord[] {
    return (this.#bySender.get(senderId) ?? []).filter(({ state }) => state === 'initial');
  }

  byPayin(payinId: string): TransactionRecord | undefined {
    return this.#byPayin.get(payinId);
  }

  page({ senderId }: { senderId?: string | undefined }, window: Window): Page<TransactionRecord> {
    if (senderId === undefined) return this.#rows.page({}, window);
    const rows = this.#bySender.get(senderId) ?? [];
    return pageOf(rows, 0, rows.length, window);
  }
}

class RecipientRows {
  readonly #rows = new Rows<RecipientRecord>();
  readonly #bySender = new Map<string, RecipientRecord[]>();
  readonly #byPayoutMethod = new Map<string, RecipientRecord>();
  readonly #byMandate = new Map<string, RecipientRecord[]>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: RecipientRecord): void {
    this.#rows.insert(row);
    addTo(this.#bySender, row.senderId, row);
    this.#byPayoutMethod.set(row.payoutMethodId, row);
    if (row.mandateId !== null) addTo(this.#byMandate, row.mandateId, row);
  }

  all(): Iterable<RecipientRecord> {
    return this.#rows.all();
  }

  clear(): void {
    this.#rows.clear();
    this.#bySender.clear();
    this.#byPayoutMethod.clear();
    this.#byMandate.clear();
  }

  byPayoutMethod(payoutMethodId: string): RecipientRecord | undefined {
    return this.#byPayoutMethod.get(payoutMethodId);
  }

  byMandate(mandateId: string): RecipientRecord[] {
    return this.#byMandate.get(mandateId) ?? [];
  }

  ofSender(senderId: string, filter: PayoutMethodFilter, window: Window): Page<RecipientRecord> {
    const { types, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
    const rows = (this.#bySender.get(senderId) ?? []).filter(
      ({ payoutType, createdAt }) =>
        createdAt >= from && createdAt <= to && (!types || types.includes(payoutType)),
    );
    return pageOf(rows, 0, rows.length, window);
  }

  get(id: string): RecipientRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: RecipientRecord, patch: Partial<RecipientRecord>): RecipientRecord {
    const before = row.mandateId;
    const after = this.#rows.update(row, patch);
    if (after.mandateId !== before) {
      if (before !== null) removeFrom(this.#byMandate, before, row);
      if (after.mandateId !== null) addTo(this.#byMandate, after.mandateId, row);
    }
    return after;
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

class PayoutMethodRows extends Rows<PayoutMethodRecord> {
  override page(filter: PayoutMethodFilter, window: Window): Page<PayoutMethodRecord> {
    const { states, types } = filter;
    if (!states && !types) return super.page(filter, window);
    return super.page(
      filter,
      window,
      (row) => (!states || states.includes(row.state)) && (!types || types.includes(row.type)),
    );
  }
}

class DocumentRows {
  readonly #rows = new Rows<DocumentRecord>();

  get size(): number {
    return this.#rows.size;
  }

  insert(row: DocumentRecord): void {
    this.#rows.insert(row);
  }

  all(): Iterable<DocumentRecord> {
    return this.#rows.all();
  }

  clear(): void {
    this.#rows.clear();
  }

  get(id: string): DocumentRecord | undefined {
    return this.#rows.get(id);
  }

  update(row: DocumentRecord, patch: Partial<DocumentRecord>): DocumentRecord {
    return this.#rows.update(row, patch);
  }

  page(window: Window): Page<DocumentRecord> {
    return this.#rows.page({}, window);
  }
}

class MandateRows extends Rows<MandateRecord> {
  constructor() {
    super((row) => row.identity);
  }

  byIdentity(identity: string): MandateRecord | undefined {
    return this.byKey(identity);
  }
}

function addTo<Row>(index: Map<string, Row[]>, key: string, row: Row): void {
  const rows = index.get(key);
  if (rows) rows.push(row);
  else index.set(key, [row]);
}

function removeFrom<Row>(index: Map<string, Row[]>, key: string, row: Row): void {
  const rows = index.get(key) ?? [];
  const at = rows.indexOf(row);
  if (at >= 0) rows.splice(at, 1);
}
