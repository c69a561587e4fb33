/** Stores of the nonces that were taken before, with the clock and the ids of this process. */

import { noncesInMemory } from '../webhooks/intake/nonces.ts';
import type { SqliteNonces } from '../webhooks/store/nonces-port.ts';
import { noncesInPostgres } from '../webhooks/store/postgres-nonces.ts';
import { clock, randomId } from './client/machine.ts';
import { checkMemory, checkPath, checkTable } from './webhooks-options.ts';
import type * as Public from './webhooks-types.ts';

export const memoryNonces: typeof Public.memoryNonces = (options) => {
  checkMemory(options ?? {});
  return noncesInMemory(options);
};

export const postgresNonces: typeof Public.postgresNonces = (pool, options = {}) => {
  checkTable(pool, options);
  return noncesInPostgres(pool, { ...options, owner: randomId() });
};

export const sqliteNonces: typeof Public.sqliteNonces = (path) => {
  checkPath(path);
  const owner = randomId();
  let opened: Promise<SqliteNonces> | undefined;
  const nonces = (): Promise<SqliteNonces> => {
    // Only who wants a file loads what opens one.
    opened ??= import('../webhooks/store/sqlite-nonces.ts')
      .then(({ openSqliteNonces }) => openSqliteNonces(path, { clock, owner }))
      .catch((error: unknown) => {
        // A store that could not be opened is tried again by the next who needs it.
        opened = undefined;
        throw error;
      });
    return opened;
  };
  return {
    claim: async (print) => (await nonces()).claim(print),
    finish: async (print) => (await nonces()).finish(print),
    release: async (print) => (await nonces()).release(print),
    forget: async (before) => (await nonces()).forget(before),
    async end() {
      const was = opened;
      opened = undefined;
      await (await was)?.end();
    },
  };
};
