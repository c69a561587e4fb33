/** Columns of a list that the books fill: in CSV, and where --fields names them. */

import type { BooksBeside } from '../../desk/books/beside.ts';
import type { StoreChoice } from '../../desk/places/shared-store.ts';
import { booksPlace } from '../ask/password.ts';
import type { Context } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';

const FROM_BOOKS = ['paid_at', 'refunded_at'];

/** Undefined where none of these columns is printed: then the books are not opened. */
export async function besideList(context: Context): Promise<BooksBeside | undefined> {
  if (!isPrinted(context, FROM_BOOKS)) return undefined;
  const { booksBeside } = await import('../../desk/books/beside.ts');
  return booksBeside(context, FROM_BOOKS.join(' and '));
}

function isPrinted({ globals: { output, query, fields } }: Context, columns: readonly string[]): boolean {
  if (query !== undefined) return false;
  return fields === undefined
    ? formatInfo(output).hasCells === true
    : fields.some((name) => columns.includes(name));
}

/** The books beside rows of pay runs, and a word on them where the column is printed. */
export async function besideRows(context: Context, choice: StoreChoice) {
  const { booksBeside } = await import('../../desk/books/beside.ts');
  const beside = await booksBeside(context, 'paid_at', booksPlace(context, choice));
  return { beside, mask: context.mask, says: isPrinted(context, ['paid_at']) ? [beside.says] : [] };
}
