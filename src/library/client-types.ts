/**
 * The public types of `remit-cli/client`: what partners' own services pay with. The build writes out what comes from the contract,
 * so that a partner's compiler needs one file.
 */
import type * as z from 'zod/mini';
import type { CallFacts } from '../client/errors.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Page } from '../client/pages.ts';
import type { Rounded } from '../client/rounding.ts';
import type {
  Intent,
  IntentClosing,
  IntentFilter,
  IntentStanding,
  IntentState,
  Intents,
  KeyJoins,
  NewIntent,
  Opening,
} from '../client/store/port.ts';
import type { account, debitWrite, partnerBalance } from '../contract/resources/account.ts';
import type {
  document,
  documentWrite,
  mandate,
  mandateStatuses,
  proofOfPayment,
} from '../contract/resources/document.ts';
import type { currency, currencyExchange, paymentMethod } from '../contract/resources/info.ts';
import type { apiLog, webhookLog } from '../contract/resources/log.ts';
import type {
  payinMethod,
  payinMethodWrite,
  payoutMethod,
  payoutMethodStates,
  payoutMethodWrite,
} from '../contract/resources/payment-method.ts';
import type { SenderWrite, sender } from '../contract/resources/sender.ts';
import type {
  flowDiscovery,
  recipient,
  recipientEdit,
  transaction,
  transactionWrite,
} from '../contract/resources/transaction.ts';
import type { accountValidationRequest, accountValidationResult } from '../contract/resources/validation.ts';
import type { webhookDefinition } from '../contract/resources/webhook.ts';
import type { payinMethodStates } from '../contract/states/payin-method.ts';
import type { recipientStates } from '../contract/states/recipient.ts';
import type { senderStates } from '../contract/states/sender.ts';
import type { transactionStates } from '../contract/states/transaction.ts';
import type { AccountKey, Key, KeyJoin, KnownKey } from '../core/account.ts';
import type { OptionErrorCode } from '../core/check-options.ts';
import type { Effect } from '../core/effect.ts';
import type { FieldProblem } from '../core/problem.ts';
import type {
  PostgresClient,
  PostgresConnection,
  PostgresPool,
  PostgresQueries,
} from '../disk/postgres-queries.ts';
import type { StoreErrorKind } from '../disk/store-error.ts';

export type {
  AccountKey,
  CallFacts,
  Effect,
  Exchange,
  FieldProblem,
  Intent,
  IntentClosing,
  IntentFilter,
  IntentStanding,
  IntentState,
  Intents,
  Key,
  KeyJoin,
  KeyJoins,
  KnownKey,
  NewIntent,
  Opening,
  OptionErrorCode,
  Page,
  PostgresClient,
  PostgresConnection,
  PostgresPool,
  PostgresQueries,
  Rounded,
  SenderWrite,
  StoreErrorKind,
};

type Out<Schema extends z.core.$ZodType> = z.output<Schema>;

/** The words that are known today. A record may come with one that the service added since: have a default. */
export type TransactionState = keyof typeof transactionStates;
export type RecipientState = keyof typeof recipientStates;
export type SenderState = keyof typeof senderStates;
export type PayinMethodState = keyof typeof payinMethodStates;
export type PayoutMethodState = (typeof payoutMethodStates)[number];
export type MandateStatus = (typeof mandateStatuses)[number];

/** Records of the service. Amounts are decimal texts. Members that the service adds later are there too. */
export type Account = Out<typeof account>;
export type PartnerBalance = Out<typeof partnerBalance>;
export type Transaction = Out<typeof transaction>;
export type Recipient = Out<typeof recipient>;
export type Sender = Out<typeof sender>;
export type PayoutMethod = Out<typeof payoutMethod>;
export type PayinMethod = Out<typeof payinMethod>;
export type Document = Out<typeof document>;
export type Mandate = Out<typeof mandate>;
export type ProofOfPayment = Out<typeof proofOfPayment>;
export type Currency = Out<typeof currency>;
export type CurrencyExchange = Out<typeof currencyExchange>;
export type PaymentMethod = Out<typeof paymentMethod>;
export type ApiLog = Out<typeof apiLog>;
export type WebhookLog = Out<typeof webhookLog>;
export type WebhookDefinition = Out<typeof webhookDefinition>;
export type AccountValidationResult = Out<typeof accountValidationResult>;

