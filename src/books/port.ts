/** The books as payments, pay runs and a listener for webhooks ask them (`payments/desk.ts`). */
export { booksBeside } from './beside.ts';
export { listeningBooks } from './from-inbox.ts';
export { answerFeed } from './live-feed.ts';
export { booksIfAny } from './open-books.ts';
