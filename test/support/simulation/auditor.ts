/**
 * Watches a sandbox as its partner can: requests and answers as they pass, webhooks, reads of its own, and the totals of the
 * ledger. It has a model of its own of what money did, and throws when the two part. It shares no code with the sandbox.
 */
import type { Transport } from '../../../src/core/ports/transport.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Sums, shown, units } from './amounts.ts';
import { must } from './broken.ts';
import { Eyes } from './eyes.ts';
import type { Json } from './look.ts';
import { Model } from './model.ts';
import { type Claim, claimsOf, idsAsked, type Passed, passed, subjectsOf } from './seen.ts';

/** Steps between two readings of all lists. */
const SWEEP_EVERY = 500;

export class Auditor {
  readonly #sandbox: Sandbox;
  readonly #eyes: Eyes;
  readonly #opening = new Sums();
  readonly model = new Model();
  readonly #touched = new Set<string>();
  readonly #senders = new Set<string>();
  /** Whose story is to be heard when they are over. */
  readonly #unheard = new Set<string>();
  /** Successful fundings by transaction. */
  readonly #fundings = new Map<string, number>();
  #claims: { id: string; claimed: string; wasFunded: boolean }[] = [];
  #steps = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#eyes = new Eyes(sandbox);
  }

  /** What the balances open with is taken as given. */
  async begin(): Promise<void> {
    const state = await this.#eyes.ask('sandbox.state');
    this.#opening.merge(booksOf(state.ledger));
  }

  /** The same transport, watched. */
  watch(send: Transport): Transport {
    return async (request) => {
      try {
        const answer = await send(request);
        this.#saw(passed(request, answer));
        return answer;
      } catch (error) {
        this.#saw(passed(request, undefined));
        throw error;
      }
    };
  }

  /** A webhook whose signature was right. */
  heard(event: string, object: Json): void {
    this.#told(claimsOf(object, `webhook ${event}`));
    for (const id of subjectsOf(object)) this.#touched.add(id);
  }

  #told(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.model.told(claim);
      if (claim.kind === 'sender') this.#senders.add(claim.id);
    }
  }

  /** Something is done to it from outside: a sender, a transaction, a recipient or a payin of it. */
  touch(id: string): void {
    const owner = this.model.ownerOf(id);
    if (owner !== undefined) this.#touched.add(owner);
    if (this.model.isSender(id)) this.#senders.add(id);
  }

  #saw(exchange: Passed): void {
    for (const id of idsAsked(exchange)) this.touch(id);
    const { method, path, answer, body } = exchange;
    if (method === 'PATCH' && path.startsWith('/recipients/')) {
      const details = answer?.status === 200 ? body?.recipient?.payout_method?.details : undefined;
      this.model.edited(path.slice('/recipients/'.length), details, answer === undefined);
    }
    if (!answer?.body) return;
    const objects = [answer.body.object, answer.body.meta?.existing?.transaction].flat().filter(Boolean);
    this.#told(claimsOf(objects, `${method} ${path}`));
    for (const id of subjectsOf(objects)) if (method !== 'GET') this.#touched.add(id);
    if (method === 'POST' && answer.status === 201) this.#created(path, objects);
  }

  #created(path: string, objects: Json[]): void {
    if (path === '/transactions' || path === '/transactions/create_and_fund') {
      for (const { id } of objects) this.model.isNew(id);
    }
    const funded = path === '/accounts/debits' ? objects.map(({ to_id }) => to_id) : [];
    if (path === '/transactions/create_and_fund') funded.push(objects[0]?.id);
    for (const id of funded) {
      const times = (this.#fundings.get(id) ?? 0) + 1;
      this.#fundings.set(id, times);
      must(times === 1, 'funded once', () => `transaction ${id} was funded ${times} times`);
      this.model.fundable(id);
    }
  }

  /** To be called when nothing is on its way and no fault waits for a request. @throws Broken */
  async check(): Promise<void> {
    this.#steps += 1;
    await this.#sandbox.settle();
    const state = await this.#look();
    for (const id of this.#touched) await this.#read(id);
    this.#touched.clear();
    await this.#discover(state.counts.transactions);
    for (const id of this.#senders) await this.#readSender(id);
    this.#senders.clear();
    this.model.checkClaims();
    this.#checkClaims();
    if (this.#steps % SWEEP_EVERY === 0) await this.sweep();
    await this.#checkCounts(state);
    this.#checkBooks(state.ledger);
    await this.#checkAccounts();
  }

  async #look(): Promise<Json> {
    const state = await this.#eyes.ask('sandbox.state');
    this.model.timeIs(Date.parse(state.clock.now));
    return state;
  }

  /** A lost answer may have made one: the newest page of the list shows it. */
  async #discover(count: number): Promise<void> {
    must(
      count >= this.model.size,
      'identity',
      () => `${this.model.size} transactions were seen, ${count} are left`,
    );
    for (let page = 1; this.model.size < count; page++) {
      const { object } = await this.#eyes.page('/transactions', page, 5);
      must(object.length > 0, 'lists', () => `${count} transactions exist, ${this.model.size} are listed`);
      for (const view of object) {
        if (!this.model.ownerOf(view.id)) this.#unheard.add(view.id);
        await this.#observe(view);
      }
    }
  }

  async #read(id: string): Promise<void> {
    const view = await this.#eyes.transaction(id);
    must(view !== undefined, 'identity', () => `transaction ${id} was acknowledged, and is gone`);
    this.#unheard.add(id);
    await this.#observe(view);
  }

  async #readSender(id: string): Promise<void> {
    const sender = (await this.#eyes.read(`/senders/${id}`))?.object;
    must(sender !== undefined, 'identity', () => `sender ${id} was acknowledged, and is gone`);
    this.model.observeSender(sender);
  }

  async #observe(view: Json): Promise<void> {
    this.model.observe(view);
    if (this.model.isOver(view.id) && this.#unheard.delete(view.id)) await this.#hearStory(view.id);
  }

  async #hearStory(id: string): Promise<void> {
    const story = await this.#eyes.ask('sandbox.explain', id);
    must(story !== undefined, 'story', () => `nothing explains transaction ${id}`);
    this.model.checkStory(id, story.changes);
  }

  #checkBooks(ledger: Json): void {
    const found = booksOf(ledger);
    const expected = this.#expected();
    const wrong = found.differences(expected);
    const wallets = wrong.filter((name) => name.startsWith('wallet:'));
    const detail = (name: string) =>
      `${name} holds ${shown(found.get(name))}, expected ${shown(expected.get(name))}`;
    must(wallets.length === 0, 'wallet', () => wallets.map(detail).join('; '));
    must(wrong.length === 0, 'ledger', () => wrong.map(detail).join('; '));
    checkBalanced(found);
  }

  /** A state that changed unasked shows in the counts; where, the lists tell. */
  async #checkCounts(state: Json): Promise<void> {
    if (!this.#agrees(state)) await this.#readOpen(state);
    if (this.#miscounted(state.states) !== undefined) await this.sweep();
    const wrong = this.#miscounted(state.states);
    must(wrong === undefined, 'lists', () => `${wrong}: other counts than the lists show`);
  }

  #agrees({ states, ledger }: Json): boolean {
    const differs = booksOf(ledger).differences(this.#expected()).length > 0;
    return !differs && this.#miscounted(states) === undefined;
  }

  #miscounted(states: Json): string | undefined {
    const { counts } = this.model;
    return [...counts.keys()].find((name) => {
      const [kind = '', state = ''] = name.split(':');
      return counts.get(name) !== (states[kind][state] ?? 0);
    });
  }

  /** What changed by itself, such as by time, is looked for where something changed last, until everything agrees. */
  async #readOpen(state: Json): Promise<void> {
    for (const [index, id] of this.model.open().entries()) {
      if (index % 10 === 0 && this.#agrees(state)) return;
      await this.#read(id);
    }
  }

  #expected(): Sums {
    const sums = new Sums();
    sums.merge(this.#opening);
    sums.merge(this.model.books);
    return sums;
  }

  async #checkAccounts(): Promise<void> {
    const { object } = await this.#eyes.read('/accounts');
    const expected = this.#expected();
    for (const { currency, amount } of object) {
      const balance = expected.get(`wallet:${currency}`);
      must(units(amount) === balance, 'wallet', () => `${currency} is ${amount}, expected ${shown(balance)}`);
    }
  }

  /** Every list from its first page to its last. */
  async sweep(): Promise<void> {
    const ids: string[] = [];
    let last = Number.POSITIVE_INFINITY;
    for (let page: number | null = 1; page !== null; ) {
      const { object, meta } = await this.#eyes.page('/transactions', page);
      for (const view of object) {
        must(Date.parse(view.created_at) <= last, 'lists', () => `${view.id} is older than the one after it`);
        last = Date.parse(view.created_at);
        ids.push(view.id);
        await this.#observe(view);
      }
      page = meta.pagination.next_page;
    }
    const whole = new Set(ids).size === ids.length && ids.length === this.model.size;
    must(
      whole,
      'lists',
      () => `${ids.length} listed, ${new Set(ids).size} of them different, of ${this.model.size}`,
    );
    await this.#sweepRecipients();
    await this.#sweepLogs();
  }

  async #sweepRecipients(): Promise<void> {
    for (const [name, count] of this.model.counts) {
      const [kind, state] = name.split(':');
      if (kind !== 'recipients') continue;
      const { meta } = await this.#eyes.page(`/recipients?state%5B%5D=${state}`, 1);
      const listed = meta.pagination.total_count;
      must(listed === count, 'lists', () => `${listed} recipients are listed as ${state}, ${count} are`);
    }
  }

  async #sweepLogs(): Promise<void> {
    const { object } = await this.#eyes.page('/api_logs', 1);
    for (const [index, { created_at }] of object.entries()) {
      const next = object[index - 1]?.created_at ?? created_at;
      must(Date.parse(created_at) <= Date.parse(next), 'time', () => `a log of ${created_at} before ${next}`);
    }
  }

  /** What the client claims of a funding: to be so when it is looked at. */
  claims(id: string, claimed: string, wasFunded: boolean): void {
    this.#claims.push({ id, claimed, wasFunded });
    this.#touched.add(id);
  }

  /** "Not applied" says something of the transaction only when nobody else tried to fund it meanwhile. */
  #checkClaims(): void {
    const claims = this.#claims.splice(0);
    for (const { id, claimed, wasFunded } of claims) {
      const funded = this.model.isFunded(id);
      const alone = claims.filter((each) => each.id === id).length === 1 && !wasFunded;
      const fits = claimed === 'applied' ? funded : claimed !== 'not_applied' || !alone || !funded;
      must(
        fits,
        'claims',
        () => `transaction ${id} is ${funded ? '' : 'not '}funded, claimed was ${claimed}`,
      );
    }
  }

  /** Time has passed: whatever is open may have moved by itself. */
  everythingMayHaveChanged(): void {
    for (const id of this.model.open()) this.#touched.add(id);
  }

  /** When everything that comes by itself has come. */
  async conclude(): Promise<void> {
    await this.check();
    await this.sweep();
    for (const id of this.model.open()) await this.#hearStory(id);
    this.model.checkRest();
    this.#sandbox.audit();
  }
}

function booksOf(ledger: Json): Sums {
  const books = new Sums();
  for (const [book, amounts] of Object.entries(ledger)) {
    for (const [currency, amount] of Object.entries(amounts as Json))
      books.add(`${book}:${currency}`, units(amount));
  }
  return books;
}

/** Conservation: what is in a currency's books came from its other books. */
function checkBalanced(books: Sums): void {
  const totals = new Sums();
  for (const name of books.names()) totals.add(name.split(':')[1] ?? '', books.get(name));
  const wrong = totals.differences(new Sums());
  must(wrong.length === 0, 'ledger', () => `the books of ${wrong.join(', ')} do not come to nothing`);
}
