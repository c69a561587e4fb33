import { isoTime } from '../../../core/clock.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { closedMonths } from '../../closings.ts';
import { booksThatAre } from '../../open-books.ts';
import { booksView } from '../views/books.ts';

export const command = defineCommand({
  description: 'From this machine alone: the service is not asked.',
  shows: [booksView],
  examples: ['remit books status', 'remit books status -o json --query complete_until'],
  read: () => ({}),
  async run(context) {
    const { books, where } = await booksThatAre(context);
    const [counts, progress] = [await books.counts(), await books.progress()];
    const at = (time: number | undefined): string | null => (time === undefined ? null : isoTime(time));
    return result(booksView, {
      transactions: counts.transactions,
      recipients: counts.recipients,
      open: counts.open,
      complete_until: at(progress.completeAt),
      oldest: at(counts.oldestAt),
      newest: at(counts.newestAt),
      next_page: progress.walk?.page ?? null,
      names: progress.hiddenBy === undefined,
      forgotten_before: at(progress.forgottenBefore),
      closed: await closedMonths(books),
      bytes: counts.bytes,
      file: where,
    });
  },
});
