/** The store of a sandbox: everything in memory, with an index for each question that a handler asks. */
import { type Decimal, gte } from '../../core/money.ts';
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
  Task,
  TransactionRecord,
  WebhookLogRecord,
  WebhookRecord,
} from './records.ts';
import { CountedRows, pageOf, RecordMap, Rows } from './rows.ts';
import type { TablePage, TimeRange, Window } from './table-contract.ts';

export /** @assumes logs-kept */
const API_LOG_ENTRIES = 1_000;
export const WEBHOOK_LOG_ENTRIES = 10_000;
const REMEMBERED_NONCES = 100_000;

export interface RecipientFilter extends TimeRange {
  states?: readonly string[] | undefined;
  inputCurrencies?: readonly string[] | undefined;
  amountFrom?: Decimal | undefined;
  amountTo?: Decimal | undefined;
}

interface TransactionFilter extends TimeRange {
  senderId?: string | undefined;
}

interface PayoutMethodFilter extends TimeRange {
  states?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
}

/** Follows the order in which a snapshot and a file have them. */
export function memoryTables() {
  return {
    senders: new SenderRows(),
    transactions: new TransactionRows(),
    recipients: new RecipientRows(),
    payoutMethods: new PayoutMethodRows(),
    documents: new Rows<DocumentRecord>(),
    /** Found by their identity. */
    mandates: new Rows<MandateRecord>((row) => row.identity),
    debits: new RecordMap<DebitRecord>(),
    webhooks: new WebhookMap(),
    deliveries: new RecordMap<DeliveryRecord>(),
    /** Bounded: the oldest entries make room. */
    apiLogs: new Recent<ApiLogRecord>(API_LOG_ENTRIES, ['body', 'responseBody']),
    webhookLogs: new Recent<WebhookLogRecord>(WEBHOOK_LOG_ENTRIES, ['requestBody', 'responseBody']),
    /** Each is kept under its cause. */
    postings: new RecordMap<PostingRecord>(),
    /** Written only: the schedule knows what is on it. */
    tasks: new TaskMap(),
    nonces: new Recent<{ id: string }>(REMEMBERED_NONCES),
  };
}

class SenderRows extends CountedRows<SenderRecord> {
  constructor() {
    super((row) => row.externalId);
  }

  byExternalId(externalId: string): SenderRecord | undefined {
    return this.byKey(externalId);
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

  /** The transactions that still wait for their sender, oldest first. */
  waitingFor(senderId: string): TransactionRecord[] {
    return (this.#bySender.get(senderId) ?? []).filter(({ state }) => state === 'initial');
  }

  /** The one that has this payin method. */
  byPayin(payinId: string): TransactionRecord | undefined {
    return this.#byPayin.get(payinId);
  }

  override page(filter: TransactionFilter, window: Window): TablePage<TransactionRecord> {
    const { senderId } = filter;
    return pageOf(senderId === undefined ? this.rows : (this.#bySender.get(senderId) ?? []), filter, window);
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

  /** The recipients that wait for this mandate, oldest first. */
  byMandate(mandateId: string): RecipientRecord[] {
    return this.#byMandate.get(mandateId) ?? [];
  }

  /** The recipients of all transactions of one sender. */
  ofSender(
    senderId: string,
    filter: Omit<PayoutMethodFilter, 'states'>,
    window: Window,
  ): TablePage<RecipientRecord> {
    const { types } = filter;
    const fits = types && ((row: RecipientRecord) => types.includes(row.payoutType));
    return pageOf(this.#bySender.get(senderId) ?? [], filter, window, fits);
  }

  override page(filter: RecipientFilter, window: Window): TablePage<RecipientRecord> {
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

/**
 * Returns a test of whether an amount is at least (1) or at most (-1) this bound. A float never changes the order of
 * two amounts: only equal ones need decimals.
 */
function comparedWith(bound: Decimal, sign: 1 | -1): (amount: Decimal) => boolean {
  const near = Number(bound);
  return (amount) => {
    const difference = sign * (Number(amount) - near);
    if (difference !== 0) return difference > 0;
    return sign === 1 ? gte(amount, bound) : gte(bound, amount);
  };
}

class PayoutMethodRows extends Rows<PayoutMethodRecord> {
  override page(filter: PayoutMethodFilter, window: Window): TablePage<PayoutMethodRecord> {
    const { states, types } = filter;
    const fits = ({ state, type }: PayoutMethodRecord) =>
      (!states || states.includes(state)) && (!types || types.includes(type));
    return pageOf(this.rows, filter, window, states || types ? fits : undefined);
  }
}

class WebhookMap extends RecordMap<WebhookRecord> {
  page(window: Window): TablePage<WebhookRecord> {
    return pageOf([...this.all()], {}, window);
  }
}

export class TaskMap extends RecordMap<Task, number> {
  protected override idOf({ sequence }: Task): number {
    return sequence;
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

export const tableNames = Object.keys(memoryTables()) as (keyof ReturnType<typeof memoryTables>)[];