/** The answer of the bank or the operator about an account: the result, or why there is none. */
export interface AccountValidation {
  result: AccountValidationResult | null;
  error: string | null;
}

/**
 * The body of a write. Amounts are decimal texts. A member that the contract does not have is refused before anything
 * is sent.
 */
export type TransactionWrite = Out<typeof transactionWrite>;
export type FlowDiscovery = Out<typeof flowDiscovery>;
export type RecipientEdit = Out<typeof recipientEdit>;
export type PayoutMethodWrite = Out<typeof payoutMethodWrite>;
export type PayinMethodWrite = Out<typeof payinMethodWrite>;
export type DocumentWrite = Out<typeof documentWrite>;
export type DebitWrite = Out<typeof debitWrite>;
export type AccountValidationWrite = Out<typeof accountValidationRequest>;

/** A payment has a name of its own, by which it is found again: one `external_id`, one transaction, for ever. */
export interface NamedTransaction extends TransactionWrite {
  external_id: string;
}

export interface WebhookWrite {
  url: string;
  events: string[];
  metadata?: { [name: string]: unknown };
}

/** The members of an AbortSignal that are used, whichever types of it a project has. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** How one call is made, where that is not how every call is. */
export interface CallOptions {
  /** Ends it. A write that is on its way then has an unknown outcome. */
  signal?: Signal | undefined;
  /** For each attempt, connecting included. */
  timeoutMs?: number | undefined;
  /** Reads are repeated so often on passing failures; 0: nothing is sent twice, writes neither. */
  retries?: number | undefined;
  /** A fresh one for each attempt. */
  nonce?: (() => string) | undefined;
  /** More headers, such as those of a trace. */
  headers?: { readonly [name: string]: string } | undefined;
}

/** How a write that moves money, or changes where it goes, is made: and what an earlier one of the same means for it. */
export interface MoneyOptions extends CallOptions {
  /**
   * Says what happens to an earlier write of the same whose outcome is unknown. True, also where it is absent: that
   * write is settled first. If it was applied, that is the answer (`how: 'earlier'`). If it was not, the call goes
   * on. If undecided, the outcome is `unknown`. False: nothing is settled, and the outcome is `unknown` with that
   * intent.
   */
  settle?: boolean | undefined;
  /** Sends it beside any earlier write of the same. Only this makes a second one, as far as the service takes it. */
  newPayment?: boolean | undefined;
}

/** Options of a write that names accounts: where money goes. */
export interface AccountOptions extends MoneyOptions {
  /**
   * Sends the details of payouts and collections as they are written. Without it a detail that the type does not know, and an account that
   * cannot be one (check digits, letters among digits, length), throw a CheckError, and nothing is sent.
   * @example await client.transactions.createAndFund(payment, { accountsAsWritten: true })
   */
  accountsAsWritten?: boolean | undefined;
}

/** Options of a debit. */
export interface FundingOptions extends MoneyOptions {
  /**
   * The most that the transaction may cost, a decimal text in the currency that is paid in. Above it the outcome is `not_applied`, with a
   * CheckError, and nothing is sent. Else the debit names exactly what the transaction costs, and the service refuses any other amount.
   * @example await client.debits.create({ to_id: id, to_type: 'Transaction' }, { maxInput: '15.00' })
   */
  maxInput?: string | undefined;
}

/** Options of a call that creates a transaction and pays it. */
export interface PaymentOptions extends AccountOptions {
  /**
   * The most that it may cost, a decimal text in `input_currency`, whatever the rate does. It is calculated first: above the limit
   * the outcome is `not_applied` with a CheckError, nothing is sent, and the external id stays free; so too where the balance is too small, or
   * the sender is not approved. Then the transaction is created, compared, and paid by a debit of exactly what it costs. If the rate moved above the limit in between,
   * it is called off: the outcome is `not_applied`, with a `conflict`. The same call goes on with what was created and not paid.
   * @example await client.transactions.createAndFund(payment, { maxInput: '15.00' })
   */
  maxInput?: string | undefined;
}

