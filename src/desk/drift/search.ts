/**
 * Takes the records of the service's logs one by one, newest first, and keeps of each what the report may hold: differences, ids,
 * states and times. No body and no value of a person outlives the record.
 */
import { type EventName, eventInfo, eventNames, isEventName } from '../../contract/events.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import type { ApiLog, WebhookLog } from '../../contract/resources/log.ts';
import { type Difference, Differences, type Finding } from './differences.ts';
import {
  isPlain,
  type Known,
  knownOf,
  knownRecord,
  type RecordName,
  type Walker,
  walk,
} from './known-members.ts';
import { hasMachine, type MachineName, machines } from './machines.ts';
import { Orders } from './orders.ts';
import { lookAtRecord, some } from './record-facts.ts';
import { refusalsOf } from './refusals.ts';
import { Tries } from './tries.ts';
import { operationOf, routeShown } from './which-operation.ts';
import { formOf, type Personal, personalIn, shownAs } from './wire-word.ts';

type Plain = Readonly<Record<string, unknown>>;

/** Statuses that the double answers to any operation: malformed, not signed, not there, too large. */
const ANYWHERE = new Set([400, 401, 404, 413]);
/** A delivery that comes later after its event than this was held by nothing that the double does by itself. */
const LATE_MS = 15 * 60_000;

/** A log of the reads of a log: its records are looked at where they stand. */
const LOGS = new Set(['api_logs.list', 'api_logs.get', 'webhook_logs.list', 'webhook_logs.get']);

