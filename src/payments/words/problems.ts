/** A base URL that cannot be, as it is told. Who gave it may allow plain HTTP; every other fault is to be mended. */

import { statSync } from 'node:fs';
import type { BaseUrlError } from '../../contract/base-url.ts';
import { type Hint, hint } from '../../core/next.ts';
import { type Problem, refuse } from '../../core/problem.ts';
import type { StoreError } from '../../disk/store-error.ts';

export function baseUrlProblem(error: Error): Problem {
  const isAllowable = (error as BaseUrlError).kind === 'plain_http';
  return refuse('config', 'base_url', error.message, {
    hint: isAllowable ? hint`${{ give: 'insecure' }}, if you must` : undefined,
    cause: error,
    note: 'nothing was sent',
  });
}

/** A store that cannot be opened or written, in words: the journal, the inbox, the books, pay runs. */
export function storeProblem(error: Error): Problem {
  const { kind, path, holds } = error as StoreError;
  const away = ['unreachable', 'unsure'].includes(kind) || (kind === 'busy' && path.includes('://'));
  return refuse(away ? 'server' : 'config', away ? 'store_unreachable' : 'store', error.message, {
    hint: storeHint(kind, { path, holds }),
    retryable: away,
    cause: error,
    note: 'nothing was sent',
  });
}

function storeHint(kind: StoreError['kind'], { path, holds }: Pick<StoreError, 'path' | 'holds'>): Hint {
  if (holds === 'books' && !path.includes('://')) return booksHint(kind);
  if (kind === 'untrusted' || kind === 'unreadable')
    return 'an address may end with ?sslmode=verify-full&sslrootcert=FILE: the certificate of the authority that signed that of the server';
  if (kind === 'denied')
    return hint`the password of the inbox comes from ${{ set: 'store' }}, ${{ give: 'store_password_file' }}, PGPASSWORD or a prompt`;
  if (path.includes('://'))
    return holds === 'journal'
      ? 'run it again when it answers, with the same database: another one does not know what was sent'
      : hint`run it again when it answers, or name another inbox with ${{ give: 'store' }}`;
  if (holds === 'inbox')
    return hint`webhooks are acknowledged only once they are kept: make room or name another inbox with ${{ give: 'store' }}`;
  return holds === 'journal'
    ? journalHint(kind, path)
    : hint`${journalHint(kind, path)}; an inbox of webhooks is named with ${{ give: 'store' }}`;
}

/** Another file does not know what was sent, and would let it be paid again: it is offered only where this one holds nothing. */
function journalHint(kind: StoreError['kind'], path: string): Hint {
  if (holdsNothing(path))
    return hint`without its journal remit sends no money, and there is none at this path yet: make it possible to write one there, or name a file in another folder with ${{ set: 'store', value: 'FILE' }}`;
  const keep = 'keep the same file, because a new one does not know what was sent and could pay it again';
  if (kind === 'corrupt')
    return hint`without its journal remit sends no money: ${keep}. If you must start a new one, look first with ${'`'}${{ do: 'list_transactions' }}${'`'} at what was sent`;
  return `without its journal remit sends no money: ${MEND[kind] ?? 'do what is said above'}, and ${keep}`;
}

const MEND: Partial<Record<StoreError['kind'], string>> = {
  full: 'make room',
  broken: 'make room, or mend the disk',
  unsafe: 'make it your own and close it to others',
  unwritable: 'make it and its folder readable and writable',
};

/** False where it cannot be told. */
function holdsNothing(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isFile() || stats.size === 0;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

const booksHint = (kind: StoreError['kind']): Hint =>
  ['corrupt', 'failed', 'older'].includes(kind)
    ? hint`the books are a copy of what the service has, and no payment waits for them: make them anew with ${{ do: 'forget_books' }}, then ${{ do: 'sync_books' }}`
    : hint`the books are a copy of what the service has, and no payment waits for them; then run it again`;