/** Options of a call that stores an account for later. */
export interface StoringOptions extends CallOptions {
  /**
   * Stores the details as they are written, without the checks of names and accounts.
   * @example await client.payoutMethods.create(method, { accountsAsWritten: true })
   */
  accountsAsWritten?: boolean | undefined;
}

/** `for await (const one of list)`, or page by page. Nothing is asked for before it is wanted; each page is asked for once. */
export interface Listing<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
  page(number: number): Promise<Page<Item>>;
}

/** A record that stands with the service: it has its id. */
export type Recorded<Item> = Item & { id: string };

export interface Applied<Item> {
  outcome: 'applied';
  record: Item;
  /**
   * `answered`: by the service. `existing`: our own earlier request made it. `found`: its answer was lost, and it was found.
   * `earlier`: an earlier call of the same made it, by the journal or by settling it first. No second one was sent.
   */
  how: 'answered' | 'existing' | 'found' | 'earlier';
}

export interface NotApplied {
  outcome: 'not_applied';
  /** One sentence. */
  why: string;
  /** The refusal, or why nothing left. */
  error: CallError | undefined;
  /** Where another record has our `external_id`: that one, and in what it differs. */
  conflict: { record: unknown; differences: string[] } | undefined;
}

export interface Unknown {
  outcome: 'unknown';
  /** One sentence. */
  why: string;
  error: CallError | undefined;
}

interface Journalled {
  /**
   * Amounts that the service rounds: KES, TZS, UGX and NGN are paid in whole units, rounded up. Absent where nothing is rounded.
   * @example for (const { asked, becomes, currency } of made.rounded ?? []) console.log(`${asked} ${currency} is paid as ${becomes}`)
   */
  rounded?: Rounded[];
  /** The record of this write in the journal: `client.settle(intent)` takes it. */
  intent: Intent;
  /** Why the outcome could not be written down: the intent stands open then. */
  unrecorded?: unknown;
}

/**
 * A write that moves money, or may: it is in the journal before it leaves. It answers with an outcome. What throws was not asked: an option or
 * an argument that cannot be one, or a journal that cannot be written.
 */
export type Outcome<Item> = ((Applied<Recorded<Item>> | NotApplied | Unknown) & Journalled) | NotSent;

/** A write of money that was never begun: a limit, or a read before it, said no. No intent stands, and the external id stays free. */
export interface NotSent {
  outcome: 'not_applied';
  /** One sentence. */
  why: string;
  error: CallError | CheckError;
  conflict: undefined;
  intent: undefined;
  rounded?: Rounded[];
  unrecorded?: undefined;
}

/** Any other write. The caller looks for one of unknown outcome. */
export type PlainOutcome<Item> = Applied<Recorded<Item>> | NotApplied | Unknown;
/** The service's answer about a payment that it only validated and did not make: the record has no id. */
export type Validation = Applied<Transaction> | NotApplied | Unknown;

export interface Unsettled extends Intent {
  request: string;
  /** A process that runs, or may run elsewhere, is perhaps still at it. */
  underWay: boolean;
}

export interface SettleOptions extends CallOptions {
  /** Only looks, and sends nothing. */
  look?: boolean;
}

export type CallError = AnswerError | NotReadyError;
type AnswerError = ApiError | NetworkError | UnreadableAnswerError | Contradiction;

