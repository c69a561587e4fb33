/** A sandbox at work: its world, its deliveries, and the clock that runs what is due. */

import type { ResumableRandom } from '../core/random.ts';
import { Commits } from './commits.ts';
import { Deliveries } from './deliver/deliveries.ts';
import type { RawAnswer } from './http/answer.ts';
import type { Incoming } from './http/auth.ts';
import { Router } from './http/router.ts';
import { imageOfNow, putImage, readImage, readImageStream, writeImage } from './image.ts';
import type { Image } from './image-check.ts';
import { SnapshotError } from './image-reader.ts';
import { State } from './state.ts';
import { runTask } from './walk/tasks.ts';
import type { SandboxWorld } from './world.ts';

/** Tasks between two looks at how much waits to be written. */
const TASKS_AT_ONCE = 256;

/** Answers a request; what was done for it may not be on disk yet. */
export type Serve = (service: Service, request: Incoming) => Promise<RawAnswer>;

export class Service {
  readonly world: SandboxWorld;
  readonly router = new Router();
  /** Undefined in memory. */
  readonly commits: Commits | undefined;
  readonly #state: State;
  readonly #deliveries: Deliveries;
  readonly #serve: Serve;
  /** Whether someone runs what is due right after an answer; then it belongs to the same commit. */
  #pumped = false;
  /** One move of the clock at a time. */
  #moving: Promise<void> = Promise.resolve();
  /** Counts what replaced everything: a move of the clock that began before ends there. */
  #era = 0;

  constructor(world: SandboxWorld, deliveryRandom: ResumableRandom, serve: Serve) {
    this.world = world;
    this.#serve = serve;
    this.#deliveries = new Deliveries(world, deliveryRandom);
    this.#state = new State(world, this.#deliveries, deliveryRandom);
    world.emit = (event, subject) => this.#deliveries.emit(event, subject);
    const { durable } = world.store;
    this.commits = durable && this.#commitsTo(durable);
    if (durable && !durable.isNew) this.#state.load();
    else this.#state.begin();
    this.commits?.now();
  }

  #commitsTo(durable: NonNullable<SandboxWorld['store']['durable']>): Commits {
    const commits = new Commits(durable, {
      pieces: this.#state.pieces,
      finish: () => this.#pumped && this.runDue(),
      reload: () => this.#state.load(),
    });
    this.world.saved = () => commits.pending;
    return commits;
  }

  /** The answer to a request, given when what it did is on disk. */
  async answer(request: Incoming): Promise<RawAnswer> {
    const answer = await this.#serve(this, request).catch((error: unknown) => {
      this.commits?.abandon(error);
      throw error;
    });
    await this.commits?.saved();
    return answer;
  }

  onDue(callback: () => void): void {
    this.#pumped = true;
    this.world.schedule.onAdd = callback;
  }

  /** Runs everything that is due now, in order of due time and sequence; what is late, at its own instant. */
  runDue(): void {
    const { schedule, clock } = this.world;
    const until = clock.peek();
    let count = 0;
    for (let task = schedule.take(until); task; task = schedule.take(until)) {
      const { due, body } = task;
      clock.during(due, () => runTask(this.world, body, (id) => this.#deliveries.begin(id)));
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
    const { schedule, clock } = this.world;
    do {
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
    const { schedule, clock } = this.world;
    const era = this.#era;
    const target = clock.now() + ms;
    await this.#drain();
    for (let due = schedule.nextDue(); due !== undefined && due <= target; due = schedule.nextDue()) {
      if (era !== this.#era) return;
      clock.moveTo(due);
      await this.#drain();
      this.commits?.nowIfMany();
    }
    clock.moveTo(target);
    await this.commits?.saved();
  }

  snapshot(): Uint8Array {
    return writeImage(this.#state);
  }

  /** @throws SnapshotError, and then everything is as it was */
  restore(bytes: Uint8Array): void {
    this.#takeOn(readImage(this.#state, bytes));
  }

  /** The same from bytes as they come. @throws SnapshotError */
  async restoreFrom(source: AsyncIterable<Uint8Array>): Promise<void> {
    this.#takeOn(await readImageStream(this.#state, source));
  }

  /** Restores the whole snapshot or nothing of it, even one that turns out to be wrong half way. */
  #takeOn(image: Image): void {
    this.commits?.now();
    const before = this.commits ? undefined : imageOfNow(this.#state);
    try {
      putImage(this.#state, image);
      this.world.ledger.audit();
    } catch (error) {
      if (before) putImage(this.#state, before);
      else this.commits?.abandon(error);
      throw new SnapshotError(`the snapshot does not fit: ${error instanceof Error ? error.message : error}`);
    }
    this.#replace(() => undefined);
  }

  reset(): void {
    this.#replace(() => this.#state.reset());
  }

  #replace(work: () => void): void {
    work();
    this.#era += 1;
    this.commits?.now();
  }

  async close(): Promise<void> {
    await this.#deliveries.close();
    this.commits?.end();
  }
}
