/** The cases of an audit, in order: each write by each way, then pairs, then seeded at random. */
import { seededRandom } from '../core/random.ts';
import { type AuditCase, type CaseFault, caseText } from './case.ts';
import { type Way, wayInfo, wayNames } from './loss-modes.ts';

/** A write of the runs without a fault: its content, and which of several of the same it is. */
export interface KnownWrite {
  write: string;
  nth: number;
  /** It moves money, or takes away: met first. */
  isWeighty: boolean;
}

export interface Occasions {
  writes: readonly KnownWrite[];
  ways: readonly Way[];
}

export function* singles({ writes, ways }: Occasions): Generator<AuditCase> {
  const calls = ways.filter((way) => wayInfo(way).place !== 'webhook');
  const waits = (way: Way): boolean => wayInfo(way).waits === true;
  for (const isWeighty of [true, false])
    yield* each(
      calls.filter((way) => !waits(way)),
      writes.filter((one) => one.isWeighty === isWeighty),
    );
  for (const way of ways) if (wayInfo(way).place === 'webhook') yield [{ way, nth: 1 }];
  yield* each(calls.filter(waits), writes);
}

function* each(ways: readonly Way[], writes: readonly KnownWrite[]): Generator<AuditCase> {
  for (const way of ways) for (const one of writes) yield [faultOf(one, way)];
}

/** The second try is lost as well; then two writes, and a write with a way of the webhooks. */
export function* pairs({ writes, ways }: Occasions): Generator<AuditCase> {
  const telling = ways.filter((way) => wayInfo(way).place !== 'webhook' && !wayInfo(way).waits);
  const weighty = writes.filter((one) => one.isWeighty);
  for (const one of weighty)
    for (const first of telling)
      for (const second of telling)
        yield [faultOf(one, first), faultOf({ ...one, nth: one.nth + 1 }, second)];
  for (const [at, one] of weighty.entries())
    for (const other of weighty.slice(at + 1))
      for (const first of telling) yield [faultOf(one, first), faultOf(other, telling[0] ?? first)];
  for (const way of ways.filter((each) => wayInfo(each).place === 'webhook'))
    for (const one of weighty) for (const first of telling) yield [faultOf(one, first), { way, nth: 1 }];
}

const MOST_FAULTS = 4;
const MOST_TRIES = 3;

/** Without end. The same seed gives the same cases. */
export function* atRandom({ writes, ways }: Occasions, seed: string): Generator<AuditCase> {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T;
  const calls = ways.filter((way) => wayInfo(way).place !== 'webhook' && !wayInfo(way).waits);
  const webhooks = ways.filter((way) => wayInfo(way).place === 'webhook');
  while (writes.length > 0 && calls.length > 0) {
    const chosen: CaseFault[] = [];
    const most = 2 + Math.floor(random.next() * (MOST_FAULTS - 1));
    // Follows the order of the writes. Tries of one write follow each other: a third is met where the second was lost too.
    for (const [at, one] of writes.entries()) {
      const left = Math.min(most - chosen.length, MOST_TRIES);
      const isLast = at === writes.length - 1 && chosen.length === 0;
      if (left === 0 || (!isLast && random.next() < 0.5)) continue;
      const tries = 1 + Math.floor(random.next() * left);
      for (let nth = one.nth; nth < one.nth + tries; nth++)
        chosen.push(faultOf({ ...one, nth }, pick(calls)));
    }
    yield webhooks.length > 0 && random.next() < 0.3 ? [...chosen, { way: pick(webhooks), nth: 1 }] : chosen;
  }
}

const faultOf = ({ write, nth }: Pick<KnownWrite, 'write' | 'nth'>, way: Way): CaseFault => ({
  way,
  write,
  nth,
});

/** Ways that can be met, in their order. */
export const waysFor = (has: { kills: boolean; webhooks: boolean }, skipped: readonly Way[]): Way[] =>
  wayNames.filter((way) => {
    const { place } = wayInfo(way);
    if (skipped.includes(way)) return false;
    return place === 'kill' ? has.kills : place === 'webhook' ? has.webhooks : true;
  });

/** Tells which cases can be met, learnt from those that were run. */
export class CaseReach {
  /** Cases whose faults all had their occasion. */
  readonly #met = new Set<string>();
  readonly #never = new Set<string>();

  /** Where all faults before the last one can be met, and a case was not: after those, the program never sends what the last one waits for. */
  learn(given: AuditCase, isMet: boolean): void {
    const before = given.slice(0, -1);
    const last = given.at(-1);
    if (last === undefined) return;
    if (isMet) this.#met.add(caseText(given));
    else if (before.length === 1 || this.#met.has(caseText(before))) this.#never.add(afterText(before, last));
  }

  isHopeless(given: AuditCase): boolean {
    return given.some((one, at) => at > 0 && this.#never.has(afterText(given.slice(0, at), one)));
  }
}

/** The way of the last fault does not matter: its write never comes. */
const afterText = (before: AuditCase, { write, nth }: CaseFault): string =>
  `${caseText(before)} ${write} ${nth}`;
