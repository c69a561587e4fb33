/** Columns of a list that the books fill: in CSV, and where --fields names them. */

import type { BooksBeside } from '../../desk/books/beside.ts';
import type { Context } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';

const FROM_BOOKS = ['paid_at', 'refunded_at'];

/** Undefined where none of these columns is printed: then the books are not opened. */
export async function besideList(context: Context): Promise<BooksBeside | undefined> {
  const { output, query, fields } = context.globals;
  const isWanted =
    query === undefined &&
    (fields === undefined
      ? formatInfo(output).hasCells === true
      : fields.some((name) => FROM_BOOKS.includes(name)));
  if (!isWanted) return undefined;
  const { booksBeside } = await import('../../desk/books/beside.ts');
  return booksBeside(context);
}
