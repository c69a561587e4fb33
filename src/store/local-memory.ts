/** The ports of the local store without a disk: for tests, and for a demonstration that leaves nothing behind. */
import { uuid } from '../core/ids.ts';
import { invariant } from '../core/invariants.ts';
import {
  givenIdOf,
  type Intent,
  type IntentFilter,
  type Intents,
  isUnsettled,
  type NewIntent,
  REPEAT_WINDOW_MS,
  UNSETTLED,
} from '../core/ports/intents.ts';
import type { Seen, SeenIndex } from '../core/ports/seen.ts';
import type { StoreDependencies } from './dependencies.ts';
import type { Store } from './open.ts';

export function memoryLocalStore(dependencies: StoreDependencies): Store {
  return {
    intents: memoryIntents(dependencies),
    seen: memorySeenIndex(),
    close() {},
  };
}

export function memoryIntents({ clock, random }: StoreDependencies): Intents {
  const intents = new Map<string, Intent>();
  const order = new Map<string, number>();
  /** Ids by digest and given id, and those that are not settled: what a payment costs does not grow with those before it. */
  const alike = new Map<string, Map<string | undefined, Set<string>>>();
  const unsettled = new Set<string>();

  function keep(intent: Intent): void {
    const before = intents.get(intent.id);
    if (before && before.digest !== intent.digest)
      alike.get(before.digest)?.get(givenIdOf(before))?.delete(intent.id);
    intents.set(intent.id, intent);
    const same = alike.get(intent.digest) ?? new Map<string | undefined, Set<string>>();
    const named = same.get(givenIdOf(intent)) ?? new Set();
    alike.set(intent.digest, same.set(givenIdOf(intent), named.add(intent.id)));
    if (isUnsettled(intent)) unsettled.add(intent.id);
    else unsettled.delete(intent.id);
  }

  function known(id: string, what: string): Intent {
    const intent = intents.get(id);
    invariant(intent, `no intent ${id} to ${what}`);
    return intent;
  }

  const all = (ids: Iterable<string>): Intent[] => [...ids].map((id) => known(id, 'list')).reverse();

  function alikeTo(intent: NewIntent): Intent[] {
    const same = alike.get(intent.digest);
    const given = givenIdOf(intent);
    const ids = given === undefined ? same?.values() : [same?.get(undefined) ?? [], same?.get(given) ?? []];
    const place = ({ id }: Intent): number => order.get(id) ?? 0;
    return all([...(ids ?? [])].flatMap((some) => [...some])).sort((a, b) => place(b) - place(a));
  }

  return {
    async open(intent, judge) {
      const now = clock.now();
      const stands = (other: Intent): boolean => isUnsettled(other) || isFresh(other, now - REPEAT_WINDOW_MS);
      const refused = judge?.(alikeTo(intent).filter(stands));
      if (refused !== undefined) return { refused };
      const opened: Intent = { ...intent, id: uuid(random), state: 'open', createdAt: now, updatedAt: now };
      order.set(opened.id, order.size);
      keep(opened);
      return { opened: { ...opened } };
    },
    async close(id, { state, resultId, note }) {
      const intent = known(id, 'close');
      if (!isUnsettled(intent)) return { ...intent };
      const closed: Intent = { ...intent, state, updatedAt: clock.now() };
      if (resultId !== undefined) closed.resultId = resultId;
      if (note !== undefined) closed.note = note;
      if (state !== 'unknown') delete closed.request;
      keep(closed);
      return { ...closed };
    },
    async told(id) {
      const intent = known(id, 'tell of');
      keep({ ...intent, toldAt: intent.toldAt ?? clock.now() });
    },
    async rekey(id, digest) {
      const intent = intents.get(id);
      if (intent !== undefined) keep({ ...intent, digest });
    },
    get: async (id) => copy(intents.get(id)),
    async list({ limit = 100, ...filter } = {}) {
      const ofUnsettled = filter.states?.every((state) => UNSETTLED.includes(state)) ?? false;
      const found: Intent[] = [];
      for (const intent of all(ofUnsettled ? unsettled : intents.keys())) {
        if (found.length === limit) break;
        if (fits(intent, filter)) found.push({ ...intent });
      }
      return found;
    },
  };
}

const isFresh = ({ state, toldAt }: Intent, since: number): boolean =>
  state === 'applied' && (toldAt === undefined || toldAt > since);

function fits(intent: Intent, filter: IntentFilter): boolean {
  const { states, digest, profile, command, from = 0, to = Number.POSITIVE_INFINITY, prefix = '' } = filter;
  return (
    (states === undefined || states.includes(intent.state)) &&
    (digest === undefined || intent.digest === digest) &&
    (profile === undefined || intent.profile === profile) &&
    intent.createdAt >= from &&
    intent.createdAt <= to &&
    intent.id.startsWith(prefix) &&
    (command === undefined || intent.command === command || intent.command.startsWith(`${command} `))
  );
}

const copy = <T extends object>(value: T | undefined): T | undefined => value && { ...value };

function memorySeenIndex(): SeenIndex {
  const scopes = new Map<string, Map<string, Seen>>();
  const scopeOf = (scope: string) => scopes.get(scope) ?? new Map<string, Seen>();
  return {
    remember(scope, seen) {
      const known = scopeOf(scope);
      scopes.set(scope, known);
      for (const one of seen) known.set(one.id, merged(known.get(one.id), one));
    },
    find: (scope, id) => copy(scopeOf(scope).get(id)),
    startingWith: (scope, prefix, limit) =>
      [...scopeOf(scope).values()]
        .filter(({ id }) => id.startsWith(prefix))
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
  };
}

function merged(earlier: Seen | undefined, { kind, id, transactionId, externalId }: Seen): Seen {
  const both: Seen = { ...earlier, kind, id };
  if (transactionId !== undefined) both.transactionId = transactionId;
  if (externalId !== undefined) both.externalId = externalId;
  return both;
}
