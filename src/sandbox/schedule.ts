/** What is due when, in (due, sequence) order. Tasks are plain data, so that a durable store can keep them. */
import { TaskMap } from './store/maps.ts';
import type { TaskTable } from './store/port.ts';

export type TaskBody =
  | { kind: 'expire'; transactionId: string }
  | { kind: 'auto_refund'; transactionId: string }
  | { kind: 'payin_start'; transactionId: string }
  | { kind: 'review_end'; transactionId: string }
  | { kind: 'sender_check'; senderId: string; step: 'lists' | 'papers' }
  /** `turn` tells a task that was overtaken by an edit or a cancel from the one that counts. */
  | { kind: 'payout_try'; recipientId: string; turn: number }
  | { kind: 'payout_answer'; recipientId: string; turn: number; code: string }
  | { kind: 'payout_unanswered'; recipientId: string; turn: number }
  | { kind: 'refund'; recipientId: string }
  | { kind: 'deliver'; deliveryId: string };

export interface Task {
  due: number;
  sequence: number;
  body: TaskBody;
}

export class Schedule {
  readonly #kept: TaskTable;
  readonly #heap: Task[] = [];
  #sequence = 0;
  /** Called when a task is added: a listener with a running clock sets its alarm by it. */
  onAdd: (due: number) => void = () => {};

  constructor(kept: TaskTable = new TaskMap()) {
    this.#kept = kept;
  }

  add(due: number, body: TaskBody): void {
    const task = { due, sequence: this.#sequence + 1, body };
    this.#kept.insert(task);
    this.#push(task);
    this.onAdd(due);
  }

  /** What is on the schedule, in no order. */
  get tasks(): readonly Task[] {
    return this.#heap;
  }

  /** Takes over what was kept, instead of what is here. */
  load(): void {
    this.#heap.length = 0;
    this.#sequence = 0;
    for (const task of this.#kept.all()) this.#push(task);
    const due = this.nextDue();
    if (due !== undefined) this.onAdd(due);
  }

  #push(task: Task): void {
    this.#sequence = Math.max(this.#sequence, task.sequence);
    this.#heap.push(task);
    this.#rise(this.#heap.length - 1);
  }

  get size(): number {
    return this.#heap.length;
  }

  nextDue(): number | undefined {
    return this.#heap[0]?.due;
  }

  /** Takes the first task that is due at or before `at`. */
  take(at: number): Task | undefined {
    const first = this.#heap[0];
    if (!first || first.due > at) return undefined;
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    this.#kept.remove(first);
    return first;
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
      const child = right < this.#heap.length && this.#earlier(right, left) ? right : left;
      if (!this.#swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  #earlier(a: number, b: number): boolean {
    const left = this.#heap[a] as Task;
    const right = this.#heap[b] as Task;
    return left.due < right.due || (left.due === right.due && left.sequence < right.sequence);
  }

  #swapIfEarlier(below: number, above: number): boolean {
    if (!this.#earlier(below, above)) return false;
    const held = this.#heap[below] as Task;
    this.#heap[below] = this.#heap[above] as Task;
    this.#heap[above] = held;
    return true;
  }
}
