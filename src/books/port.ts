/** The books as payments, pay runs and a listener for webhooks ask them (`payments/desk.ts`). */

export { listeningBooks } from './from-inbox.ts';
export { answerFeed } from './live-feed.ts';
export { localColumns as booksBeside } from './local-columns.ts';
export { booksIfAny } from './open-books.ts';
