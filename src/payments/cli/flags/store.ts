/** `--store`: which inbox, and where its password comes from. */
import { usage } from '../../../core/problem.ts';
import { flags, type Input, type TextFlag } from '../../../frame/flags/flag.ts';
import { isPostgres } from '../../../profiles/paths.ts';
import { hasPassword, type StoreChoice, storeUrl } from '../../shared-store.ts';

export const storeFlags = flags({
  store: {
    value: 'where',
    summary: 'a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)',
  },
  storePasswordFile: {
    value: 'path',
    summary: 'the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt',
  },
});

/** The flags of a store that is on this machine, unless it is in a PostgreSQL. */
export const sharedStoreFlags = flags({
  ...storeFlags,
  store: {
    value: 'where',
    summary: 'a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)',
  },
});

export function readStore(input: Input<{ store: TextFlag; storePasswordFile: TextFlag }>): StoreChoice {
  const store = input.flags.store;
  if (store !== undefined && isPostgres(store) && hasPassword(storeUrl(store)))
    throw usage(
      'a password in an argument can be read by every process of this machine',
      'put the whole URL in REMIT_STORE, or the password in a file: --store-password-file PATH',
    );
  return { store, passwordFile: input.flags.storePasswordFile };
}
