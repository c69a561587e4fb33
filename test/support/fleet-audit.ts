/** Holds what a sandbox delivered against the inbox in PostgreSQL and the notes of the handler. It reads tables and logs, and asks remit nothing. */
import type { HandedOn } from './fleet-watch.ts';
import type { AuditedService } from './payrun-audit.ts';
import { openPool, type PostgresServer } from './postgres.ts';
import type { Json } from './sandbox.ts';

/** A try of the service, by its own log. */
export interface Try {
  nonce: string;
  body: string;
  /** Of the answer; where none came, why. */
  status: string;
  at: number;
}

/** Reads that log while it grows: the sandbox keeps the latest 10,000. */
export class TriesRead {
  readonly #call: AuditedService['call'];
  readonly #byId = new Map<string, Try>();

  constructor(call: AuditedService['call']) {
    this.#call = call;
  }

  /** What came since the last time: the newest come first, so it ends where a page has none that is new. */
  async read(): Promise<Try[]> {
    for (let page: number | null = 1; page !== null; ) {
      const { body }: Json = await this.#call('GET', `/logs/webhooks?per=100&page=${page}`);
      const known = this.#byId.size;
      for (const one of body.object) this.#byId.set(one.id, tryOf(one));
      page = this.#byId.size === known ? null : body.meta.pagination.next_page;
    }
    return [...this.#byId.values()];
  }
}

const tryOf = ({ metadata, created_at }: Json): Try => ({
  nonce: metadata.request.headers['Authorization-Nonce'],
  body: metadata.request.body,
  status: String(metadata.response.status) || String(metadata.response.body),
  at: Date.parse(created_at),
});

export interface Kept {
  id: string;
  seq: number;
  objectId: string;
  event: string;
  state: string;
  repeat: boolean;
  recovered: boolean;
  nonce: string;
  body: string;
  /** By the listener's clock. */
  receivedAt: number;
  /** When it was recorded what became of it, by the server's clock. */
  changedAt: number;
}

const KEPT = `SELECT d.*, c.headers, convert_from(c.body, 'UTF8') AS text
  FROM remit_inbox.deliveries d JOIN remit_inbox.contents c USING (account, id) ORDER BY d.seq`;

export async function everyKept(postgres: PostgresServer): Promise<Kept[]> {
  const pool = openPool(postgres, 1);
  const { rows } = await pool.query(KEPT);
  await pool.end();
  return rows.map((row) => ({
    id: row.id,
    seq: Number(row.seq),
    objectId: row.object_id,
    event: row.event,
    state: row.state,
    repeat: row.repeat,
    recovered: row.recovered,
    nonce: nonceIn(JSON.parse(row.headers)),
    body: row.text,
    receivedAt: Number(row.received_at),
    changedAt: Number(row.changed_at),
  }));
}

const nonceIn = (headers: [string, string][]): string =>
  headers.find(([name]) => name.toLowerCase() === 'authorization-nonce')?.[1] ?? '';

interface Evidence {
  tries: readonly Try[];
  kept: readonly Kept[];
  handed: readonly HandedOn[];
}

/** A sentence for each thing that is wrong. What was fetched from the log of the service later was not kept when it was answered 200. */
export function wrongWithDeliveries({ tries, kept, handed }: Evidence): string[] {
  const byNonce = groupBy(kept, ({ nonce }) => nonce);
  const byBody = groupBy(kept, ({ body }) => body);
  const byId = groupBy(handed, ({ id }) => id);
  const keptOf = new Map(kept.map((one) => [one.id, one]));
  const accepted = tries.filter(({ status }) => status === '200');
  const events = new Set(tries.map(({ body }) => body));
  const taken = new Set(accepted.map(({ body }) => body));
  return [
    ...[...events].filter((body) => !taken.has(body)).map((body) => `never accepted: ${body}`),
    ...accepted
      .filter(
        ({ nonce, body }) => !(byNonce.get(nonce) ?? []).some((one) => one.body === body && !one.recovered),
      )
      .map(({ nonce }) => `answered 200, and not kept then: ${nonce}`),
    ...[...byNonce].filter(([, same]) => same.length > 1).map(([nonce]) => `twice in the inbox: ${nonce}`),
    ...[...byBody]
      .filter(([, same]) => same.filter(({ repeat }) => !repeat).length !== 1)
      .map(([body]) => `an event that is not new once: ${body}`),
    ...kept.filter(({ state }) => state !== 'handed_on').map(({ id, state }) => `left as ${state}: ${id}`),
    ...kept.filter(({ id }) => !byId.has(id)).map(({ id }) => `recorded, and never handed on: ${id}`),
    ...handed.filter(({ id }) => !keptOf.has(id)).map(({ id }) => `handed on, and not in the inbox: ${id}`),
    ...handed
      .filter(({ id, at }) => at > (keptOf.get(id)?.changedAt ?? 0))
      .map(({ id }) => `handed on after its record: ${id}`),
    ...outOfOrder(handed, keptOf),
  ];
}

/** First hand-overs that came before one of the same object that was kept earlier. */
function outOfOrder(handed: readonly HandedOn[], keptOf: ReadonlyMap<string, Kept>): string[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  return handed.flatMap(({ id, objectId, late }) => {
    if (seen.has(id) || late) return [];
    seen.add(id);
    const seq = keptOf.get(id)?.seq ?? 0;
    const before = last.get(objectId) ?? 0;
    last.set(objectId, Math.max(seq, before));
    return seq < before ? [`out of order: ${id} of ${objectId}`] : [];
  });
}

export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
