/** What the auditor knows: every transaction as it was last seen, what was told of it, and what that adds up to. */
import { Sums, shown, type Units, units } from './amounts.ts';
import { must } from './broken.ts';
import { booksOf, checkLook, isFunded, isPaid, type Json, statesIn } from './look.ts';
import type { Claim } from './seen.ts';
import { checkStory, type Trace } from './story.ts';
import { isEnd, type Kind, mayReach } from './tables.ts';

interface Known {
  externalId: string | null;
  createdAt: string;
  expiresAt: number;
  state: string;
  paid: Units;
  funded: boolean;
  held: Units;
  autoRefund: boolean;
  byPayin: boolean;
  books: Sums;
  /** Ids of all that belongs to it. */
  parts: string[];
  recipients: string[];
  /** All states in one text. */
  signs: string;
}

/** Where a recipient of a funded transaction may still be after two days: only people can move it on. */
const FOR_PEOPLE = ['stuck', 'exception'];
/** And where nothing is refunded by itself: its mandate is not signed, or its tries have run out. */
const UNREFUNDED = [...FOR_PEOPLE, 'initial', 'error', 'manual'];

export class Model {
  readonly books = new Sums();
  /** How many are in which state, such as `recipients:error`. */
  readonly counts = new Map<string, number>();
  readonly #known = new Map<string, Known>();
  readonly #owners = new Map<string, string>();
  readonly #byExternalId = new Map<string, string>();
  readonly #traces = new Map<string, Trace>();
  readonly #news = new Set<Trace>();
  /** Every state that was seen or told, by kind of object. */
  readonly reached = new Map<Kind, Set<string>>();
  /** Details that an accepted edit has asked for, by recipient. */
  readonly #edits = new Map<string, Json>();
  #now = 0;

  get size(): number {
    return this.#known.size;
  }

  ownerOf(id: string): string | undefined {
    return this.#known.has(id) ? id : this.#owners.get(id);
  }

  isFunded(id: string): boolean {
    return this.#known.get(id)?.funded ?? false;
  }

  stateOf(id: string): string | undefined {
    return this.#known.get(id)?.state;
  }

  isOver(id: string): boolean {
    const known = this.#known.get(id);
    return (
      known !== undefined &&
      (isEnd('transaction', known.state) || (known.state === 'canceled' && !known.funded))
    );
  }

  /** Those that may still change, what changed last first. */
  open(): string[] {
    return [...this.#known.keys()].filter((id) => !this.isOver(id)).reverse();
  }

  timeIs(now: number): void {
    const before = this.#now;
    must(
      now >= before,
      'time',
      () => `it is ${new Date(now).toISOString()}, after ${new Date(before).toISOString()}`,
    );
    this.#now = now;
  }

  /** A create answered with this id: nobody had it before. */
  isNew(id: string): void {
    must(!this.#known.has(id), 'identity', () => `transaction ${id} was made twice`);
  }

  /** It was funded just now. */
  fundable(id: string): void {
    const known = this.#known.get(id);
    const inTime = known === undefined || (this.#now < known.expiresAt && known.state !== 'canceled');
    must(inTime, 'funded in time', () => `transaction ${id} took funds though it was ${known?.state}`);
  }

  /** Where nobody knows whether the edit came through, nothing is expected. */
  edited(recipientId: string, details: Json | undefined, unknown: boolean): void {
    if (unknown) this.#edits.delete(recipientId);
    else if (details) this.#edits.set(recipientId, { ...this.#edits.get(recipientId), ...details });
  }

  /** What an answer or a webhook shows: true at some time, but nobody knows when. */
  told(claim: Claim): void {
    this.#note(claim.kind, claim.state);
    const trace = this.#trace(claim.kind, claim.id);
    if (trace.claims.some(({ state }) => state === claim.state)) return;
    trace.claims.push(claim);
    this.#news.add(trace);
  }

  /** What is said to have ended stays so. */
  checkClaims(): void {
    for (const { kind, id, claims, looks } of this.#news) {
      const end = claims.find(({ state }) => isEnd(kind, state));
      const now = looks.at(-1);
      const invariant = end?.by.startsWith('webhook') ? 'webhook truth' : 'ends stay';
      must(
        !end || now === undefined || now === end.state,
        invariant,
        () => `${end?.by} showed ${kind} ${id} ${end?.state}; it is ${now}`,
      );
    }
    this.#news.clear();
  }

  #note(kind: Kind, state: string): void {
    this.reached.set(kind, (this.reached.get(kind) ?? new Set()).add(state));
  }

  #trace(kind: Kind, id: string): Trace {
    const trace = this.#traces.get(id) ?? { kind, id, looks: [], claims: [] };
    this.#traces.set(id, trace);
    return trace;
  }

  isSender(id: string): boolean {
    return this.#traces.get(id)?.kind === 'sender';
  }

  observeSender({ id, state }: Json): void {
    this.#saw('sender', id, state);
  }

  /** One look, in the order of time. */
  observe(view: Json): void {
    for (const { kind, id, state } of statesIn(view)) this.#saw(kind, id, state);
    checkLook(view, this.#now);
    const before = this.#known.get(view.id);
    if (before) this.#checkSame(view, before);
    else this.#checkNew(view);
    for (const recipient of view.recipients) this.#checkEdit(recipient);
    const books = booksOf(view);
    const known = knownOf(view, books);
    if (before) this.#count(before, -1);
    this.#count(known, 1);
    if (before?.signs !== known.signs) this.#known.delete(view.id);
    this.#known.set(view.id, known);
  }

  #count({ books, state, recipients }: Known, by: 1 | -1): void {
    this.books.merge(books, by === 1 ? 1n : -1n);
    const names = [`transactions:${state}`, ...recipients.map((each) => `recipients:${each}`)];
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  #checkSame(view: Json, before: Known): void {
    const { id, external_id, created_at } = view;
    const same = external_id === before.externalId && created_at === before.createdAt;
    must(same, 'external id', () => `transaction ${id} was ${before.externalId}, of ${before.createdAt}`);
    const paid = units(view.paid_amount);
    const kept = before.paid === 0n || before.paid === paid;
    must(kept, 'funded once', () => `transaction ${id} had ${shown(before.paid)} and has ${shown(paid)}`);
  }

  #checkNew({ id, external_id, recipients, payin_methods }: Json): void {
    const other = this.#byExternalId.get(external_id);
    must(other === undefined, 'external id', () => `${external_id} names ${other} and ${id}`);
    if (external_id !== null) this.#byExternalId.set(external_id, id);
    for (const { id: part } of [...recipients, ...payin_methods]) {
      must(!this.#owners.has(part) && !this.#known.has(part), 'identity', () => `${part} is there twice`);
      this.#owners.set(part, id);
    }
  }

  #saw(kind: Kind, id: string, state: string): void {
    const { looks } = this.#trace(kind, id);
    const before = looks.at(-1);
    if (before === state) return;
    if (before !== undefined) {
      must(!isEnd(kind, before), 'ends stay', () => `${kind} ${id} was ${before} and is ${state}`);
      must(
        mayReach(kind, before, state),
        'allowed moves',
        () => `${kind} ${id} was ${before} and is ${state}`,
      );
    }
    looks.push(state);
    this.#note(kind, state);
  }

