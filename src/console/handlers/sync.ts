import { openBooks } from '../../desk/books/open-books.ts';
import { paceAt, syncBooks, syncedWords } from '../../desk/books/sync.ts';
import type { Desk } from '../../desk/desk.ts';
import { problemOf } from '../../desk/problem-of.ts';
import { thousands } from '../../desk/words/amount.ts';
import type { Call } from '../call.ts';
import type { AnswerOf } from '../wire.ts';

/**
 * Begins to bring the books up to date, or says how far that is. It goes on beyond this call, and ends with the console: what was
 * read is kept, and the next one goes on from there.
 */
export async function sync(call: Call): Promise<AnswerOf<'sync'>> {
  const { acts } = call;
  const before = acts.sync;
  if (before === undefined) {
    acts.sync = { isDone: false, words: 'Reading payments…' };
    void run(call, acts.sync);
    return { ...acts.sync };
  }
  if (before.isDone) acts.sync = undefined;
  return { ...before };
}

async function run(call: Call, job: { words: string; isDone: boolean }): Promise<void> {
  const { desk, close } = call.openDesk('console sync', 'read');
  const tell = (done: number, total?: number): void => {
    const of = total === undefined ? '' : ` of ${thousands(total)}`;
    job.words = `${thousands(done)}${of} payments read…`;
  };
  const telling: Desk = {
    ...desk,
    hear: () => {},
    working: (_, work) => work({ tell, say: () => {}, stop: () => {} }),
  };
  try {
    const { books } = await openBooks(desk);
    const { baseUrl } = await desk.connection();
    const perMinute = paceAt(baseUrl);
    job.words = syncedWords(await syncBooks(telling, books, { perMinute, all: false }));
  } catch (error) {
    job.words = problemOf(error).message;
  } finally {
    await close();
    job.isDone = true;
  }
}
