import { isoTime } from '../../../core/clock.ts';
import { notFound, usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { serviceNow } from '../../../payments/service-time.ts';
import { before } from '../../../webhooks/cli/flags/deliveries.ts';
import { forgetBooks } from '../../open-books.ts';
import { forgottenView } from '../views/books.ts';

export const command = defineCommand({
  description: `Removes records from the books, with no byte left in the file: those created before so long ago, or all. An age counts by the clock of the service that stamped them: a sandbox has its own. The service keeps what it has. What was forgotten by --before is not copied again; after --all everything is.`,
  flags: {
    before: { value: 'age', summary: 'created longer ago than that, such as 2y or 90d' },
    all: { summary: 'every record' },
  },
  shows: [forgottenView],
  local: 'destructive',
  examples: ['remit books forget --before 2y', 'remit books forget --all'],
  read(input) {
    const given = input.flags.before;
    if ((given === undefined) === !input.flags.all)
      throw usage('say what is to be forgotten', 'one of --before AGE, such as --before 2y, and --all');
    if (given !== undefined) before(given, 0, 'before');
    return { before: given };
  },
  async run(context, { before: given }) {
    const at = given === undefined ? undefined : before(given, await serviceNow(context), 'before');
    const done = await forgetBooks(context, at);
    if (done === undefined) throw notFound('there are no books of this account');
    return result(forgottenView, { ...done, before: at === undefined ? null : isoTime(at) });
  },
});
