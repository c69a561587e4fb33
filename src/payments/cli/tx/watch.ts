import { transactionStates } from '../../../contract/states/transaction.ts';
import { isoTime } from '../../../core/clock.ts';
import { type ExitCode, exitCodes } from '../../../frame/exit-codes.ts';
import { streamOf } from '../../../frame/output/stream-out.ts';
import { findTransaction } from '../../lookup/transaction.ts';
import { changesBetween, isAtEnd, looks } from '../../watch.ts';
import { defineCommand } from '../command.ts';
import { readTimeout } from '../flags/wait.ts';
import { changeView } from '../views/change.ts';

/** The states that a paid transaction has been through, whether a look fell into them or not. */
const BEFORE_PAID = new Set(['initial', 'approved', 'received']);

export const command = defineCommand({
  description:
    'Prints a line for each change of the transaction, its payin methods and its recipients. Ends with 0 when it is paid, with 1 when it ended otherwise (refunded, canceled) or needs someone (manual, exception), and with 8 when the time is up. With --until, that state ends it with 0. The service allows six reads in the first hour of a transaction and one an hour after that; remit webhooks listen learns of changes sooner.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: {
    until: {
      value: 'state',
      summary: 'end with 0 when it is in this state',
      choices: Object.keys(transactionStates),
    },
    timeout: { value: 'duration', summary: 'at most this long, such as 90s or 2h; no end if you do not say' },
  },
  shows: [changeView],
  effect: 'read',
  exits: [exitCodes.pending],
  examples: ['remit tx watch wages-1', 'remit tx watch wages-1 --until refunded --timeout 2h -o ndjson'],
  read: (input) => ({
    id: input.args[0] ?? '',
    until: input.flags.until,
    timeoutMs: readTimeout(input),
  }),
  async run(context, { id, until, timeoutMs }) {
    const { transaction } = await findTransaction(context, id, 'read');
    const print = await streamOf(context, changeView);
    let before: typeof transaction | undefined;
    for await (const now of looks(context, transaction, timeoutMs ?? Number.POSITIVE_INFINITY)) {
      for (const change of changesBetween(before, now, isoTime(context.process.clock.now())))
        await print(change);
      before = now;
      const ending = endingOf(now.state ?? '', until, isAtEnd(now));
      if (ending !== undefined) return { done: true, exit: ending };
    }
    if (context.process.interrupt.aborted) return { done: true, exit: exitCodes.interrupted };
    context.say(`the time is up: it is ${before?.state}`);
    return { done: true, exit: exitCodes.pending };
  },
});

function endingOf(state: string, until: string | undefined, over: boolean): ExitCode | undefined {
  if (until === undefined) return over ? (state === 'paid' ? exitCodes.ok : exitCodes.failed) : undefined;
  if (state === until || (state === 'paid' && BEFORE_PAID.has(until))) return exitCodes.ok;
  return over ? exitCodes.failed : undefined;
}
