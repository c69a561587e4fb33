import type { When } from '../../../desk/lists/period.ts';
import { counted } from '../../../desk/words/amount.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readSince, sinceFlag } from '../../flags/when.ts';
import { reachNotes } from '../../output/reach.ts';
import { pollingView } from '../../views/check.ts';

export { polling as command };

const polling = command({
  description:
    'Counts the reads of each day (UTC) by kind; then the three balances and rates that were read again too soon most often: the same ones once in five minutes; then the three transactions that were read most: six times in the first hour, then once an hour. It counts every request with this key, those of remit too. Ends with 10 if there are more than the service asks for.\nOn a sandbox the clock of the sandbox counts: where it stands still, no hour passes between two reads. When remit itself waits or watches there, it reads far more often than it does at the service; these reads are left out.',
  flags: { ...sinceFlag },
  shows: [pollingView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit check polling', 'remit check polling --since 2026-11-21 -o csv'],
  read: (input): { since: When } => ({ since: readSince(input) }),
  async run(context, { since: when }) {
    const [{ readCalls, sinceOf }, { judgePolling }] = await Promise.all([
      import('../../../desk/golive/read-logs.ts'),
      import('../../../desk/golive/polling.ts'),
    ]);
    const since = await sinceOf(context, when);
    const { found, reach } = await readCalls(context, since);
    const rows = judgePolling(found);
    const often = found.filter(({ isOften }) => isOften).length;
    await context.remember(rows.flatMap(({ id }) => (id === null ? [] : [{ kind: 'transaction', id }])));
    const isBeyond = rows.some(({ beyond }) => beyond > 0);
    return result(pollingView, rows, {
      exit: isBeyond ? exitCodes.check : exitCodes.ok,
      meta: { complete: reach.whole, looked_at: reach.records, total: null },
      notes: [...(often === 0 ? [] : [oftenWords(often)]), ...reachNotes([reach], since)],
    });
  },
});

const oftenWords = (often: number): string =>
  `${counted(often, 'read')} of remit itself ${often === 1 ? 'is' : 'are'} left out: it reads a sandbox on this machine more often than the service`;
