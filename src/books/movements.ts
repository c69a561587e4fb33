/** The movements of a balance, in pages: a million of them are never held. */
import type { Books, Movement } from './store/port.ts';

/** The number of movements that are read at once: so few that a page is garbage before it counts as old. */
const AT_ONCE = 200;

/** Oldest first, a page at a time. */
export async function* movementPages(
  books: Books,
  within: Omit<Parameters<Books['movements']>[0], 'after' | 'limit'>,
): AsyncGenerator<Movement[]> {
  for (let after: Movement | undefined; ; ) {
    const page: Movement[] = await books.movements({ ...within, after, limit: AT_ONCE });
    if (page.length > 0) yield page;
    if (page.length < AT_ONCE) return;
    after = page.at(-1);
  }
}
