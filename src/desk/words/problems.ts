/** A base URL that cannot be, as it is told. Who gave it may allow plain HTTP; every other fault is to be mended. */

import type { BaseUrlError } from '../../contract/base-url.ts';
import { type Said, said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';
import type { StoreError } from '../../files/store-error.ts';

export function baseUrlProblem(error: Error): Problem {
  const isAllowable = (error as BaseUrlError).kind === 'plain_http';
  return new Problem(
    {
      category: 'config',
      code: 'base_url',
      message: error.message,
      hint: isAllowable ? said`${{ give: 'insecure' }}, if you must` : undefined,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}

const NO_JOURNAL = said`without its journal remit sends no money: make room or set ${{ set: 'store' }} to another folder`;

/** A store that cannot be opened or written, in words: the journal, the inbox, the books, pay runs. */
export function storeProblem(error: Error): Problem {
  const { kind, path, holds } = error as StoreError;
  const away = ['unreachable', 'unsure'].includes(kind) || (kind === 'busy' && path.includes('://'));
  return new Problem(
    {
      category: away ? 'server' : 'config',
      code: away ? 'store_unreachable' : 'store',
      message: error.message,
      hint: storeHint(kind, { path, holds }),
      retryable: away,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}

function storeHint(kind: StoreError['kind'], { path, holds }: Pick<StoreError, 'path' | 'holds'>): Said {
  if (holds === 'books' && !path.includes('://')) return booksHint(kind);
  if (kind === 'unsafe')
    return said`without its journal remit sends no money: name a file of your own, or a new one, with ${{ set: 'store', value: 'FILE' }}; an inbox of webhooks, with ${{ give: 'store', value: 'FILE' }}`;
  if (kind === 'untrusted' || kind === 'unreadable')
    return 'an address may end with ?sslmode=verify-full&sslrootcert=FILE: the certificate of the authority that signed that of the server';
  if (kind === 'denied')
    return said`the password of the inbox comes from ${{ set: 'store' }}, ${{ give: 'store_password_file' }}, PGPASSWORD or a prompt`;
  if (path.includes('://'))
    return said`run it again when it answers, or name another inbox with ${{ give: 'store' }}`;
  if (holds === 'inbox')
    return said`webhooks are acknowledged only once they are kept: make room or name another inbox with ${{ give: 'store' }}`;
  return holds === 'journal'
    ? NO_JOURNAL
    : said`${NO_JOURNAL}; an inbox of webhooks, with ${{ give: 'store' }}`;
}

const booksHint = (kind: StoreError['kind']): Said =>
  ['corrupt', 'failed', 'older'].includes(kind)
    ? said`the books are a copy of what the service has, and no payment waits for them: make them anew with ${{ do: 'forget_books' }}, then ${{ do: 'sync_books' }}`
    : said`the books are a copy of what the service has, and no payment waits for them; then run it again`;