const METHODS = new Set(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

interface Seen {
  within: string;
  at: number;
  isFresh: boolean;
  personal: Personal;
}

export class DriftSearch {
  readonly #differences = new Differences();
  readonly #orders = new Orders();
  readonly #tries = new Tries();
  /** Bodies that a log had cut short, or that are no JSON: nothing is known of them. */
  unread = 0;

  answer(log: ApiLog): void {
    const at = Date.parse(log.created_at ?? '');
    const method = log.request_method?.toUpperCase();
    const url = log.request_url;
    if (Number.isNaN(at) || !method || !url) return;
    const status = Number.parseInt(log.response_status ?? '', 10);
    const operation = operationOf(method, url);
    if (operation === undefined) {
      this.#strange(method, url, { status, at });
      return;
    }
    this.#logRecord('api_log', log, at);
    const seen = { within: operation.id, at, isFresh: true };
    if (!isDeclared(operation, status)) {
      const ours = [operation.status, ...operation.failures, ...ANYWHERE];
      const where = `${operation.id} answer`;
      this.#add(
        { difference: 'status', where, seen: String(status), ours: [...new Set(ours)].join(', ') },
        seen,
      );
    }
    if (LOGS.has(operation.id) || (status !== 422 && (status < 200 || status >= 300))) return;
    const body = this.#parsed(log.response_body);
    if (body === undefined) return;
    const personal = personalIn(body);
    if (status === 422) for (const one of refusalsOf(operation, body, personal)) this.#add(one, seen);
    this.#walk(knownOf(operation.answer), body, operation.id, { ...seen, personal });
  }

  delivery(log: WebhookLog): void {
    const at = Date.parse(log.created_at ?? '');
    if (Number.isNaN(at)) return;
    this.#logRecord('webhook_log', log, at);
    const body = this.#parsed(log.metadata?.request?.body);
    if (!isPlain(body)) return;
    const personal = personalIn(body);
    const event = log.metadata?.event ?? body.event;
    const within = shownAs('word', event, personal);
    const seen: Seen = { within, at, isFresh: false, personal };
    this.#tries.note(log, { at, event: within });
    if (typeof event !== 'string' || !isEventName(event) || !eventInfo(event).sandbox) {
      this.#strangeEvent(event, seen);
      return;
    }
    const { object } = eventInfo(event);
    const record = object === 'transaction_request' ? undefined : knownRecord(object);
    const { object: inner, ...envelope } = body;
    this.#walk(knownRecord('delivery'), envelope, 'delivery', seen);
    if (record !== undefined) this.#walk(record, inner, object, seen);
    if (isPlain(inner) && hasMachine(object)) {
      this.#stateOf(event, object, inner, seen);
      if (log.metadata?.tries === 1) this.#lateness(inner, seen);
    }
  }

  /** The report, when all has been taken. */
  conclude(): { differences: Difference[]; left: number } {
    for (const { at, ...finding } of this.#orders.found()) this.#differences.add(finding, at);
    for (const { at, ...finding } of this.#tries.found()) this.#differences.add(finding, at);
    return { differences: this.#differences.all, left: this.#differences.left };
  }

  #add(finding: Omit<Finding, 'within'>, { within, at }: Pick<Seen, 'within' | 'at'>): void {
    this.#differences.add({ ...finding, within }, at);
  }

  #walk(known: Known, body: unknown, place: string, seen: Seen): void {
    walk(known, body, place, this.#walker(seen));
  }

  #walker(seen: Seen): Walker {
    const { personal, at, isFresh } = seen;
    return {
      record: (name, record) => {
        lookAtRecord(name, record, { personal, at, isFresh, find: (fact) => this.#add(fact, seen) });
        if (hasMachine(name)) this.#sight(name, record.id, record.state, seen);
        if (name === 'recipient' && isFresh)
          this.#sight('transaction', record.transaction_id, record.transaction_state, seen);
      },
      unknown: (where, name, value) =>
        this.#add(
          {
            difference: 'member',
            where,
            seen: `${shownAs('name', name, personal)}: ${formOf(value)}`,
            ours: 'no such member',
          },
          seen,
        ),
      unfit: (where, value, forms) =>
        this.#add(
          { difference: 'form', where, seen: formOf(value), ours: [...new Set(forms)].join(' or ') },
          seen,
        ),
    };
  }

  #sight(machine: MachineName, id: unknown, state: unknown, { at, isFresh, within }: Seen): void {
    if (typeof id !== 'string' || id === '' || typeof state !== 'string') return;
    this.#orders.note(machine, id.slice(0, 64), { state, at, isFresh, within });
  }

  /** The members of the log's own record; what it holds of a request is ours. */
  #logRecord(name: RecordName, log: Plain, at: number): void {
    this.#walk(knownRecord(name), log, name, { within: name, at, isFresh: false, personal: new Set() });
  }

  #strange(method: string, url: string, { status, at }: { status: number; at: number }): void {
    if (status < 200 || status >= 300) return;
    const where = `${METHODS.has(method) ? method : 'request'} ${routeShown(url)}`;
    const ours = 'no such operation (404)';
    this.#add({ difference: 'operation', where, seen: String(status), ours }, { within: 'api_log', at });
  }

  #strangeEvent(event: unknown, seen: Seen): void {
    const begin = `${String(event).split('.')[0]}.`;
    const near = eventNames.filter((name) => name.startsWith(begin) && eventInfo(name).sandbox);
    const ours = near.length > 0 ? some(near) : 'no event of this name';
    this.#add({ difference: 'event', where: 'delivery.event', seen: seen.within, ours }, seen);
  }

  #stateOf(event: EventName, machine: MachineName, { state }: Plain, seen: Seen): void {
    const { withEvent, states } = machines[machine];
    const expected = withEvent(event);
    if (typeof state !== 'string' || !states.includes(state) || expected.length === 0) return;
    if (expected.includes(state)) return;
    const where = `${event} ${machine}.state`;
    this.#add({ difference: 'order', where, seen: state, ours: expected.join(', ') }, seen);
  }

  #lateness({ updated_at: updated }: Plain, seen: Seen): void {
    const late = seen.at - Date.parse(String(updated ?? ''));
    if (!(late > LATE_MS)) return;
    const ours = 'at once';
    const shown = 'over 15 min after updated_at';
    this.#add({ difference: 'delay', where: 'delivery of an event', seen: shown, ours }, seen);
  }

  #parsed(text: string | null | undefined): unknown {
    try {
      return JSON.parse(text ?? '');
    } catch {
      if (text) this.unread += 1;
      return undefined;
    }
  }
}

function isDeclared({ status, failures }: Operation, answered: number): boolean {
  if (Number.isNaN(answered) || answered === status || ANYWHERE.has(answered) || answered >= 500) return true;
  return (failures as readonly number[]).includes(answered);
}
