/** The tables of a sandbox, as handlers ask them. Lists are newest first. With `durable` every change is kept on disk too (decision 0084). */
import type { Decimal } from '../../core/money.ts';
import type { Steps } from '../slices.ts';
import type { Nonces } from './nonces.ts';
import type { Piece } from './pieces.ts';
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
import type { Task } from './task.ts';
import type { Page, Period, Whole, Window } from './whole.ts';

export interface RecipientFilter extends Period {
  states?: readonly string[] | undefined;
  inputCurrencies?: readonly string[] | undefined;
  amountFrom?: Decimal | undefined;
  amountTo?: Decimal | undefined;
}

export interface PayoutMethodFilter extends Period {
  states?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
}

interface Table<Row> extends Whole<Row> {
  get(id: string): Row | undefined;
  readonly size: number;
}

interface ChangingTable<Row> extends Table<Row> {
  /** The row with the members of `patch` changed. */
  update(row: Row, patch: Partial<Row>): Row;
}

/** How many records there are in each state; states without any are left out. Kept as records change: nobody counts. */
interface Tallied {
  states(): Record<string, number>;
}

export interface SandboxStore {
  senders: ChangingTable<SenderRecord> &
    Tallied & {
      byExternalId(externalId: string): SenderRecord | undefined;
      page(filter: Period, window: Window): Page<SenderRecord>;
    };
  transactions: ChangingTable<TransactionRecord> &
    Tallied & {
      byExternalId(externalId: string): TransactionRecord | undefined;
      /** Those that still wait for their sender, oldest first. */
      waitingFor(senderId: string): TransactionRecord[];
      /** The one that has this payin method. */
      byPayin(payinId: string): TransactionRecord | undefined;
      page(filter: { senderId?: string | undefined }, window: Window): Page<TransactionRecord>;
    };
  recipients: ChangingTable<RecipientRecord> &
    Tallied & {
      page(filter: RecipientFilter, window: Window): Page<RecipientRecord>;
      byPayoutMethod(payoutMethodId: string): RecipientRecord | undefined;
      /** Those that wait for this mandate, oldest first. */
      byMandate(mandateId: string): RecipientRecord[];
      /** The recipients of all transactions of one sender. */
      ofSender(
        senderId: string,
        filter: Pick<PayoutMethodFilter, 'types' | keyof Period>,
        window: Window,
      ): Page<RecipientRecord>;
    };
  payoutMethods: ChangingTable<PayoutMethodRecord> & {
    page(filter: PayoutMethodFilter, window: Window): Page<PayoutMethodRecord>;
  };
  documents: ChangingTable<DocumentRecord> & { page(window: Window): Page<DocumentRecord> };
  mandates: ChangingTable<MandateRecord> & {
    byIdentity(identity: string): MandateRecord | undefined;
  };
  debits: Table<DebitRecord>;
  webhooks: ChangingTable<WebhookRecord> & {
    remove(id: string): void;
    page(window: Window): Page<WebhookRecord>;
  };
  deliveries: ChangingTable<DeliveryRecord> & { remove(id: string): void };
  /** Bounded: the oldest entries make room. */
  apiLogs: Table<ApiLogRecord> & { page(filter: Period, window: Window): Page<ApiLogRecord> };
  webhookLogs: Table<WebhookLogRecord> & { page(filter: Period, window: Window): Page<WebhookLogRecord> };
  /** Each is kept under its cause. */
  postings: Table<PostingRecord>;
  tasks: TaskTable;
  nonces: Nonces;
  /** Undefined for a store that forgets. */
  durable?: Durability;
}

/** Written only: the schedule knows what is on it. */
export interface TaskTable extends Whole<Task> {
  remove(task: Task): void;
}

export const tableNames = [
  'senders',
  'transactions',
  'recipients',
  'payoutMethods',
  'documents',
  'mandates',
  'debits',
  'webhooks',
  'deliveries',
  'apiLogs',
  'webhookLogs',
  'postings',
  'tasks',
  'nonces',
] as const satisfies readonly (keyof SandboxStore)[];

export type TableName = (typeof tableNames)[number];

export interface Durability {
  /** Whether anything was ever committed. */
  readonly isNew: boolean;
  /** Records that changed and are not written yet. */
  readonly waiting: number;
  /** Called at a change of a record. */
  onChange: () => void;
  /** The value of a piece at the last commit; undefined for one that there was not. */
  piece(name: string): unknown;
  /** Writes all records anew, instead of those that are there, a record a step: other tables took the place of the old ones. */
  rewriting(): Steps;
  /** Everything that changed, and the pieces, are on disk when this returns. */
  commit(pieces: readonly Piece[]): void;
  /** Reads everything again as it was at the last commit; objects that were handed out count no more. */
  rollback(): void;
}
