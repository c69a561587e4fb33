/** The store in memory, with an index for everything that a request looks up. */
import { gte } from '../../core/money.ts';
import { FacetedRows, type Question } from './faceted-rows.ts';
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
import type { Page, Period, Window } from './whole.ts';

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
    apiLogs: new Recent<ApiLogRecord>(API_LOG_ENTRIES, ['body', 'responseBody']),
    webhookLogs: new Recent<WebhookLogRecord>(WEBHOOK_LOG_ENTRIES, ['requestBody', 'responseBody']),
    postings: new RecordMap<PostingRecord>(),
    tasks: new TaskMap(),
    nonces: new Nonces(),
  };
}

class SenderRows extends FacetedRows<SenderRecord> {
  constructor() {
    super(['state'], (row) => row.externalId);
  }

  states(): Record<string, number> {
    return this.tally('state');
  }

  byExternalId(externalId: string): SenderRecord | undefined {
    return this.byKey(externalId);
  }

  page(period: Period, window: Window): Page<SenderRecord> {
    return pageOf(this.rows, period, window);
  }
}

class TransactionRows extends FacetedRows<TransactionRecord> {
  readonly #bySender = new Map<string, TransactionRecord[]>();
  readonly #byPayin = new Map<string, TransactionRecord>();

  constructor() {
    super(['state'], (row) => row.externalId);
  }

  override insert(row: TransactionRecord): void {
    super.insert(row);
    addTo(this.#bySender, row.senderId, row);
    for (const payin of row.payins) this.#byPayin.set(payin.id, row);
  }

  override clear(): void {
    super.clear();
    this.#bySender.clear();
    this.#byPayin.clear();
  }

  override update(row: TransactionRecord, patch: Partial<TransactionRecord>): TransactionRecord {
    for (const payin of patch.payins ?? []) this.#byPayin.set(payin.id, row);
    return super.update(row, patch);
  }

  byExternalId(externalId: string): TransactionRecord | undefined {
    return this.byKey(externalId);
  }

  states(): Record<string, number> {
    return this.tally('state');
  }

  waitingFor(senderId: string): TransactionRecord[] {
    return (this.#bySender.get(senderId) ?? []).filter(({ state }) => state === 'initial');
  }

  byPayin(payinId: string): TransactionRecord | undefined {
    return this.#byPayin.get(payinId);
  }

  page({ senderId }: { senderId?: string | undefined }, window: Window): Page<TransactionRecord> {
    return pageOf(senderId === undefined ? this.rows : (this.#bySender.get(senderId) ?? []), {}, window);
  }
}

class RecipientRows extends FacetedRows<RecipientRecord> {
  readonly #bySender = new Map<string, RecipientRecord[]>();
  readonly #byPayoutMethod = new Map<string, RecipientRecord>();
  readonly #byMandate = new Map<string, RecipientRecord[]>();

  constructor() {
    super(['state', 'inputCurrency']);
  }

  override insert(row: RecipientRecord): void {
    super.insert(row);
    addTo(this.#bySender, row.senderId, row);
    this.#byPayoutMethod.set(row.payoutMethodId, row);
    if (row.mandateId !== null) addTo(this.#byMandate, row.mandateId, row);
  }

  override clear(): void {
    super.clear();
    this.#bySender.clear();
    this.#byPayoutMethod.clear();
    this.#byMandate.clear();
  }

  states(): Record<string, number> {
    return this.tally('state');
  }

  byPayoutMethod(payoutMethodId: string): RecipientRecord | undefined {
    return this.#byPayoutMethod.get(payoutMethodId);
  }

  byMandate(mandateId: string): RecipientRecord[] {
    return this.#byMandate.get(mandateId) ?? [];
  }

  ofSender(senderId: string, filter: PayoutMethodFilter, window: Window): Page<RecipientRecord> {
    const among = this.#bySender.get(senderId) ?? [];
    const { types } = filter;
    if (!types) return pageOf(among, filter, window);
    const name = `${senderId} ${types}`;
    const fits = (row: RecipientRecord) => row.senderId === senderId && types.includes(row.payoutType);
    return this.ask({ values: {}, more: { name, fits, among } }, filter, window);
  }

  override update(row: RecipientRecord, patch: Partial<RecipientRecord>): RecipientRecord {
    const before = row.mandateId;
    const after = super.update(row, patch);
    if (after.mandateId !== before) {
      if (before !== null) removeFrom(this.#byMandate, before, row);
      if (after.mandateId !== null) addTo(this.#byMandate, after.mandateId, row);
    }
    return after;
  }

  page(filter: RecipientFilter, window: Window): Page<RecipientRecord> {
    const { states, inputCurrencies } = filter;
    const more = amountQuestion(filter);
    if (!states && !inputCurrencies && !more) return pageOf(this.rows, filter, window);
    return this.ask({ values: { state: states, inputCurrency: inputCurrencies }, more }, filter, window);
  }
}

function amountQuestion({ amountFrom, amountTo }: RecipientFilter): Question<RecipientRecord>['more'] {
  if (amountFrom === undefined && amountTo === undefined) return undefined;
  return {
    name: `${amountFrom} ${amountTo}`,
    fits: ({ inputAmount }) =>
      (amountFrom === undefined || gte(inputAmount, amountFrom)) &&
      (amountTo === undefined || gte(amountTo, inputAmount)),
  };
}

class PayoutMethodRows extends FacetedRows<PayoutMethodRecord> {
  constructor() {
    super(['state', 'type']);
  }

  page(filter: PayoutMethodFilter, window: Window): Page<PayoutMethodRecord> {
    const { states, types } = filter;
    if (!states && !types) return pageOf(this.rows, filter, window);
    return this.ask({ values: { state: states, type: types } }, filter, window);
  }
}

class DocumentRows extends Rows<DocumentRecord> {
  page(window: Window): Page<DocumentRecord> {
    return pageOf(this.rows, {}, window);
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
