/** The tables that are asked for more than a record by its id. */
import type { Condition, RecordTable } from '../../core/ports/record-database.ts';
import { amountKey, amountRange } from './amount-key.ts';
import { DurableTable } from './durable-table.ts';
import { ListedTable } from './listed-table.ts';
import type { PayoutMethodFilter, RecipientFilter } from './port.ts';
import type {
  DocumentRecord,
  MandateRecord,
  PayoutMethodRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
  WebhookRecord,
} from './records.ts';
import { pageOf } from './rows.ts';
import type { Page, Period, Window } from './whole.ts';

const EVERY = { order: 'oldest', limit: -1, offset: 0 } as const;

const equals = (column: string, value: string): Condition => ({ column, in: [value] });
const among = (column: string, values: readonly string[] | undefined): Condition[] =>
  values ? [{ column, in: values }] : [];

export class DurableTransactions extends ListedTable<TransactionRecord> {
  /** Which transaction has a payin: there may be several of them in one. */
  readonly payins: DurableTable<{ id: string; transactionId: string }>;

  constructor(table: RecordTable, payins: RecordTable, note: () => void) {
    super(table, note, {
      columns: ({ externalId, senderId, state }) => ({ external_id: externalId, sender_id: senderId, state }),
      key: { column: 'external_id', of: ({ externalId }) => externalId },
      counts: { name: 'transaction_counts', of: ({ state }) => state },
    });
    this.payins = new DurableTable(payins, note, {
      columns: ({ transactionId }) => ({ transaction_id: transactionId }),
    });
  }

  override insert(row: TransactionRecord): void {
    super.insert(row);
    this.#notePayins(row);
  }

  override update(row: TransactionRecord, patch: Partial<TransactionRecord>): TransactionRecord {
    super.update(row, patch);
    if (patch.payins) this.#notePayins(row);
    return row;
  }

  override clear(): void {
    super.clear();
    this.payins.clear();
  }

  override reload(): void {
    super.reload();
    this.payins.reload();
  }

  byExternalId(externalId: string): TransactionRecord | undefined {
    return this.byKey(externalId);
  }

  states(): Record<string, number> {
    return sumBy(this.counts, (state) => state);
  }

  waitingFor(senderId: string): TransactionRecord[] {
    return this.select({ where: [equals('sender_id', senderId), equals('state', 'initial')], ...EVERY });
  }

  byPayin(payinId: string): TransactionRecord | undefined {
    const found = this.payins.get(payinId);
    return found && this.get(found.transactionId);
  }

  page({ senderId }: { senderId?: string | undefined }, window: Window): Page<TransactionRecord> {
    return this.list(senderId === undefined ? [] : [equals('sender_id', senderId)], {}, window);
  }

  #notePayins({ id: transactionId, payins }: TransactionRecord): void {
    for (const { id } of payins) if (!this.payins.get(id)) this.payins.insert({ id, transactionId });
  }
}

export class DurableRecipients extends ListedTable<RecipientRecord> {
  constructor(table: RecordTable, note: () => void) {
    super(table, note, {
      columns: (row) => ({
        created_at: row.createdAt,
        sender_id: row.senderId,
        state: row.state,
        input_currency: row.inputCurrency,
        input_amount: amountKey(row.inputAmount),
        payout_type: row.payoutType,
        payout_method_id: row.payoutMethodId,
        mandate_id: row.mandateId,
      }),
      counts: { name: 'recipient_counts', of: ({ state, inputCurrency }) => `${state} ${inputCurrency}` },
    });
  }

  states(): Record<string, number> {
    return sumBy(this.counts, (word) => word.split(' ')[0] ?? '');
  }

  byPayoutMethod(payoutMethodId: string): RecipientRecord | undefined {
    return this.select({ where: [equals('payout_method_id', payoutMethodId)], ...EVERY })[0];
  }

  byMandate(mandateId: string): RecipientRecord[] {
    return this.select({ where: [equals('mandate_id', mandateId)], ...EVERY });
  }

  ofSender(senderId: string, filter: PayoutMethodFilter, window: Window): Page<RecipientRecord> {
    const own = [equals('sender_id', senderId), ...among('payout_type', filter.types)];
    return this.list(own, filter, window);
  }

