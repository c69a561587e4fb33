/** The store of a sandbox: everything in memory, with an index for each question that a handler asks. */
import { type Decimal, gte } from '../../core/money.ts';
import { Nonces } from './nonces.ts';
import type { PayoutMethodFilter, RecipientFilter, SandboxStore, TaskTable } from './port.ts';
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
  WebhookRecord,
} from './records.ts';
import { CountedRows, pageOf, RecordMap, Rows } from './rows.ts';
import type { Task } from './task.ts';
import type { Keeper, Page, Period, Window } from './whole.ts';

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
    debits: new RecordMap<DebitRecord>(),
    webhooks: new WebhookMap(),
    deliveries: new RecordMap<DeliveryRecord>(),
    apiLogs: new Recent<ApiLogRecord>(API_LOG_ENTRIES, ['body', 'responseBody']),
    webhookLogs: new Recent<WebhookLogRecord>(WEBHOOK_LOG_ENTRIES, ['requestBody', 'responseBody']),
    postings: new RecordMap<PostingRecord>(),
    tasks: new TaskMap(),
    nonces: new Nonces(),
  };
}

class SenderRows extends CountedRows<SenderRecord> {
  constructor() {
    super((row) => row.externalId);
  }

  byExternalId(externalId: string): SenderRecord | undefined {
    return this.byKey(externalId);
  }

  page(period: Period, window: Window): Page<SenderRecord> {
    return pageOf(this.rows, period, window);
  }
}

class TransactionRows extends CountedRows<TransactionRecord> {
  readonly #bySender = new Map<string, TransactionRecord[]>();
  readonly #byPayin = new Map<string, TransactionRecord>();

  constructor() {
    super((row) => row.externalId);
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
    super.update(row, patch);
    for (const payin of patch.payins ?? []) this.#byPayin.set(payin.id, row);
    return row;
  }

  byExternalId(externalId: string): TransactionRecord | undefined {
    return this.byKey(externalId);
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

class RecipientRows extends CountedRows<RecipientRecord> {
  readonly #bySender = new Map<string, RecipientRecord[]>();
  readonly #byPayoutMethod = new Map<string, RecipientRecord>();
  readonly #byMandate = new Map<string, RecipientRecord[]>();

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

  override update(row: RecipientRecord, patch: Partial<RecipientRecord>): RecipientRecord {
    const before = row.mandateId;
    super.update(row, patch);
    if (row.mandateId !== before) {
      if (before !== null) removeFrom(this.#byMandate, before, row);
      if (row.mandateId !== null) addTo(this.#byMandate, row.mandateId, row);
    }
    return row;
  }

  byPayoutMethod(payoutMethodId: string): RecipientRecord | undefined {
    return this.#byPayoutMethod.get(payoutMethodId);
  }

  byMandate(mandateId: string): RecipientRecord[] {
    return this.#byMandate.get(mandateId) ?? [];
  }

  ofSender(senderId: string, filter: PayoutMethodFilter, window: Window): Page<RecipientRecord> {
    const { types } = filter;
    const fits = types && ((row: RecipientRecord) => types.includes(row.payoutType));
    return pageOf(this.#bySender.get(senderId) ?? [], filter, window, fits);
  }

  page(filter: RecipientFilter, window: Window): Page<RecipientRecord> {
    return pageOf(this.rows, filter, window, recipientTest(filter));
  }
}

/** Undefined where every recipient fits. Amounts come last: they cost most. */
function recipientTest(filter: RecipientFilter): ((row: RecipientRecord) => boolean) | undefined {
  const { states, inputCurrencies, amountFrom, amountTo } = filter;
  if (!states && !inputCurrencies && amountFrom === undefined && amountTo === undefined) return undefined;
  const isEnough = amountFrom === undefined ? () => true : comparedWith(amountFrom, 1);
  const isNotTooMuch = amountTo === undefined ? () => true : comparedWith(amountTo, -1);
  return ({ state, inputCurrency, inputAmount }) =>
    (!states || states.includes(state)) &&
    (!inputCurrencies || inputCurrencies.includes(inputCurrency)) &&
    isEnough(inputAmount) &&
    isNotTooMuch(inputAmount);
}

/** Whether an amount is at least (1) or at most (-1) this bound. A float never changes the order of two amounts: only equal ones need decimals. */
function comparedWith(bound: Decimal, sign: 1 | -1): (amount: Decimal) => boolean {
  const near = Number(bound);
  return (amount) => {
    const difference = sign * (Number(amount) - near);
    if (difference !== 0) return difference > 0;
    return sign === 1 ? gte(amount, bound) : gte(bound, amount);
  };
}

class PayoutMethodRows extends Rows<PayoutMethodRecord> {
  page(filter: PayoutMethodFilter, window: Window): Page<PayoutMethodRecord> {
    const { states, types } = filter;
    const fits = ({ state, type }: PayoutMethodRecord) =>
      (!states || states.includes(state)) && (!types || types.includes(type));
    return pageOf(this.rows, filter, window, states || types ? fits : undefined);
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

class WebhookMap extends RecordMap<WebhookRecord> {
  page(window: Window): Page<WebhookRecord> {
    return pageOf([...this.all()], {}, window);
  }
}

export class TaskMap implements TaskTable {
  keeper: Keeper | undefined;
  readonly #tasks = new Map<number, Task>();

  insert(task: Task): void {
    this.#tasks.set(task.sequence, task);
    this.keeper?.put(task.sequence, task);
  }

  remove({ sequence }: Task): void {
    if (this.#tasks.delete(sequence)) this.keeper?.remove(sequence);
  }

  all(): Iterable<Task> {
    return this.#tasks.values();
  }

  clear(): void {
    this.#tasks.clear();
    this.keeper?.clear();
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
