/**
 * The evidence is taken from the service's logs of an integration, with everything left out that a judgement
 * does not need. Bodies hold personal data: ids, counts and times are taken out of them, and nothing else of
 * them goes further than this file.
 */
import { createHash } from 'node:crypto';
import type { ApiLog, WebhookLog } from '../contract/resources/log.ts';
import { isOften, type ReadKind, readKindOf } from '../payments/read-budget.ts';

export type Does = 'create_transaction' | 'read_transaction' | 'create_sender' | 'cancel_recipient' | 'other';

/** How a payment, or a call that makes a sender, names its sender. */
export interface SenderUse {
  /** The id that was sent. */
  id: string | undefined;
  externalId: string | undefined;
  /** The same for the same name with the same birth date, phone or e-mail; nothing can be read from it. */
  person: string | undefined;
  /** The id that the service answered with. */
  answered: string | undefined;
  /** The service says that the sender is older than the transaction. */
  wasThere: boolean;
}

export interface LoggedCall {
  /** Milliseconds since 1970. */
  at: number;
  does: Does;
  /** The budget of reads that it counts against; undefined for one that counts against none. */
  kind: ReadKind | undefined;
  /** The thing that was read, where it may be read once in five minutes: `/accounts/EUR`. */
  thing?: string | undefined;
  /** remit itself read it, as often as it does on a sandbox on this machine alone. */
  isOften: boolean;
  /** The id of the transaction or recipient that it was about; empty where it is unknown. */
  id: string;
  succeeded: boolean;
  /** Undefined where the body could not be read. */
  sender?: SenderUse | undefined;
  /** When the transaction was created. */
  createdAt?: number | undefined;
  /** A recipient of the transaction is in error. */
  hasError?: boolean;
}

/** One try of one delivery. */
export interface Try {
  at: number;
  event: string;
  /** The id of the thing that it is about. */
  id: string;
  /** The same for every try of one delivery. */
  delivery: string;
  succeeded: boolean;
  transactionId: string;
  /** It brought a `state_reason`. */
  hasReason: boolean;
}

/** An id may stand in what is shown: nothing else of a log may. */
const ID = '[\\w-]{1,64}';
const IS_ID = new RegExp(`^${ID}$`);
const ROUTES: readonly (readonly [does: Does, method: string, path: RegExp])[] = [
  ['create_transaction', 'POST', /\/transactions(?:\/create_and_fund)?$/],
  ['read_transaction', 'GET', new RegExp(`/transactions/(${ID})$`)],
  ['create_sender', 'POST', /\/senders$/],
  ['cancel_recipient', 'DELETE', new RegExp(`/recipients/(${ID})$`)],
];

/** Balances and rates: what stands here are codes of currencies and ids. */
const FEW = /(\/(?:accounts|info\/currencies)[\w/?=&-]*)$/;

/** Undefined where the record does not say when or what. */
export function callOf(log: ApiLog): LoggedCall | undefined {
  const at = Date.parse(log.created_at ?? '');
  const method = log.request_method?.toUpperCase();
  const url = log.request_url;
  if (Number.isNaN(at) || !method || !url) return undefined;
  const path = url.replace(/[?#].*$/, '').replace(/\/$/, '');
  const [does] = ROUTES.find(([, verb, pattern]) => verb === method && pattern.test(path)) ?? ['other'];
  const often = isOften(log.request_headers);
  const kind = often ? undefined : readKindOf({ method, url });
  const call: LoggedCall = {
    at,
    does,
    kind,
    isOften: often,
    thing: kind === undefined || kind === 'transactions' ? undefined : FEW.exec(url)?.[1],
    id: ROUTES.find(([name]) => name === does)?.[2].exec(path)?.[1] ?? '',
    succeeded: /^2\d\d/.test(log.response_status ?? ''),
  };
  return call.succeeded && does !== 'other' ? { ...call, ...bodiesOf(log, call) } : call;
}

type Plain = Readonly<Record<string, unknown>>;

function bodiesOf(log: ApiLog, { does, id }: LoggedCall): Partial<LoggedCall> {
  if (does === 'cancel_recipient') return {};
  const answer = inner(parsed(log.response_body), 'object');
  const createdAt = Date.parse(textIn(answer, 'created_at') ?? '');
  const known = Number.isNaN(createdAt) ? undefined : createdAt;
  if (does === 'read_transaction') return { id, createdAt: known, hasError: hasError(answer) };
  const asked = parsed(log.request_body);
  const isSender = does === 'create_sender';
  const sent = isSender ? inner(asked, 'sender') : inner(inner(asked, 'transaction'), 'sender');
  const made = isSender ? answer : inner(answer, 'sender');
  return {
    id: idIn(answer, 'id') ?? '',
    createdAt: known,
    sender: sent === undefined ? undefined : useOf(sent, made, isSender ? undefined : known),
  };
}

function useOf(sent: Plain, made: Plain | undefined, createdAt: number | undefined): SenderUse {
  const madeAt = Date.parse(textIn(made, 'created_at') ?? '');
  return {
    id: textIn(sent, 'id'),
    externalId: textIn(sent, 'external_id'),
    person: personOf(sent),
    answered: idIn(made, 'id'),
    wasThere: createdAt !== undefined && madeAt < createdAt,
  };
}

const NAMES = ['first_name', 'last_name', 'name'] as const;
const MARKS = ['birth_date', 'phone_number', 'email'] as const;

/** A name alone is no person: many people have the same. */
function personOf(sent: Plain): string | undefined {
  const [names, marks] = [NAMES, MARKS].map((fields) =>
    fields.map((field) => textIn(sent, field)?.trim().toLowerCase() ?? ''),
  ) as [string[], string[]];
  if (names.join('') === '' || marks.join('') === '') return undefined;
  return digest(JSON.stringify([names, marks]));
}

const hasError = (transaction: Plain | undefined): boolean =>
  Array.isArray(transaction?.recipients) &&
  transaction.recipients.some((one: unknown) => textIn(plainOf(one), 'state') === 'error');

/** Undefined where the record does not say when or what. */
export function tryOf({ created_at, metadata }: WebhookLog): Try | undefined {
  const at = Date.parse(created_at ?? '');
  if (Number.isNaN(at) || !metadata?.event) return undefined;
  const { event, instance_id, params, request, response } = metadata;
  const object = inner(parsed(request?.body), 'object');
  const id = instance_id ?? '';
  return {
    at,
    event,
    id: IS_ID.test(id) ? id : '',
    delivery: digest(JSON.stringify([params?.id, event, id, request?.body])),
    succeeded: /^2\d\d/.test(response?.status ?? ''),
    transactionId: idIn(object, 'transaction_id') ?? '',
    hasReason: textIn(object, 'state_reason') !== undefined,
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** A body that was cut short, or is none, says nothing. */
function parsed(body: string | null | undefined): Plain | undefined {
  try {
    return plainOf(JSON.parse(body ?? ''));
  } catch {
    return undefined;
  }
}

const plainOf = (value: unknown): Plain | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
const inner = (from: Plain | undefined, name: string): Plain | undefined => plainOf(from?.[name]);

function textIn(from: Plain | undefined, name: string): string | undefined {
  const value = from?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function idIn(from: Plain | undefined, name: string): string | undefined {
  const id = textIn(from, name);
  return id !== undefined && IS_ID.test(id) ? id : undefined;
}