  page(filter: RecipientFilter, window: Window): Page<RecipientRecord> {
    const { states, inputCurrencies, amountFrom, amountTo, from, to } = filter;
    const amounts = amountRange(amountFrom, amountTo);
    if (!amounts) return { rows: [], total: 0 };
    const where = [
      ...among('state', states),
      ...among('input_currency', inputCurrencies),
      ...rangeCondition('input_amount', amounts),
    ];
    const counted = [from, to, amounts.from, amounts.to].every((end) => end === undefined);
    return this.list(where, filter, window, counted ? this.#total(states, inputCurrencies) : undefined);
  }

  #total(states: RecipientFilter['states'], currencies: RecipientFilter['inputCurrencies']): number {
    let total = 0;
    for (const [word, count] of Object.entries(this.counts)) {
      const [state = '', currency = ''] = word.split(' ');
      if ((!states || states.includes(state)) && (!currencies || currencies.includes(currency)))
        total += count;
    }
    return total;
  }
}

/** Counts of words added up by what the words have in common; those of nothing are left out. */
function sumBy(
  counts: Readonly<Record<string, number>>,
  common: (word: string) => string,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [word, count] of Object.entries(counts))
    if (count > 0) sums[common(word)] = (sums[common(word)] ?? 0) + count;
  return sums;
}

function rangeCondition(column: string, range: { from?: string; to?: string }): Condition[] {
  return range.from === undefined && range.to === undefined ? [] : [{ column, ...range }];
}

export class DurablePayoutMethods extends ListedTable<PayoutMethodRecord> {
  constructor(table: RecordTable, note: () => void) {
    super(table, note, { columns: ({ createdAt, state, type }) => ({ created_at: createdAt, state, type }) });
  }

  page(filter: PayoutMethodFilter, window: Window): Page<PayoutMethodRecord> {
    const chosen = [...among('state', filter.states), ...among('type', filter.types)];
    return this.list(chosen, filter, window);
  }
}

/** Few, and every event asks for all of them: they stay in memory. */
export class DurableWebhooks extends DurableTable<WebhookRecord> {
  #every: WebhookRecord[] | undefined;

  override insert(row: WebhookRecord): void {
    super.insert(row);
    this.#every?.push(row);
  }

  override remove(id: string): void {
    super.remove(id);
    this.#every = this.#every?.filter((row) => row.id !== id);
  }

  override clear(): void {
    super.clear();
    this.#every = [];
  }

  override reload(): void {
    super.reload();
    this.#every = undefined;
  }

  page(window: Window): Page<WebhookRecord> {
    return pageOf([...this.all()], {}, window);
  }

  override all(): Iterable<WebhookRecord> {
    this.#every ??= this.select({ where: [], ...EVERY });
    return this.#every;
  }
}

export class DurableSenders extends ListedTable<SenderRecord> {
  constructor(table: RecordTable, note: () => void) {
    super(table, note, {
      columns: ({ createdAt, externalId }) => ({ created_at: createdAt, external_id: externalId }),
      key: { column: 'external_id', of: ({ externalId }) => externalId },
      counts: { name: 'sender_counts', of: ({ state }) => state },
    });
  }

  states(): Record<string, number> {
    return sumBy(this.counts, (state) => state);
  }

  byExternalId(externalId: string): SenderRecord | undefined {
    return this.byKey(externalId);
  }

  page(filter: Period, window: Window): Page<SenderRecord> {
    return this.list([], filter, window);
  }
}

export class DurableMandates extends DurableTable<MandateRecord> {
  constructor(table: RecordTable, note: () => void) {
    super(table, note, {
      columns: ({ identity }) => ({ identity }),
      key: { column: 'identity', of: ({ identity }) => identity },
    });
  }

  byIdentity(identity: string): MandateRecord | undefined {
    return this.byKey(identity);
  }
}

export class DurableDocuments extends ListedTable<DocumentRecord> {
  page(window: Window): Page<DocumentRecord> {
    return this.list([], {}, window);
  }
}
