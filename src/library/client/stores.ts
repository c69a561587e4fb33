/** The journals of intents, with the time and the dice of this process. */

import type { JournalFile } from '../../client/store/journal-file.ts';
import { intentsInMemory } from '../../client/store/memory-intents.ts';
import type { Intents } from '../../client/store/port.ts';
import { intentsInPostgres } from '../../client/store/postgres-intents.ts';
import type * as Public from '../client-types.ts';
import { clock, random } from './machine.ts';

const dependencies = { clock, random };

export const memoryIntents: typeof Public.memoryIntents = () => intentsInMemory(dependencies);

export const postgresIntents: typeof Public.postgresIntents = (pool, options = {}) =>
  intentsInPostgres(pool, { ...dependencies, ...options });

export const sqliteIntents: typeof Public.sqliteIntents = (path) => {
  let opened: Promise<JournalFile> | undefined;
  const intents = async (): Promise<Intents> => {
    // Only who wants a file loads what opens one.
    opened ??= import('../../client/store/journal-file.ts').then(({ openJournalFile }) =>
      openJournalFile(path, dependencies),
    );
    // A journal that could not be opened is tried again by the next who needs it.
    opened.catch(() => {
      opened = undefined;
    });
    return (await opened).intents;
  };
  return {
    open: async (intent, judge) => (await intents()).open(intent, judge),
    close: async (id, closing) => (await intents()).close(id, closing),
    told: async (id) => (await intents()).told(id),
    lastTold: async () => (await intents()).lastTold(),
    rekey: async (id, digest) => (await intents()).rekey(id, digest),
    join: async (join) => (await intents()).join(join),
    joins: async () => (await intents()).joins(),
    get: async (id) => (await intents()).get(id),
    isStopped: async (id) => (await (await intents()).isStopped?.(id)) ?? false,
    list: async (filter) => (await intents()).list(filter),
    count: async (filter) => (await intents()).count(filter),
    async end() {
      (await opened)?.close();
      opened = undefined;
    },
  };
};
