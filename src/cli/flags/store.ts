/** `--store`: which inbox, and where its password comes from. */
import { usage } from '../../core/problem.ts';
import { hasPassword, type StoreChoice, storeUrl } from '../../desk/webhooks/open-inbox.ts';
import { isPostgres } from '../../profiles/paths.ts';
import { type Flag, flagText, type Input } from './flag.ts';

export const storeFlags: readonly Flag[] = [
  {
    flags: '--store <where>',
    summary: 'a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)',
  },
  {
    flags: '--store-password-file <path>',
    summary: 'the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt',
  },
];

/** Of what is on this machine, unless it is in a PostgreSQL. */
export const sharedStoreFlags: readonly Flag[] = storeFlags.map((flag) =>
  flag.flags.startsWith('--store ')
    ? {
        ...flag,
        summary: 'a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)',
      }
    : flag,
);

export function readStore(input: Input): StoreChoice {
  const store = flagText(input, 'store');
  if (store !== undefined && isPostgres(store) && hasPassword(storeUrl(store)))
    throw usage(
      'a password in an argument can be read by every process of this machine',
      'put the whole URL in REMIT_STORE, or the password in a file: --store-password-file PATH',
    );
  return { store, passwordFile: flagText(input, 'storePasswordFile') };
}
