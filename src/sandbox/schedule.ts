/** The tasks that are due, in (due, sequence) order. Tasks are plain data, so that a durable store can keep them. */
import type { Steps } from './slices.ts';
import { TaskMap } from './store/memory.ts';
import type { SandboxStore } from './store/port.ts';
import type { Task, TaskBody } from './store/records.ts';

/** Tasks of one instant, in the order they were added; the first `taken` of them are gone. */
interface Instant {
  tasks: Task[];
  taken: number;
}

/** A heap of instants, which are numbers side by side in memory, and under each what is due then. */
export class Schedule {
  /** A restore puts another table in its place. */
  readonly #store: Pick<SandboxStore, 'tasks'>;
  readonly #heap: number[] = [];
  readonly #instants = new Map<number, Instant>();
  #size = 0;
  #sequence = 0;
  /** Called when a task is added: a listener with a running clock sets its alarm by it. */
  onAdd: (due: number) => void = () => {};

  constructor(store: Pick<SandboxStore, 'tasks'> = { tasks: new TaskMap() }) {
    this.#store = store;
  }

  add(due: number, body: TaskBody): void {
    const task = { due, sequence: this.#sequence + 1, body };
    this.#store.tasks.insert(task);
    this.#push(task);
    this.onAdd(due);
  }

  /** The tasks on the schedule, in no order. */
  get tasks(): readonly Task[] {
    return [...this.#instants.values()].flatMap(({ tasks, taken }) => tasks.slice(taken));
  }

  /** Takes over what was kept, instead of what is here, a task a step. */
  *loading(): Steps {
    this.#heap.length = 0;
    this.#instants.clear();
    this.#size = 0;
    this.#sequence = 0;
    for (const task of this.#store.tasks.all()) {
      this.#push(task);
      yield 1;
    }
    const due = this.nextDue();
    if (due !== undefined) this.onAdd(due);
  }

  get size(): number {
    return this.#size;
  }

  nextDue(): number | undefined {
    return this.#heap[0];
  }

  /** Takes the first task that is due at or before `at`. */
  take(at: number): Task | undefined {
    const due = this.#heap[0];
    if (due === undefined || due > at) return undefined;
    const instant = this.#instants.get(due) as Instant;
    const task = instant.tasks[instant.taken] as Task;
    instant.taken += 1;
    this.#size -= 1;
    if (instant.taken === instant.tasks.length) this.#dropFirst(due);
    this.#store.tasks.remove(task.sequence);
    return task;
  }

  #push(task: Task): void {
    this.#sequence = Math.max(this.#sequence, task.sequence);
    this.#size += 1;
    const instant = this.#instants.get(task.due);
    if (instant) {
      instant.tasks.push(task);
      return;
    }
    this.#instants.set(task.due, { tasks: [task], taken: 0 });
    this.#heap.push(task.due);
    this.#rise(this.#heap.length - 1);
  }

  #dropFirst(due: number): void {
    this.#instants.delete(due);
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(index: number): void {
    let at = index;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfEarlier(at, parent)) return;
      at = parent;
    }
  }

  #sink(index: number): void {
    let at = index;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= this.#heap.length) return;
      const right = left + 1;
      const child = right < this.#heap.length && this.#at(right) < this.#at(left) ? right : left;
      if (!this.#swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  #at(index: number): number {
    return this.#heap[index] as number;
  }

  #swapIfEarlier(below: number, above: number): boolean {
    const [late, early] = [this.#at(above), this.#at(below)];
    if (early >= late) return false;
    this.#heap[below] = late;
    this.#heap[above] = early;
    return true;
  }
}
