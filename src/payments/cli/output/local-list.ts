/** Columns of a list that the books fill: in every format that has them, and where --fields names them. */

import { formatInfo } from '../../../frame/terminal/format.ts';
import type { LocalColumns } from '../../desk.ts';
import type { Context } from '../context.ts';

/** @param names the columns. Undefined where none of them is printed: then the books are not opened */
export async function localList(
  context: Context,
  names: readonly string[],
  isPrinted?: IsPrinted,
): Promise<LocalColumns | undefined> {
  if (!isWanted(context, names, isPrinted)) return undefined;
  const beside = await (await context.ports.books?.())?.booksBeside(context, names);
  if (beside === undefined) return undefined;
  // A column that is printed is explained; a member that is left out where there are no books needs no word.
  return beside.isThere || context.globals.fields !== undefined || formatInfo(context.globals.output).hasCells
    ? beside
    : undefined;
}

/** The books beside rows of pay runs, and a word on them where the column is printed. */
export async function localRows(context: Context) {
  const beside = await (await context.ports.books?.())?.booksBeside(context, ['paid_at']);
  return { beside, mask: context.mask, says: beside && isWanted(context, ['paid_at']) ? [beside.says] : [] };
}

type IsPrinted = (format: ReturnType<typeof formatInfo>) => boolean;

/** One of these columns is printed: by the format, or by its name. */
function isWanted(
  { globals: { output, query, fields } }: Context,
  names: readonly string[],
  isPrinted: IsPrinted = ({ hasCells }) => hasCells === true,
): boolean {
  if (query !== undefined) return false;
  if (fields !== undefined) return fields.some((name) => names.includes(name));
  return output !== undefined && isPrinted(formatInfo(output));
}
