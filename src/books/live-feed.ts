/**
 * Feeds the books beside something that matters more: a listener that answers, a run that pays. What is heard is only put in a list;
 * it is kept in groups, later. On failure the user is told once and nothing else happens: the next `sync` finds what is missing.
 */

import { type Desk, type HeardAnswer, type LiveFeed, note, type RawDelivery } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import { concernsBooks, feedAnswers, feedEvents } from './feed.ts';
import { booksIfAny } from './open-books.ts';
import type { Books } from './store/port.ts';

/** A group is kept within some three milliseconds, in which nothing else is done; between two of them whatever waits has its turn. */
const AT_ONCE = 10;
const PAUSE_MS = 5;
const GATHER_MS = 250;
/** More is left to the next `sync`: a longer list would only take room. */
const MOST_WAITING = 1_000;
const MOST_BYTES = 65_536;

export function liveFeed<Heard>(
  desk: Pick<Desk, 'sleep'>,
  keep: (some: readonly Heard[]) => Promise<unknown>,
  onTrouble: (message: string) => void,
): LiveFeed<Heard> {
  const waiting: Heard[] = [];
  const ending = new AbortController();
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    await desk.sleep(GATHER_MS, ending.signal);
    try {
      while (waiting.length > 0) {
        await keep(waiting.splice(0, AT_ONCE));
        await desk.sleep(PAUSE_MS, ending.signal);
      }
    } catch (error) {
      waiting.length = 0;
      onTrouble(problemOf(error).facts.message);
    }
    working = waiting.length > 0 ? work() : undefined;
  };
  return {
    add(heard) {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push(heard);
      working ??= work();
    },
    async end() {
      ending.abort();
      while (working !== undefined) await working;
    },
  };
}

export function eventFeed(
  desk: Pick<Desk, 'sleep'>,
  books: Books,
  onTrouble: (message: string) => void,
): LiveFeed<RawDelivery> {
  const feed = liveFeed<RawDelivery>(desk, (events) => feedEvents(books, events), onTrouble);
  return {
    add({ event, body, receivedAt }) {
      if (concernsBooks(event) && body.length <= MOST_BYTES) feed.add({ event, body, receivedAt });
    },
    end: feed.end,
  };
}

/** Undefined where this account has no books. */
export async function answerFeed(desk: Desk): Promise<LiveFeed<HeardAnswer> | undefined> {
  let isSaid = false;
  const onTrouble = (message: string): void => {
    if (!isSaid)
      note(desk, `the books were not brought up to date: ${message}. The payments are not touched by it`);
    isSaid = true;
  };
  try {
    const opened = await booksIfAny(desk);
    return opened && liveFeed(desk, (answers) => feedAnswers(opened.books, answers), onTrouble);
  } catch (error) {
    onTrouble(problemOf(error).facts.message);
    return undefined;
  }
}
