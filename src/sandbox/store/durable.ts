/** The store on disk, over the port for records (decision 0044): what was committed is there after a crash, whole. */
import type { RecordDatabase, RecordTable } from '../../core/ports/record-database.ts';
import { DurableLog, DurableNonces, DurableTasks } from './durable-logs.ts';
import {
  DurableDocuments,
  DurableMandates,
  DurablePayoutMethods,
  DurableRecipients,
  DurableSenders,
  DurableTransactions,
  DurableWebhooks,
} from './durable-rows.ts';
import { DurableTable } from './durable-table.ts';
import { API_LOG_ENTRIES, WEBHOOK_LOG_ENTRIES } from './memory.ts';
import type { Piece } from './pieces.ts';
import type { Durability, SandboxStore } from './port.ts';
import type {
  ApiLogRecord,
  DebitRecord,
  DeliveryRecord,
  PostingRecord,
  WebhookLogRecord,
} from './records.ts';

/** Over a database made by `sandboxData` (`tables.ts`). */
export function durableStore(data: RecordDatabase): SandboxStore & { durable: Durability } {
  let onChange = () => {};
  const note = () => onChange();
  const tables = tablesOf(data, note);
  const every = [...Object.values(tables), tables.transactions.payins];
  const pieces = new KeptPieces(data.table('pieces'));
  const counted = [tables.senders, tables.transactions, tables.recipients];
  const own = counted.flatMap(({ piece }) => piece ?? []);
  const readOwn = () => {
    for (const table of counted) readCounts(table, pieces);
  };
  readOwn();
  return {
    ...tables,
    durable: {
      get isNew() {
        return pieces.isEmpty;
      },
      get waiting() {
        return every.reduce((sum, table) => sum + ('waiting' in table ? table.waiting : 0), 0);
      },
      get onChange() {
        return onChange;
      },
      set onChange(callback) {
        onChange = callback;
      },
      piece: (name) => pieces.get(name),
      write() {
        for (const table of every) table.flush();
        for (const table of every) if (table instanceof DurableTable) table.evict();
      },
      commit(others) {
        for (const table of every) table.flush();
        pieces.put([...own, ...others]);
        data.commit();
        for (const table of every) if (table instanceof DurableTable) table.evict();
      },
      rollback() {
        data.rollback();
        for (const table of every) table.reload();
        pieces.reload();
        readOwn();
      },
    },
  };
}

/** A file of an earlier version has no counts of some tables. */
function readCounts(
  table: DurableSenders | DurableTransactions | DurableRecipients,
  pieces: KeptPieces,
): void {
  const { piece } = table;
  const kept = piece && pieces.get(piece.name);
  if (kept !== undefined) piece?.write(kept);
  else table.recount();
}

function tablesOf(data: RecordDatabase, note: () => void) {
  const table = (name: string) => data.table(name);
  return {
    senders: new DurableSenders(table('senders'), note),
    transactions: new DurableTransactions(table('transactions'), table('payins'), note),
    recipients: new DurableRecipients(table('recipients'), note),
    payoutMethods: new DurablePayoutMethods(table('payout_methods'), note),
    documents: new DurableDocuments(table('documents'), note),
    mandates: new DurableMandates(table('mandates'), note),
    debits: new DurableTable<DebitRecord>(table('debits'), note),
    webhooks: new DurableWebhooks(table('webhooks'), note),
    deliveries: new DurableTable<DeliveryRecord>(table('deliveries'), note),
    apiLogs: new DurableLog<ApiLogRecord>(table('api_logs'), note, API_LOG_ENTRIES),
    webhookLogs: new DurableLog<WebhookLogRecord>(table('webhook_logs'), note, WEBHOOK_LOG_ENTRIES),
    postings: new DurableTable<PostingRecord>(table('postings'), note),
    tasks: new DurableTasks(table('tasks'), note),
    nonces: new DurableNonces(table('nonces'), note),
  };
}

/** Written only where the value is another one than at the last commit. */
class KeptPieces {
  readonly #table: RecordTable;
  readonly #kept = new Map<string, { sequence: number; body: string }>();

  constructor(table: RecordTable) {
    this.#table = table;
    this.reload();
  }

  reload(): void {
    this.#kept.clear();
    const every = { where: [], order: 'oldest', limit: -1, offset: 0 } as const;
    for (const { id, sequence, body } of this.#table.select(every)) this.#kept.set(id, { sequence, body });
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  get(name: string): unknown {
    const kept = this.#kept.get(name);
    return kept && JSON.parse(kept.body);
  }

  put(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      const body = JSON.stringify(piece.read());
      const kept = this.#kept.get(piece.name);
      if (kept?.body === body) continue;
      const sequence = kept?.sequence ?? this.#table.lastSequence() + 1;
      if (kept) this.#table.change(sequence, {}, body);
      else this.#table.add({ sequence, id: piece.name, columns: {}, body });
      this.#kept.set(piece.name, { sequence, body });
    }
  }
}
