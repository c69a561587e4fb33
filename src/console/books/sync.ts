import { openBooks } from '../../books/open-books.ts';
import { paceAt, syncBooks, syncedWords } from '../../books/sync.ts';
import { thousands } from '../../core/amount-words.ts';
import type { Desk } from '../../payments/desk.ts';
import type { PageCall, Tell } from '../call.ts';

/** Brings the books up to date. It ends with the page that asked: what was read is kept, and the next one goes on from there. */
export async function sync({ desk }: PageCall, _: object, tell: Tell<'sync'>): Promise<void> {
  const read = (done: number, total?: number): void => {
    const of = total === undefined ? '' : ` of ${thousands(total)}`;
    void tell({ isDone: false, words: `${thousands(done)}${of} payments read…` });
  };
  const telling: Desk = {
    ...desk,
    working: (_, work) => work({ tell: read, say: () => {}, stop: () => {} }),
  };
  await tell({ isDone: false, words: 'Reading payments…' });
  const { books } = await openBooks(desk);
  const { baseUrl } = await desk.connection();
  const synced = await syncBooks(telling, books, { perMinute: paceAt(baseUrl), all: false });
  await tell({ isDone: true, words: syncedWords(synced) });
}
