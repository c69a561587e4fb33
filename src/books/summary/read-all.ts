/** Every transaction that was created in a time, with its marks, a page at a time: a million of them are never held. */
import type { Transaction } from '../../contract/resources/transaction.ts';
import { interrupted } from '../../core/problem.ts';
import type { Progress } from '../../core/progress.ts';
import type { Desk } from '../../payments/desk.ts';
import type { Period } from '../../payments/lists/statement-period.ts';
import type { Books, EntryPlace, Mark, PlacedBody } from '../store/port.ts';

const AT_ONCE = 1_000;

export async function readAll(
  desk: Desk,
  books: Books,
  {
    from,
    to,
    progress,
    take,
  }: Period & {
    progress: Progress;
    take(transaction: Transaction, createdAt: number, marks: readonly Mark[]): void;
  },
): Promise<void> {
  let read = 0;
  for (let after: EntryPlace | undefined; ; ) {
    if (desk.signal.aborted) throw interrupted();
    const page: PlacedBody[] = await books.created({ from, to, after, limit: AT_ONCE });
    const marks = await books.marks(page.map(({ id }) => id));
    for (const { id, body, createdAt } of page)
      take(JSON.parse(body) as Transaction, createdAt, marks.get(id) ?? []);
    read += page.length;
    progress.tell(read);
    if (page.length < AT_ONCE) return;
    after = page.at(-1);
  }
}
