/** The public types of `remit-cli/sandbox`: this file stands by itself, and is what a partner's compiler reads. */

/** Settings of the account that the sandbox plays for; those left out have their defaults. */
export interface SandboxSettings {
  /** Tells who checks senders: you (`waived`, the default), the operator, or the operator with documents. */
  kyc?: 'waived' | 'operator' | 'documents';
  /** The simplified identification rules for senders. */
  wtr2?: boolean;
  /** True where the name check is on for a transaction whose traits do not say. */
  account_validation?: boolean;
  /** True where compliance reviews every funded transaction first. */
  review?: boolean;
  /** Compare recipient names with `holder_name`. */
  strict_names?: boolean;
  /** The holder of every validated account. */
  holder_name?: string;
  /** Refuse a nonce that was used before (the default). */
  nonce_memory?: boolean;
  /** Ask senders for `metadata` and `documents` (the default). */
  strict_senders?: boolean;
  /** The segment of the partner balance's path: `partner` by default. */
  partner_path?: string;
}

/** Every control: `docs/sandbox.md` says what they do. */
export type ControlName =
  | 'sandbox.state'
  | 'sandbox.clock.show'
  | 'sandbox.clock.advance'
  | 'sandbox.clock.set'
  | 'sandbox.clock.run'
  | 'sandbox.clock.stop'
  | 'sandbox.settings.show'
  | 'sandbox.settings.change'
  | 'sandbox.senders.decide'
  | 'sandbox.payouts.answer'
  | 'sandbox.payins.receive'
  | 'sandbox.reviews.decide'
  | 'sandbox.refunds.post'
  | 'sandbox.balances.credit'
  | 'sandbox.mandates.decide'
  | 'sandbox.faults.list'
  | 'sandbox.faults.arm'
  | 'sandbox.faults.clear'
  | 'sandbox.faults.disarm'
  | 'sandbox.seed'
  | 'sandbox.reset'
  | 'sandbox.snapshot'
  | 'sandbox.restore'
  | 'sandbox.explain';

/** The bodies of the controls that take one. */
export interface ControlBodies {
  'sandbox.clock.advance': { advance_ms: number };
  /** ISO 8601, not before now. */
  'sandbox.clock.set': { now: string };
  'sandbox.settings.change': SandboxSettings;
  'sandbox.senders.decide': { decision: 'approve' | 'reject' | 'ban' | 'unban'; reason?: string | undefined };
  'sandbox.payouts.answer': {
    outcome?: 'paid' | 'pending' | 'error' | 'stuck' | 'overpaid' | 'exception' | 'manual' | undefined;
    /** A code of the service, such as `416`. */
    code?: string | undefined;
  };
  'sandbox.payins.receive': {
    /** A decimal text. */
    amount?: string | undefined;
    outcome?: 'paid' | 'processing' | 'error' | 'exception' | undefined;
    code?: string | undefined;
  };
  'sandbox.reviews.decide': { decision: 'hold' | 'release' | 'exception' | 'resume' };
  /** `id` is the currency. */
  'sandbox.balances.credit': {
    /** A decimal text. */
    amount: string;
  };
  'sandbox.mandates.decide': { status: 'notified' | 'signed' | 'failed' | 'bypassed' };
  'sandbox.faults.arm': {
    fault: SandboxFault;
    /** How many times; left out, always. */
    times?: number | undefined;
    operation?: string | undefined;
    corridor?: string | undefined;
    event?: string | undefined;
    webhook?: string | undefined;
    delay_ms?: number | undefined;
    /** A number from  to 599. */
    status?: number | undefined;
  };
  'sandbox.seed': { rounds?: number | undefined };
}

/** Every fault: `docs/sandbox.md` says what each does. */
export type SandboxFault =
  | 'refused'
  | 'slow'
  | '5xx'
  | 'reset-before-commit'
  | 'response-lost'
  | 'webhook-first'
  | 'webhook-duplicate'
  | 'webhook-reordered'
  | 'webhook-delayed'
  | 'webhook-missigned'
  | 'paid-while-cancelling'
  | 'pending-loop'
  | 'provider-outage'
  | 'corridor-inactive'
  | 'rate-moved';

