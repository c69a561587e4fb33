/** A sandbox at work: its world, its deliveries, and the clock that runs what is due. */

import type { Random } from '../core/random.ts';
import { Deliveries } from './deliver/deliveries.ts';
import { NonceMemory } from './http/auth.ts';
import { Router } from './http/router.ts';
import { runTask } from './walk/tasks.ts';
import type { World } from './world.ts';

export class Service {
  readonly world: World;
  readonly nonces = new NonceMemory();
  readonly router = new Router();
  readonly #deliveries: Deliveries;
  /** One move of the clock at a time. */
  #moving: Promise<void> = Promise.resolve();

  constructor(world: World, deliveryRandom: Random) {
    this.world = world;
    this.#deliveries = new Deliveries(world, deliveryRandom);
    world.emit = (event, subject) => this.#deliveries.emit(event, subject);
  }

  /** Runs everything that is due now, in order of due time and sequence. */
  runDue(): void {
    const { schedule, clock } = this.world;
    for (let task = schedule.take(clock.now()); task; task = schedule.take(clock.now())) {
      runTask(this.world, task.body, (id) => this.#deliveries.begin(id));
    }
  }

  /** Runs what is due now, deliveries and what follows from them included. */
  async settle(): Promise<void> {
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
    const target = clock.now() + ms;
    await this.settle();
    for (let due = schedule.nextDue(); due !== undefined && due <= target; due = schedule.nextDue()) {
      clock.moveTo(due);
      await this.settle();
    }
    clock.moveTo(target);
  }

  close(): Promise<void> {
    return this.#deliveries.close();
  }
}