/** The service answered, and the answer was no. */
export declare class ApiError extends Error {
  readonly name: 'ApiError';
  readonly status: number;
  readonly kind: 'bad_request' | 'auth' | 'not_found' | 'validation' | 'rate_limit' | 'server' | 'other';
  readonly call: CallFacts;
  readonly fields: FieldProblem[];
  /** The record that has the external id already. */
  readonly existing: { transaction?: unknown; sender?: unknown };
  /** Our nonce: the service's log of requests knows it. */
  readonly requestId: string;
  /** True where the same call may be made again as it is: a read that failed for now. */
  readonly isRetryable: boolean;
  readonly details: { readonly meta: { [name: string]: unknown }; readonly resource: unknown };
}

/** Node has more words than these. */
export type NetworkErrorCode =
  | 'TIMEOUT'
  | 'AbortError'
  | 'ANSWER_TOO_LARGE'
  | 'ANSWER_TOO_SLOW'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'ENOTFOUND'
  | (string & Record<never, never>);

/** There was no whole answer. `reach` says whether anything may have arrived. */
export declare class NetworkError extends Error {
  readonly name: 'NetworkError';
  readonly kind: 'network';
  readonly reach: 'not_sent' | 'may_have_arrived';
  /** A code of ours, or of Node: `ECONNREFUSED` and so on. */
  readonly code: NetworkErrorCode;
  readonly call: CallFacts;
  readonly requestId: string;
  readonly isRetryable: boolean;
}

/** A success that cannot be read, or is the answer to something else. */
export declare class UnreadableAnswerError extends Error {
  readonly name: 'UnreadableAnswerError';
  readonly kind: 'unreadable';
  readonly status: number;
  readonly call: CallFacts;
  readonly requestId: string;
  readonly isRetryable: false;
}

/** Two answers of the service say different things. */
export declare class Contradiction extends Error {
  readonly name: 'Contradiction';
  readonly kind: 'contradiction';
}

/** No write was sent: the service did not first answer a read with this key. `cause` says what came of the read. */
export declare class NotReadyError extends Error {
  readonly name: 'NotReadyError';
  readonly kind: 'not_ready';
  readonly cause: AnswerError;
}

/** The request does not fit the contract: nothing was sent. */
export declare class RequestError extends Error {
  readonly name: 'RequestError';
  readonly kind: 'request';
  readonly operation: string;
  readonly problems: { path: string; message: string }[];
}

/**
 * A check that stands before money said no: this call sent nothing. `problems` names the members of the request where it is about some.
 * @example if (error instanceof CheckError && error.code === 'wrong_account') showCustomer(error.problems)
 */
export declare class CheckError extends Error {
  readonly name: 'CheckError';
  readonly kind: 'check';
  readonly code:
    | 'wrong_account'
    | 'unknown_detail'
    | 'above_max_input'
    | 'insufficient_balance'
    | 'sender_not_approved';
  readonly operation: string;
  readonly problems: { path: string; message: string }[];
}

/** An id that would lead to another place, or is not there: nothing was sent. */
export declare class PathError extends RangeError {
  readonly name: 'PathError';
  readonly kind: 'path';
}

/** An option is missing, unknown, or has a value that it cannot have: nothing was opened, and nothing sent. */
export declare class OptionError extends TypeError {
  readonly name: 'OptionError';
  /** `unknown`: there is none of this name. `insecure`: what is sent in plain text can be read and changed on its way. */
  readonly code: OptionErrorCode;
  /** Its name, such as `baseUrl`. */
  readonly option: string;
}

/** An intent that this client cannot settle: nothing was sent. */
export declare class IntentError extends RangeError {
  readonly name: 'IntentError';
  readonly code: 'not_found' | 'other_account';
  readonly id: string;
}

/** The file of `sqliteIntents` cannot be used. Where a payment throws it, nothing was sent. */
export declare class StoreError extends Error {
  readonly name: 'StoreError';
  readonly kind: StoreErrorKind;
  readonly path: string;
}

/** The types of Fetch, whichever a project has. */
type FetchRequest = typeof globalThis extends { Request: { prototype: infer One } } ? One : object;
type FetchResponse = typeof globalThis extends { Response: { prototype: infer One } } ? One : object;

/** Lines without secrets and personal data. `console` is one. */
export interface Logger {
  debug(line: string): void;
  warn(line: string): void;
}

