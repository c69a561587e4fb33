/** A journal of intents without a disk, for programs that keep none (`memoryIntents` of the library). */
import { isSameUrl, type KeyJoin } from '../../core/account.ts';
import { invariant } from '../../core/invariants.ts';
import { drawIntent, type StoreDependencies } from './intent-writes.ts';
import {
  givenIdOf,
  type Intent,
  type IntentFilter,
  type Intents,
  isByWord,
  isUnsettled,
  type NewIntent,
  REPEAT_WINDOW_MS,
  UNSETTLED,
} from './port.ts';

export function intentsInMemory(dependencies: StoreDependencies): Intents {
  const { clock } = dependencies;
  const kept = new Kept();
  return {
    async open(intent, judge) {
      const since = clock.now() - REPEAT_WINDOW_MS;
      const stands = (other: Intent): boolean => isUnsettled(other) || isFresh(other, since);
      const refused = judge?.([...kept.alikeTo(intent).filter(stands), ...kept.openAbout(intent)]);
      if (refused !== undefined) return { refused };
      const opened = drawIntent(dependencies, intent);
      kept.put({ ...opened });
      return { opened };
    },
    async close(id, { state, resultId, note, emptySince }) {
      const intent = kept.known(id, 'close');
      if (!isUnsettled(intent) && !(state === 'applied' && isByWord(intent))) return { ...intent };
      const closed: Intent = { ...intent, state, updatedAt: clock.now() };
      if (resultId !== undefined) closed.resultId = resultId;
      if (note !== undefined) closed.note = note;
      if (emptySince === undefined) delete closed.emptySince;
      else closed.emptySince = emptySince;
      if (state !== 'unknown') delete closed.request;
      kept.put(closed);
      return { ...closed };
    },
    async told(id) {
      const intent = kept.known(id, 'tell of');
      kept.put({
        ...intent,
        toldAt: intent.toldAt ?? clock.now(),
        toldSeq: intent.toldSeq ?? ++kept.lastTold,
        toldUptime: intent.toldUptime ?? clock.uptime?.(),
      });
    },
    lastTold: async () => kept.lastTold,
    async join(join) {
      invariant(join.key.keyPrint !== join.before.keyPrint, 'no key takes the place of itself');
      const stands = kept.joins.find(
        (one) =>
          isSameUrl(one, join) &&
          one.key.keyPrint === join.key.keyPrint &&
          one.before.keyPrint === join.before.keyPrint,
      );
      if (stands === undefined) kept.joins.push({ ...join });
      else stands.isProven ||= join.isProven;
    },
    joins: async () => kept.joins.map((join) => ({ ...join })),
    async rekey(id, digest) {
      const intent = kept.get(id);
      if (intent !== undefined) kept.put({ ...intent, digest });
    },
    get: async (id) => copy(kept.get(id)),
    async list({ limit = 100, ...filter } = {}) {
      const ofUnsettled = filter.states?.every((state) => UNSETTLED.includes(state)) ?? false;
      const found: Intent[] = [];
      for (const intent of ofUnsettled ? kept.unsettled() : kept.all()) {
        if (found.length === limit) break;
        if (fits(intent, filter) && kept.isAfter(intent, filter.after)) found.push({ ...intent });
      }
      return found;
    },
    async count(filter = {}) {
      return kept.all().filter((intent) => fits(intent, filter) && kept.isAfter(intent, filter.after)).length;
    },
  };
}

/** Found by digest and given id, and by whether they are settled: what a payment costs does not grow with those before it. */
class Kept {
  readonly #intents = new Map<string, Intent>();
  readonly #order = new Map<string, number>();
  readonly #alike = new Map<string, Map<string | undefined, Set<string>>>();
  readonly #unsettled = new Set<string>();
  readonly joins: KeyJoin[] = [];
  lastTold = 0;

  put(intent: Intent): void {
    const { id, digest } = intent;
    const before = this.#intents.get(id);
    if (before && before.digest !== digest)
      this.#alike.get(before.digest)?.get(givenIdOf(before))?.delete(id);
    this.#intents.set(id, intent);
    if (!before) this.#order.set(id, this.#order.size);
    const same = this.#alike.get(digest) ?? new Map<string | undefined, Set<string>>();
    const named = same.get(givenIdOf(intent)) ?? new Set();
    this.#alike.set(digest, same.set(givenIdOf(intent), named.add(id)));
    if (isUnsettled(intent)) this.#unsettled.add(id);
    else this.#unsettled.delete(id);
  }

  get(id: string): Intent | undefined {
    return this.#intents.get(id);
  }

  known(id: string, what: string): Intent {
    const intent = this.#intents.get(id);
    invariant(intent, `no intent ${id} to ${what}`);
    return intent;
  }

  /** True where the intent was written after the one of the id `other`. */
  isAfter({ id }: Intent, other: string | undefined): boolean {
    return (
      other === undefined || (this.#order.get(id) ?? 0) > (this.#order.get(other) ?? Number.POSITIVE_INFINITY)
    );
  }

  all(): Intent[] {
    return [...this.#intents.values()].reverse();
  }

  unsettled(): Intent[] {
    return this.#newestFirst(this.#unsettled);
  }

  alikeTo(intent: NewIntent): Intent[] {
    const same = this.#alike.get(intent.digest);
    const given = givenIdOf(intent);
    const ids = given === undefined ? same?.values() : [same?.get(undefined) ?? [], same?.get(given) ?? []];
    return this.#newestFirst([...(ids ?? [])].flatMap((some) => [...some]));
  }

  /** Finds those of another digest that are open about the same subject. */
  openAbout({ subject, digest }: NewIntent): Intent[] {
    if (subject === undefined) return [];
    return this.#newestFirst(this.#order.keys()).filter(
      (one) => one.subject === subject && one.state === 'open' && one.digest !== digest,
    );
  }

  #newestFirst(ids: Iterable<string>): Intent[] {
    const place = ({ id }: Intent): number => this.#order.get(id) ?? 0;
    return [...ids].map((id) => this.known(id, 'list')).sort((a, b) => place(b) - place(a));
  }
}

const isFresh = ({ state, toldAt }: Intent, since: number): boolean =>
  state === 'applied' && (toldAt === undefined || toldAt > since);

function fits(intent: Intent, filter: IntentFilter): boolean {
  const {
    states,
    digest,
    profile,
    subject,
    command,
    from = 0,
    to = Number.POSITIVE_INFINITY,
    prefix = '',
  } = filter;
  return (
    (states === undefined || states.includes(intent.state)) &&
    (digest === undefined || intent.digest === digest) &&
    (profile === undefined || intent.profile === profile) &&
    (subject === undefined || intent.subject === subject) &&
    intent.createdAt >= from &&
    intent.createdAt <= to &&
    intent.id.startsWith(prefix) &&
    (command === undefined || intent.command === command || intent.command.startsWith(`${command} `))
  );
}

const copy = <T extends object>(value: T | undefined): T | undefined => value && { ...value };