/** The answers of the controls whose answer is always the same. */
export interface ControlAnswers {
  'sandbox.snapshot': Uint8Array;
  'sandbox.settings.show': Required<SandboxSettings>;
  'sandbox.settings.change': Required<SandboxSettings>;
}

export interface ControlAsked<Name extends ControlName = ControlName> {
  /** The id in the control's path, where it has one. */
  id?: string;
  body?: Name extends keyof ControlBodies ? ControlBodies[Name] : Record<string, never>;
  /** The snapshot of `sandbox.restore`. */
  bytes?: Uint8Array;
}

export interface SandboxOptions {
  /** 0 takes a free port of this machine; left out, there is no port: `fetch` is the way in. */
  port?: number;
  /** The same seed and the same requests give the same ids. */
  seed?: string | number;
  /** Standing (the default): time moves by `advance` only, and what is due at once happens at once. */
  clock?: 'standing' | 'running';
  /** Where a standing clock starts, in milliseconds since 1970. */
  start?: number;
  /** An endpoint of this machine, or its port, that is registered for every event. */
  webhook?: string | number;
  /** Hosts beside this machine that webhooks may go to. */
  deliverTo?: readonly string[];
  /** Called with every webhook, signed as the service signs it, in place of an endpoint. */
  onWebhook?: (delivery: Delivery) => number | undefined | Promise<number | undefined>;
  /** Settings of the account, such as `{kyc: 'operator'}`. */
  settings?: SandboxSettings;
  /** Opening balances by currency, as decimal texts. */
  balances?: Record<string, string>;
}

export interface Delivery {
  event: string;
  object: Record<string, unknown>;
  /** The URL that was signed. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The types of Fetch, whichever of them a project has. */
type FetchRequest = typeof globalThis extends { Request: { prototype: infer One } } ? One : object;
type FetchResponse = typeof globalThis extends { Response: { prototype: infer One } } ? One : object;

export interface Sandbox {
  /**
   * The base URL, with the version segment. Without a port it is a name under `.invalid` that no other sandbox has: it leads nowhere, and
   * `fetch` alone knows it.
   */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** REMIT_BASE_URL, REMIT_API_KEY and REMIT_API_SECRET: with a port, enough for any `remit` command. */
  readonly env: Readonly<Record<'REMIT_BASE_URL' | 'REMIT_API_KEY' | 'REMIT_API_SECRET', string>>;
  /**
   * The service as a function. A connection that a fault breaks rejects, as the global one does.
   * @example createPartnerClient({ baseUrl: sandbox.url, fetch: sandbox.fetch, environment: 'sandbox', key, secret, intents })
   */
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock; resolves when all that fell due on the way has happened, webhooks included. */
  advance(ms: number): Promise<void>;
  /** Resolves when all that is due now has happened, webhooks included. */
  drain(): Promise<void>;
  /**
   * A control of the sandbox by its name, such as `sandbox.faults.arm` with `{body: {fault: 'response-lost', times: 1}}`.
   * @throws OptionError for what it does not take; ControlError where it was not carried out
   */
  control<Name extends ControlName>(
    name: Name,
    asked?: ControlAsked<Name>,
  ): Promise<Name extends keyof ControlAnswers ? ControlAnswers[Name] : unknown>;
  snapshot(): Uint8Array;
  /** @throws Error when these bytes are no snapshot, and then nothing has changed */
  restore(bytes: Uint8Array): void;
  reset(): void;
  /** @throws Error when a balance is not the sum of its entries */
  audit(): void;
  close(): Promise<void>;
}

/** Thrown for an option that cannot be: nothing was started, and nothing changed. */
export declare class OptionError extends TypeError {
  readonly name: 'OptionError';
  readonly code: 'unknown' | 'missing' | 'invalid';
  /** Its name, such as `balances`. */
  readonly option: string;
}

/** A control was not carried out: nothing changed. */
export declare class ControlError extends Error {
  readonly name: 'ControlError';
  /** `not_found`: there is nothing with this id. */
  readonly code: 'refused' | 'not_found';
}

/** @throws OptionError for an option or a setting that there is not, or that cannot have its value */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;
