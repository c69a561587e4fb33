import { resolve } from 'node:path';
import { hint } from '../../../core/next.ts';
import { makeOwnFile, readOwnFile } from '../../../disk/own-file.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { documentOut } from '../../../frame/output/stream-out.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import { fileKindOf, rowCells, type WrittenFormat, writeRows } from '../../files/write.ts';
import { findRun } from '../../find-run.ts';
import { handOn, keyList } from '../../hand-on.ts';
import { type Left, remainingRows } from '../../remaining.ts';
import { shownRun } from '../../shown.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `The rows for which surely nothing was paid (not sent, refused, cancelled before they were sent), as a file that remit batch plan takes under a new name. The service is asked about each: a row that it has a payment of is left out, named, and makes this end with 10. Each row keeps its external id, so that the service refuses a second payment of it; one whose payment ended without paying has the next, ID~2. As long as the outcome of a row is not known nothing is printed: settle it first. Account numbers are whole in it. CSV, or what -o says.

It changes nothing: this run may still pay these rows. With --hand-on the file is written, readable by you alone, and this run never sends its rows any more; the same command again writes the same file. remit batch take-back opens them again.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    refunded: { summary: 'rows too whose payment was refunded or cancelled' },
    handOn: { value: 'file', summary: 'write the rows to this file, and never send them by this run' },
    ...sharedStoreFlags,
  },
  shows: [runView],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.check, exitCodes.unknown],
  examples: [
    'remit batch remaining wages-2026-11 > next.csv',
    'remit batch remaining wages-2026-11 --hand-on rest.csv',
    'remit batch remaining wages-2026-11 -o ndjson',
  ],
  read: (input) => ({
    run: input.args[0] ?? '',
    refunded: input.flags.refunded,
    handOn: input.flags.handOn,
    store: readStore(input),
  }),
  async run(context, { run: given, refunded, handOn: file, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, file === undefined ? 'read' : 'write');
    const kind = fileKindOf(context.globals.output);
    if (file === undefined) {
      const { left, standing } = await remainingRows(context, payruns, run, { refunded });
      const out = documentOut(context);
      if (left.length > 0)
        for await (const text of textsOf(context, kind, left)) if (!(await out(text))) break;
      context.note(`${left.length} of ${run.rows} rows; account numbers are whole in this file`);
      for (const words of standingWords(standing)) context.note(words);
      return { done: true, exit: exitOf(standing) };
    }
    const path = resolve(context.machine.cwd, file);
    const { left, standing } = await handOn(context, payruns, run, {
      file: path,
      refunded,
      confirmer: context.confirmer,
      write: async (rows) => writeWhole(path, await wholeText(context, kind, rows)),
    });
    const [now = run] = await payruns.find(run.account.baseUrl, run.id);
    return result(runView, shownRun(now), {
      exit: exitOf(standing),
      notes: [
        hint`${left.length} of ${run.rows} rows are in ${path}, account numbers whole; this run never sends them. Next: ${{ do: 'plan_run' }}`,
        ...standingWords(standing),
      ],
    });
  },
});

const exitOf = (standing: readonly string[]) => (standing.length > 0 ? exitCodes.check : exitCodes.ok);

const standingWords = (standing: readonly string[]): string[] =>
  standing.length === 0
    ? []
    : [
        `Left out: the service has a payment of ${keyList(standing)}. This store does not know of it: look before you pay anybody.`,
      ];

async function* textsOf(
  context: Context,
  kind: WrittenFormat,
  left: readonly Left[],
): AsyncGenerator<string> {
  const rows = left.map(({ key, externalId, body }) => rowCells({ key, externalId, body: JSON.parse(body) }));
  yield* writeRows(kind, rows, { spreadsheet: context.globals.spreadsheet });
}

async function wholeText(context: Context, kind: WrittenFormat, left: readonly Left[]): Promise<string> {
  let whole = '';
  for await (const text of textsOf(context, kind, left)) whole += text;
  return whole;
}

/** The same text may be there already: an earlier try wrote it. */
function writeWhole(path: string, text: string): boolean {
  if (makeOwnFile(path, Buffer.from(text))) return true;
  try {
    return readOwnFile(path) === text;
  } catch {
    // No file of ours: another user's, or one that others can read.
    return false;
  }
}
