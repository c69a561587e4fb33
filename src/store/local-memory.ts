/** The ports of the local store without a disk: for tests, and for a demonstration that leaves nothing behind. */
import { uuid } from '../core/ids.ts';
import { invariant } from '../core/invariants.ts';
import {
  type Intent,
  type IntentFilter,
  type Intents,
  isUnsettled,
  REPEAT_WINDOW_MS,
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

const isFresh = ({ state, toldAt }: Intent, since: number): boolean =>
  state === 'applied' && (toldAt === undefined || toldAt > since);

function memoryIntents({ clock, random }: StoreDependencies): Intents {
  const intents = new Map<string, Intent>();
  const newestFirst = () => [...intents.values()].reverse();
  return {
    open(intent, judge) {
      const now = clock.now();
      const isAlike = (other: Intent): boolean =>
        other.digest === intent.digest && (isUnsettled(other) || isFresh(other, now - REPEAT_WINDOW_MS));
      const refused = judge?.(newestFirst().filter(isAlike));
      if (refused !== undefined) return { refused };
      const opened: Intent = { ...intent, id: uuid(random), state: 'open', createdAt: now, updatedAt: now };
      intents.set(opened.id, opened);
      return { opened: { ...opened } };
    },
    close(id, { state, resultId, note }) {
      const intent = intents.get(id);
      invariant(intent, `no intent ${id} to close`);
      if (!isUnsettled(intent)) return;
      const closed: Intent = { ...intent, state, updatedAt: clock.now() };
      if (resultId !== undefined) closed.resultId = resultId;
      if (note !== undefined) closed.note = note;
      if (state !== 'unknown') delete closed.request;
      intents.set(id, closed);
    },
    told(id) {
      const intent = intents.get(id);
      invariant(intent, `no intent ${id} to tell of`);
      intents.set(id, { ...intent, toldAt: intent.toldAt ?? clock.now() });
    },
    rekey(id, digest) {
      const intent = intents.get(id);
      if (intent !== undefined) intents.set(id, { ...intent, digest });
    },
    get: (id) => copy(intents.get(id)),
    list: ({ limit = 100, ...filter } = {}) =>
      newestFirst()
        .filter((intent) => fits(intent, filter))
        .slice(0, limit)
        .map((intent) => ({ ...intent })),
  };
}

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
