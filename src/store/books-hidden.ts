import type { BookEntry } from '../core/ports/books.ts';
import { StoreError } from '../files/store-error.ts';

/** Whoever opened the books before somebody made them anew would put names where none are to be. @throws StoreError */
export function refuseOtherwiseHidden(
  entries: readonly BookEntry[],
  hiddenBy: string | undefined,
  where: string,
): void {
  if (entries.every((entry) => entry.hiddenBy === hiddenBy)) return;
  const detail =
    hiddenBy === undefined
      ? 'the books have names now'
      : 'the books are kept without names, or with another key';
  throw new StoreError('remade', where, detail, { holds: 'books' });
}
