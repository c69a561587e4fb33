/** How the program behaves: seen in all cases together, and said with how often it had occasion. */

import { wayInfo } from './loss-modes.ts';
import type { RelayedRequest } from './relay.ts';
import type { CaseRun } from './run-case.ts';
import { leavesOf } from './writes.ts';

export const habitNames = {
  sends_again: 'sends a write again after its answer was lost',
  looks_first: 'looks before it sends again',
  keeps_id: 'sends again under the same external id',
  verifies: 'refuses webhooks with a wrong signature',
  checks_forged: 'looks at the service itself before it acts on a webhook with a wrong signature',
  answers_alike: 'answers a webhook that comes twice alike',
  respects_limits: 'waits as long as Retry-After says',
  polls_gently: 'asks for the same at most once a second on average',
} as const;
export type HabitName = keyof typeof habitNames;

export interface Habit {
  name: HabitName;
  /** How often it did, of how often it had occasion. */
  did: number;
  of: number;
}

export class Habits {
  readonly #counts = new Map<HabitName, { did: number; of: number }>();

  hear(run: CaseRun): void {
    for (const [at, lost] of run.exchanges.entries()) {
      if (lost.way === undefined || wayInfo(lost.way).place === 'webhook') continue;
      if (lost.way === 'limited') this.#limited(run.exchanges, at);
      else if (lost.done !== undefined && lost.done < 300) this.#lost(run.exchanges, at);
    }
    this.#deliveries(run);
    this.#polling(run.exchanges);
  }

  /** It did after a forged webhook what it does after a true one. */
  hearActed(looked: boolean): void {
    this.#note('checks_forged', looked);
  }

  list(): Habit[] {
    return (Object.keys(habitNames) as HabitName[]).flatMap((name) => {
      const count = this.#counts.get(name);
      return count === undefined ? [] : [{ name, ...count }];
    });
  }

  #note(name: HabitName, isDone: boolean): void {
    const count = this.#counts.get(name) ?? { did: 0, of: 0 };
    this.#counts.set(name, { did: count.did + (isDone ? 1 : 0), of: count.of + 1 });
  }

  #lost(exchanges: readonly RelayedRequest[], at: number): void {
    const lost = exchanges[at] as RelayedRequest;
    const again = exchanges.findIndex(
      (one, later) => later > at && one.operation === lost.operation && one.write === lost.write,
    );
    this.#note('sends_again', again >= 0);
    if (again < 0) return;
    this.#note(
      'looks_first',
      exchanges
        .slice(at + 1, again)
        .some(({ effect, operation }) => effect === 'read' && operation !== undefined),
    );
    const before = externalIdIn(lost.body);
    if (before !== undefined) this.#note('keeps_id', externalIdIn(exchanges[again]?.body ?? '') === before);
  }

  #limited(exchanges: readonly RelayedRequest[], at: number): void {
    const limited = exchanges[at] as RelayedRequest;
    const next = exchanges[at + 1];
    if (next !== undefined && next.start === limited.start)
      this.#note('respects_limits', next.at - limited.at >= RETRY_AFTER_MS);
  }

  #deliveries({ deliveries, case: faults }: CaseRun): void {
    for (const { isForged, status } of deliveries)
      if (isForged && status !== undefined) this.#note('verifies', status >= 300);
    if (!faults.some(({ way }) => way === 'webhook-twice')) return;
    const answers = new Map<string, number[]>();
    for (const { body, status } of deliveries)
      if (status !== undefined) answers.set(body, [...(answers.get(body) ?? []), status]);
    for (const statuses of answers.values())
      if (statuses.length > 1) this.#note('answers_alike', new Set(statuses).size === 1);
  }

  #polling(exchanges: readonly RelayedRequest[]): void {
    const reads = new Map<string, number[]>();
    for (const { effect, path, at } of exchanges)
      if (effect === 'read') reads.set(path, [...(reads.get(path) ?? []), at]);
    for (const times of reads.values()) {
      if (times.length < MANY) continue;
      const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
      this.#note('polls_gently', span / (times.length - 1) >= 1_000);
    }
  }
}

const RETRY_AFTER_MS = 1_000;
/** Fewer reads of the same are no polling. */
const MANY = 10;

function externalIdIn(body: string): string | undefined {
  for (const [path, value] of leavesOf(body))
    if (/(?:^|\.)external_id$/.test(path) && !path.includes('sender')) return value;
  return undefined;
}