/** The part of OpenTelemetry's `Span` that is used. */
export interface Span {
  setAttribute(key: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  end(): void;
}

/** The part of OpenTelemetry's `Tracer` that is used. */
export interface Tracer {
  startSpan(name: string, options: SpanOptions): Span;
  startActiveSpan<T>(name: string, options: SpanOptions, run: (span: Span) => T): T;
}
export interface SpanOptions {
  kind?: number;
  attributes: Record<string, string | number>;
}

export interface PartnerClientOptions {
  /** The URL exactly as the operator gave it, version included: `https://api.example.com/v1`. */
  baseUrl: string;
  key: string;
  secret: string;
  /** The journal: without one no money moves. See memoryIntents, sqliteIntents, postgresIntents. */
  intents: Intents;
  /** The account may be set up for the scheme that sends the secret itself; TLS or this machine only. */
  scheme?: 'signature' | 'secret' | undefined;
  /** `sandbox` on this machine, else `production`. Sandbox-only calls are refused elsewhere. */
  environment?: 'sandbox' | 'production' | undefined;
  /**
   * Takes `http://` to a host that is not this machine: only beside `environment: 'sandbox'`, since others can read what is sent
   * so. `scheme: 'secret'` is never sent so.
   */
  insecure?: boolean | undefined;
  /** Names this service in the journal. */
  name?: string | undefined;
  /** Names the machine or pod, so that what a process left behind is known; the host's name where it is absent. */
  host?: string | undefined;
  /** The first segment of the partner balance's path. */
  partnerPath?: string | undefined;
  /**
   * For each attempt, connecting included. Where it is absent: 60 s and the time to connect, and twice that where the
   * service is slow.
   */
  timeoutMs?: number | undefined;
  connectTimeoutMs?: number | undefined;
  /** 3 where it is absent. */
  retries?: number | undefined;
  nonce?: (() => string) | undefined;
  /** Called before each attempt. */
  headers?: ((call: CallFacts) => { readonly [name: string]: string }) | undefined;
  logger?: Logger | undefined;
  /**
   * Told of what `onExchange` and `logger` threw: it changes no outcome. `console.error` where it is absent.
   * @example onError: (error) => Sentry.captureException(error)
   */
  onError?: ((error: unknown) => unknown) | undefined;
  /** Sees every attempt with its bodies, never a header. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /**
   * Takes a tracer of OpenTelemetry: a span for each write, with its outcome, and one for each attempt. What it throws changes no outcome.
   * @example tracer: trace.getTracer('wages')
   */
  tracer?: Tracer | undefined;
  /** Sends the header `traceparent` with each attempt; it needs a tracer. */
  traceparent?: boolean | undefined;
  /** PEM text of the authorities to trust instead of the built-in ones. */
  ca?: string | undefined;
  proxy?: { httpProxy?: string; httpsProxy?: string; noProxy?: string } | undefined;
  /**
   * Sends every request, in place of connections of ours: that of a sandbox in memory, or of a runtime. It must send each request once. No
   * redirect is followed. Whatever fails may have arrived: it is never known that nothing left. `ca`, `proxy`, `connections` and `connectTimeoutMs` are of our connections, and cannot stand beside it.
   * @example fetch: sandbox.fetch
   */
  fetch?: ((request: FetchRequest) => Promise<FetchResponse>) | undefined;
  /** The most, to the service; 32 where it is absent. */
  connections?: number | undefined;
}

interface Paged {
  page?: number;
  per?: number;
}
interface Dated extends Paged {
  created_at_from?: string;
  created_at_to?: string;
}

export interface TransactionQuery extends Paged {
  external_id?: string;
  sender_id?: string;
  transactions_type?: 'automated' | 'manual';
}

export interface RecipientQuery extends Dated {
  amount_from?: string;
  amount_to?: string;
  state?: readonly RecipientState[];
  currency?: readonly string[];
}

export interface SenderQuery extends Dated {
  external_id?: string;
}

export interface PayoutMethodQuery extends Dated {
  state?: readonly PayoutMethodState[];
  type?: readonly string[];
  sender_id?: string;
}

/** A recipient is read through its transaction, so both ids are needed: any listed recipient will do. */
export interface RecipientNamed {
  id?: string | null | undefined;
  transaction_id?: string | null | undefined;
}

/**
 * All operations of the service, named as in its catalogue. Reads answer records, and throw ApiError, NetworkError or
 * UnreadableAnswerError. Writes answer an outcome. What does not fit the contract, and a journal that cannot be written, throw
 * before anything is sent.
 */
export interface PartnerClient {
  readonly baseUrl: string;
  readonly accounts: {
    list(options?: CallOptions): Promise<Account[]>;
    get(currency: string, options?: CallOptions): Promise<Account>;
  };
  readonly debits: {
    /** Funds a transaction from the balance; the record is the transaction. */
    create(debit: DebitWrite, options?: FundingOptions): Promise<Outcome<Transaction>>;
  };
  readonly accountValidations: {
    create(account: AccountValidationWrite, options?: CallOptions): Promise<AccountValidation>;
  };
  readonly apiLogs: {
    list(query?: Dated, options?: CallOptions): Listing<ApiLog>;
    get(id: string, options?: CallOptions): Promise<ApiLog>;
  };
  readonly partnerBalance: {
    list(options?: CallOptions): Promise<PartnerBalance[]>;
  };
  readonly currencies: {
    list(options?: CallOptions): Promise<Currency[]>;
    in(query?: { sender_id?: string }, options?: CallOptions): Promise<CurrencyExchange[]>;
    out(query?: { sender_id?: string }, options?: CallOptions): Promise<CurrencyExchange[]>;
  };
  readonly documents: {
    list(query?: Paged, options?: CallOptions): Listing<Document>;
    create(document: DocumentWrite, options?: CallOptions): Promise<PlainOutcome<Document>>;
    get(id: string, options?: CallOptions): Promise<Document>;
  };
  readonly paymentMethods: {
    in(options?: CallOptions): Promise<PaymentMethod[]>;
    out(options?: CallOptions): Promise<PaymentMethod[]>;
  };
  readonly webhookLogs: {
    list(query?: Dated, options?: CallOptions): Listing<WebhookLog>;
    get(id: string, options?: CallOptions): Promise<WebhookLog>;
  };
  readonly mandates: {
    get(id: string, options?: CallOptions): Promise<Mandate>;
  };
  readonly payinMethods: {
    get(id: string, options?: CallOptions): Promise<PayinMethod>;
    cancel(id: string, options?: MoneyOptions): Promise<Outcome<PayinMethod>>;
    /** Details that change, a one-time code as `otp`. They are read first. */
    edit(
      id: string,
      details: { [name: string]: unknown },
      options?: AccountOptions,
    ): Promise<Outcome<PayinMethod>>;
    retry(id: string, options?: MoneyOptions): Promise<Outcome<PayinMethod>>;
  };
  readonly payoutMethods: {
    list(query?: PayoutMethodQuery, options?: CallOptions): Listing<PayoutMethod>;
    create(method: PayoutMethodWrite, options?: StoringOptions): Promise<PlainOutcome<PayoutMethod>>;
    get(id: string, options?: CallOptions): Promise<PayoutMethod>;
    disable(id: string, options?: CallOptions): Promise<PlainOutcome<PayoutMethod>>;
    /** Details that change. They are read first. It redirects money. */
    edit(
      id: string,
      details: { [name: string]: unknown },
      options?: AccountOptions,
    ): Promise<Outcome<PayoutMethod>>;
  };
  readonly recipients: {
    list(query?: RecipientQuery, options?: CallOptions): Listing<Recipient>;
    /** Accepted is not cancelled: look at the record's state, and do not credit anybody before `refunded`. */
    cancel(recipient: RecipientNamed, options?: MoneyOptions): Promise<Outcome<Recipient>>;
    /** Redirects money. `changes` names only the members that change; the recipient is read first. */
    edit(
      recipient: RecipientNamed,
      changes: RecipientEdit,
      options?: AccountOptions,
    ): Promise<Outcome<Recipient>>;
    proofs(id: string, options?: CallOptions): Promise<ProofOfPayment[]>;
  };
  readonly senders: {
    list(query?: SenderQuery, options?: CallOptions): Listing<Sender>;
    create(sender: SenderWrite, options?: CallOptions): Promise<PlainOutcome<Sender>>;
    get(id: string, options?: CallOptions): Promise<Sender>;
    disable(id: string, options?: CallOptions): Promise<PlainOutcome<Sender>>;
    /** `changes` names only the members that change; the sender is read first. */
    edit(id: string, changes: SenderWrite, options?: CallOptions): Promise<PlainOutcome<Sender>>;
  };
  readonly transactions: {
    list(query?: TransactionQuery, options?: CallOptions): Listing<Transaction>;
    /** To be funded within an hour. */
    create(transaction: NamedTransaction, options?: AccountOptions): Promise<Outcome<Transaction>>;
    calculate(transaction: TransactionWrite, options?: CallOptions): Promise<Transaction>;
    validate(transaction: TransactionWrite | FlowDiscovery, options?: CallOptions): Promise<Validation>;
    /** May take over a minute. */
    createAndFund(transaction: NamedTransaction, options?: PaymentOptions): Promise<Outcome<Transaction>>;
    get(id: string, options?: CallOptions): Promise<Transaction>;
    /** Sandbox only: its collection succeeds. */
    payin(id: string, method: PayinMethodWrite, options?: CallOptions): Promise<PlainOutcome<Transaction>>;
    /** Sandbox only: its payouts succeed. */
    payout(id: string, options?: CallOptions): Promise<PlainOutcome<Transaction>>;
  };
  readonly webhooks: {
    list(query?: Paged, options?: CallOptions): Listing<WebhookDefinition>;
    create(webhook: WebhookWrite, options?: CallOptions): Promise<PlainOutcome<WebhookDefinition>>;
    get(id: string, options?: CallOptions): Promise<WebhookDefinition>;
    delete(id: string, options?: CallOptions): Promise<PlainOutcome<WebhookDefinition>>;
    events(options?: CallOptions): Promise<string[]>;
  };
  /** Writes of this account with an unknown outcome, newest first, such as those that a crash left behind. */
  unsettled(): Promise<Unsettled[]>;
  /**
   * Finds out what became of it: looks, sends the same again where that cannot pay twice, and looks once more.
   * @throws IntentError for an intent that is not in the journal, or is of another account
   */
  settle(
    intent: Intent | string,
    options?: SettleOptions,
  ): Promise<Outcome<Transaction | Recipient | PayoutMethod | PayinMethod>>;
  /**
   * After a rotation: this client's key took the place of `oldKey`, for the same account. Call it once, before the first write. What the old key
   * left unknown is this client's from then on, and what it paid is not paid again. `proven` where this key read a payment that
   * the old one had made. `unproven` where the journal has none: then what is unknown is only looked for, and never sent with this key.
   * @throws OptionError where this key does not find that payment: it is of another account, and nothing was written down
   */
  joinKey(oldKey: string, options?: CallOptions): Promise<'proven' | 'unproven'>;
  /** Ends the connections; the journal belongs to its opener. */
  close(): Promise<void>;
}

/** @throws OptionError */
export declare function createPartnerClient(options: PartnerClientOptions): PartnerClient;

/** For tests and for scripts that run once: it is gone with the process. */
export declare function memoryIntents(): Intents;

/** In one file of SQLite, opened when it is first needed. Several processes may share it, the program `remit` among them. */
export declare function sqliteIntents(path: string): Intents & { end(): Promise<void> };

/** In a table of yours, for all processes of a service. */
export declare function postgresIntents(
  pool: PostgresPool,
  options?: { table?: string | undefined },
): Intents & {
  /** Makes the table where it is missing. */
  prepare(): Promise<void>;
};