  #checkEdit({ id, payout_method }: Json): void {
    for (const [name, value] of Object.entries(this.#edits.get(id) ?? {})) {
      const found = payout_method.details[name];
      must(found === value, 'edit', () => `recipient ${id}: ${name} is ${found}, after an edit to ${value}`);
    }
  }

  checkStory(id: string, changes: readonly Json[]): void {
    const ids = new Set(changes.map((change) => change.id));
    const traces = [...ids].flatMap((each) => this.#traces.get(each) ?? []);
    const untold = this.#known.get(id)?.parts.find((part) => !ids.has(part));
    must(untold === undefined, 'story', () => `transaction ${id}: nothing is told of ${untold}`);
    checkStory(changes, traces);
    for (const trace of traces) trace.claims = trace.claims.filter((claim) => isEnd(trace.kind, claim.state));
  }

  /** In the end whatever holds money says whom it waits for, and what was never funded is over. */
  checkRest(): void {
    for (const [id, known] of this.#known) {
      const { state, held, recipients, funded, autoRefund, byPayin } = known;
      const allowed = [...(autoRefund ? FOR_PEOPLE : UNREFUNDED), ...(byPayin ? ['canceled'] : [])];
      const waits = recipients.filter((each) => allowed.includes(each)).length;
      const open = recipients.filter(
        (each) => !['success', 'overpaid', 'refunded', 'canceled'].includes(each),
      );
      const atRest = held === 0n || (waits > 0 && open.every((each) => allowed.includes(each)));
      const detail = () => `${id} (${state}) holds ${shown(held)}: ${recipients.join(', ')}`;
      must(atRest && state !== 'processing', 'rest', detail);
      const over = this.isOver(id) || funded || state === 'pending' || state === 'exception';
      must(over, 'rest', () => `${id} is ${state} and was never funded`);
    }
  }
}

function knownOf(view: Json, books: Sums): Known {
  const settled = view.recipients.filter((each: Json) => isPaid(each) || each.state === 'refunded');
  const spent = settled.reduce((sum: Units, each: Json) => sum + units(each.input_amount), 0n);
  return {
    externalId: view.external_id,
    createdAt: view.created_at,
    expiresAt: Date.parse(view.expires_at),
    state: view.state,
    paid: units(view.paid_amount),
    funded: isFunded(view),
    held: units(view.paid_amount) - spent,
    autoRefund: view.traits.auto_refund,
    byPayin: view.payin_methods.length > 0,
    books,
    parts: [view.id, ...view.recipients, ...view.payin_methods].map((each) => each.id ?? each),
    recipients: view.recipients.map(({ state }: Json) => state),
    signs: [...statesIn(view)].map(({ state }) => state).join(' '),
  };
}
