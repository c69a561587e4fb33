/** What is due when, in (due, sequence) order. Tasks are plain data, so that a durable store can keep them. */

export type TaskBody =
  | { kind: 'expire'; transactionId: string }
  | { kind: 'auto_refund'; transactionId: string }
  | { kind: 'payin_start'; transactionId: string }
  /** `turn` tells a task that was overtaken by an edit or a cancel from the one that counts. */
  | { kind: 'payout_try'; recipientId: string; turn: number }
  | { kind: 'payout_answer'; recipientId: string; turn: number; code: string }
  | { kind: 'refund'; recipientId: string }
  | { kind: 'deliver'; deliveryId: string };

export interface Task {
  due: number;
  sequence: number;
  body: TaskBody;
}

export class Schedule {
  readonly #heap: Task[] = [];
  #sequence = 0;
  /** Called when a task is added: a listener with a running clock sets its alarm by it. */
  onAdd: (due: number) => void = () => {};

  add(due: number, body: TaskBody): void {
    this.#sequence += 1;
    this.#heap.push({ due, sequence: this.#sequence, body });
    this.#rise(this.#heap.length - 1);
    this.onAdd(due);
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
