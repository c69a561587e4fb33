/** A sandbox at work: its state, its deliveries, and the clock that runs what is due. */

import { httpDate } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { ResumableRandom } from '../core/random.ts';
import { Commits } from './commits.ts';
import { Deliveries } from './deliver/deliveries.ts';
import type { RawAnswer } from './http/answer.ts';
import type { Incoming } from './http/auth.ts';
import { Router } from './http/router.ts';
import { readImage, readImageStream, replacing, writeImage, writeImageInSlices } from './image.ts';
import { SnapshotError } from './image-reader.ts';
import type { SandboxState } from './sandbox-state.ts';
import { inOneGo, inSlices } from './slices.ts';
import { SavedState } from './state.ts';
import { runTask } from './transitions/tasks.ts';

/** Tasks between two looks at how much waits to be written. */
const TASKS_AT_ONCE = 256;

/** Answers a request; what was done for it may not be on disk yet. */
export type Serve = (service: Service, request: Incoming) => Promise<RawAnswer>;

export class Service {
  readonly sandbox: SandboxState;
  readonly router = new Router();
  /** Undefined in memory. */
  readonly commits: Commits | undefined;
  readonly #state: SavedState;
  readonly #deliveries: Deliveries;
  readonly #serve: Serve;
  /** True where someone runs what is due right after an answer; then it belongs to the same commit. */
  #pumped = false;
  /** One move of the clock at a time. */
  #moving: Promise<void> = Promise.resolve();
  /** Counts what replaced everything: a move of the clock that began before ends there. */
  #era = 0;

  constructor(sandbox: SandboxState, deliveryRandom: ResumableRandom, serve: Serve) {
    this.sandbox = sandbox;
    this.#serve = serve;
    this.#deliveries = new Deliveries(sandbox, deliveryRandom);
    this.#state = new SavedState(sandbox, this.#deliveries, deliveryRandom);
    sandbox.emit = (event, subject) => this.#deliveries.emit(event, subject);
    const { durable } = sandbox.store;
    this.commits = durable && this.#commitsTo(durable);
    sandbox.hold.onOver = () => this.#wake();
    if (durable && !durable.isNew) this.#state.load();
    else this.#state.begin();
    this.commits?.now();
  }

  #commitsTo(durable: NonNullable<SandboxState['store']['durable']>): Commits {
    const commits = new Commits(durable, {
      pieces: this.#state.pieces,
      finish: () => this.#pumped && this.runDue(),
      reload: () => this.#state.load(),
    });
    this.sandbox.saved = () => commits.pending;
    return commits;
  }

  /** The answer to a request, given when what it did is on disk. */
  async answer(request: Incoming): Promise<RawAnswer> {
    const { hold } = this.sandbox;
    const isRead = request.method === 'GET';
    for (let over = hold.before(isRead); over; over = hold.before(isRead)) await over;
    let answer: RawAnswer;
    try {
      answer = await this.#serve(this, request);
    } catch (error) {
      this.commits?.abandon(error);
      throw error;
    }
    await this.commits?.saved();
    // The client learns what time it is for the sandbox, as from any server.
    const { status, headers, body, cut } = answer;
    return { status, headers: { ...headers, date: httpDate(this.sandbox.clock.peek()) }, body, cut };
  }

  onDue(callback: () => void): void {
    this.#pumped = true;
    this.sandbox.schedule.onAdd = callback;
  }

  /** Runs everything that is due now, in order of due time and sequence; what is late, at its own instant. */
  runDue(): void {
    const { schedule, clock, hold } = this.sandbox;
    if (hold.isOn) return;
    const until = clock.peek();
    let count = 0;
    for (let task = schedule.take(until); task; task = schedule.take(until)) {
      const { due, body } = task;
      clock.during(due, () => runTask(this.sandbox, body, (id) => this.#deliveries.begin(id)));
      count += 1;
      if (count % TASKS_AT_ONCE === 0) this.commits?.nowIfMany();
    }
  }

  /** Runs what is due now, deliveries and what follows from them included, and keeps it. */
  async drain(): Promise<void> {
    await this.#drain();
    await this.commits?.saved();
  }

  async #drain(): Promise<void> {
    const { schedule, clock, hold } = this.sandbox;
    do {
      await hold.untilOver();
      this.runDue();
      await this.#deliveries.idle();
    } while ((schedule.nextDue() ?? Number.POSITIVE_INFINITY) <= clock.now());
  }

  /** Moves the clock, stopping at every task on the way: now is the task's due time when it runs. */
  advance(ms: number): Promise<void> {
    const moved = this.#moving.then(() => this.#advance(ms));
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  async #advance(ms: number): Promise<void> {
    const { schedule, clock } = this.sandbox;
    const era = this.#era;
    const target = clock.now() + ms;
    await this.#drain();
    for (let due = schedule.nextDue(); due !== undefined && due <= target; due = schedule.nextDue()) {
      if (era !== this.#era) return;
      clock.moveTo(due);
      await this.#drain();
      this.commits?.nowIfMany();
    }
    await this.sandbox.hold.untilOver();
    if (era !== this.#era) return;
    clock.moveTo(target);
    await this.commits?.saved();
  }

  /** Reports the next due task again: it may have fallen due while nothing could run. */
  #wake(): void {
    const due = this.sandbox.schedule.nextDue();
    if (due !== undefined) this.sandbox.schedule.onAdd(due);
  }

  snapshot(): Uint8Array {
    return writeImage(this.#state);
  }

  /** The same while other requests are answered; what would change anything waits. */
  takeSnapshot(): Promise<Uint8Array> {
    return this.sandbox.hold.during('changes', () => writeImageInSlices(this.#state));
  }

  /** @throws SnapshotError, and then everything is as it was */
  restore(bytes: Uint8Array): void {
    const image = readImage(this.#state, bytes);
    this.commits?.now();
    this.#replace(() => {
      try {
        inOneGo(replacing(this.#state, this.sandbox.store, image));
      } catch (error) {
        this.commits?.abandon(error);
        throw error;
      }
    });
  }

  /** The same from bytes as they come, in slices. In a file even reads wait meanwhile. @throws SnapshotError */
  async restoreFrom(source: AsyncIterable<Uint8Array>): Promise<void> {
    const { commits, sandbox } = this;
    const image = await readImageStream(this.#state, source);
    const { full } = sandbox.room;
    if (full !== null) throw new SnapshotError(`there is no room for it beside what is there: ${full}`);
    await sandbox.hold.during(commits ? 'everything' : 'changes', async () => {
      await commits?.pause();
      try {
        await inSlices(replacing(this.#state, sandbox.store, image));
        this.#era += 1;
        commits?.goOn();
        commits?.now();
      } catch (error) {
        commits?.abandon(error);
        throw error;
      } finally {
        commits?.goOn();
      }
    });
  }

  reset(): void {
    this.#replace(() => this.#state.reset());
  }

  #replace(work: () => void): void {
    invariant(!this.sandbox.hold.isOn, 'no snapshot and no restore is under way');
    work();
    this.#era += 1;
    this.commits?.now();
  }

  async close(): Promise<void> {
    await this.sandbox.hold.untilOver();
    await this.#deliveries.close();
    this.commits?.end();
  }
}
