/** How far the books reach: nothing is counted from books that are not complete, or that have forgotten a part of the time. */
import { hint } from '../core/next.ts';
import { notFound, usage } from '../core/problem.ts';
import type { BookProgress, Books } from './store/port.ts';

/** Until when the books know everything, by the service's clock and by ours. @throws Problem where they are not complete */
export async function reachOf(books: Books): Promise<{ known: number; completeAt: number }> {
  const progress = await books.progress();
  const { completeAt, knownUntil: known } = progress;
  if (completeAt === undefined || known === undefined)
    throw notFound(
      'the books of this account are not complete',
      hint`copy what is missing: ${{ do: 'sync_books' }}`,
    );
  return { known, completeAt };
}

/** @throws Problem (usage) */
export function refuseForgottenTime({ forgottenBefore }: BookProgress, from: number): void {
  if (forgottenBefore !== undefined && forgottenBefore > from)
    throw usage(
      'a part of this time was removed from the books',
      `nothing before ${new Date(forgottenBefore).toISOString()} is there any more`,
    );
}
