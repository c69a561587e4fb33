/** Columns of a list that the books fill: in every format that has them, and where --fields names them. */

import type { BooksBeside } from '../../desk/books/beside.ts';
import type { StoreChoice } from '../../desk/places/shared-store.ts';
import { booksPlace } from '../ask/password.ts';
import type { Context } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';

/** @param names the columns. Undefined where none of them is printed: then the books are not opened */
export async function besideList(
  context: Context,
  names: readonly string[],
  isPrinted = ({ hasCells }: ReturnType<typeof formatInfo>): boolean => hasCells === true,
): Promise<BooksBeside | undefined> {
  const { output, query, fields } = context.globals;
  const isWanted =
    query === undefined &&
    (fields === undefined
      ? output !== undefined && isPrinted(formatInfo(output))
      : fields.some((name) => names.includes(name)));
  if (!isWanted) return undefined;
  const { booksBeside } = await import('../../desk/books/beside.ts');
  const beside = await booksBeside(context, names);
  // A column that is printed is explained; a member that is left out where there are no books needs no word.
  return beside.isThere || fields !== undefined || formatInfo(output).hasCells ? beside : undefined;
}

/** The books beside rows of pay runs, and a word on them where the column is printed. */
export async function besideRows(context: Context, choice: StoreChoice) {
  const { booksBeside } = await import('../../desk/books/beside.ts');
  const beside = await booksBeside(context, ['paid_at'], booksPlace(context, choice));
  const { output, query, fields } = context.globals;
  const isPrinted =
    query === undefined &&
    (fields === undefined ? formatInfo(output).hasCells === true : fields.includes('paid_at'));
  return { beside, mask: context.mask, says: isPrinted ? [beside.says] : [] };
}
