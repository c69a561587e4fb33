/**
 * Watches a sandbox as its partner can: requests and answers as they pass, webhooks, reads of its own, and the totals of the
 * ledger. It has a model of its own of what money did, and throws when the two part. It shares no code with the sandbox.
 */
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Sums, shown, units } from './amounts.ts';
import { must } from './broken.ts';
import { Eyes } from './eyes.ts';
import type { Json } from './look.ts';
import { Model } from './model.ts';
import { sweepLogs, sweepRecipients, sweepTransactions } from './sweep.ts';
import { Witness } from './witness.ts';

/** Steps between two readings of all lists. */
const SWEEP_EVERY = 500;

export class Auditor {
  readonly #sandbox: Sandbox;
  readonly #eyes: Eyes;
  readonly #opening = new Sums();
  readonly model = new Model();
  readonly witness = new Witness(this.model);
  /** Those that are over, and whose story was heard since. */
  readonly #heard = new Set<string>();
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

  /** To be called when nothing is on its way and no fault waits for a request. @throws Broken */
  async check(): Promise<void> {
    this.#steps += 1;
    await this.#sandbox.drain();
    const state = await this.#look();
    const { touched, senders } = this.witness;
    for (const id of touched) await this.#read(id, true);
    touched.clear();
    await this.#discover(state.counts.transactions);
    for (const id of senders) await this.#readSender(id);
    senders.clear();
    this.model.checkClaims();
    this.witness.checkClaims();
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
      for (const view of object) await this.#observe(view);
    }
  }

  async #read(id: string, hear = false): Promise<void> {
    const view = await this.#eyes.transaction(id);
    must(view !== undefined, 'identity', () => `transaction ${id} was acknowledged, and is gone`);
    if (hear) this.#heard.delete(id);
    await this.#observe(view);
    if (hear && !this.#heard.has(id)) await this.#hearStory(id);
  }

  async #readSender(id: string): Promise<void> {
    const sender = (await this.#eyes.read(`/senders/${id}`))?.object;
    must(sender !== undefined, 'identity', () => `sender ${id} was acknowledged, and is gone`);
    this.model.observeSender(sender);
  }

  async #observe(view: Json): Promise<void> {
    this.model.observe(view);
    if (!this.model.isOver(view.id) || this.#heard.has(view.id)) return;
    this.#heard.add(view.id);
    await this.#hearStory(view.id);
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
    await sweepTransactions(this.#eyes, this.model, (view) => this.#observe(view));
    await sweepRecipients(this.#eyes, this.model);
    await sweepLogs(this.#eyes);
  }

  /** Time has passed: whatever is open may have moved by itself. */
  everythingMayHaveChanged(): void {
    for (const id of this.model.open()) this.witness.touched.add(id);
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
