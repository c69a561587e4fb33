import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../../core/amount-words.ts';
import { hint } from '../../../core/next.ts';
import { notFound, Problem, refuse, usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { readPairs } from '../../../payments/cli/flags/details.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { type Result, wholeList } from '../../../payments/cli/result.ts';
import type { Payee } from '../../diff.ts';
import { FileNotes } from '../../files/taken-in.ts';
import { findRun } from '../../find-run.ts';
import { CHANGES } from '../../shapes.ts';
import { fileFlags, readFileFlags } from '../flags/batch-file.ts';
import { payeeChangeView } from '../views/payrun.ts';
import { paymentsIn } from './shared/read-file.ts';
import { openStore } from './shared/store.ts';

type DiffOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description:
    'Compares two lists of payments, each a file or a run: who is new, who is gone, and whose account, name, corridor, sender or amount is another. Changed accounts stand first: by them payrolls are robbed. A payee is known again by the key of the row, then by the account, then by the name. It ends with 10 where something changed that --allow does not name. Nothing is kept, and the service is asked for nothing. If a name is both a file and a run, the file is taken.',
  args: [
    { name: 'OLD', summary: 'the earlier file or run, such as last month’s' },
    { name: 'NEW', summary: 'the later file or run' },
  ],
  flags: {
    allow: {
      value: 'change',
      summary: 'changes that are meant; repeat it',
      choices: CHANGES,
      many: true,
    },
    oldMap: {
      value: 'column=header',
      summary: 'OLD has this column under another name; --map is for NEW; repeat it',
      many: true,
    },
    oldMapping: { value: 'name', summary: 'the mapping of OLD; --mapping is for NEW' },
    ...fileFlags,
    ...sharedStoreFlags,
  },
  shows: [payeeChangeView],
  isTabular: true,
  effect: 'read',
  exits: [exitCodes.check, exitCodes.validation],
  examples: [
    'remit batch diff wages.csv november.csv --map bank_account=Account --allow amount',
    'remit batch diff wages-2026-11 wages.csv --allow amount --allow new',
  ],
  read(input) {
    const [old, now] = input.args;
    if (old === undefined || now === undefined)
      throw usage('which two?', 'the earlier one, then the later one');
    return {
      ...{ old, now },
      file: readFileFlags(input),
      oldMap: readPairs(input.flags.oldMap, '--old-map'),
      oldMapping: input.flags.oldMapping,
      allowed: new Set(input.flags.allow),
      store: readStore(input),
    };
  },
  async run(context, { old, now, file, oldMap, oldMapping, allowed, store }): Promise<Result> {
    const { differencesOf } = await import('../../diff.ts');
    const notes: string[] = [];
    const [before, after] = [
      await payeesOf(context, old, {
        file: { ...file, mapping: oldMapping, read: { ...file.read, map: oldMap } },
        ...{ store, notes },
      }),
      await payeesOf(context, now, { file, store, notes }),
    ];
    const { changes, totals } = differencesOf(before, after, context.mask);
    const refused = changes.filter((one) => one.changes.some((kind) => !allowed.has(kind)));
    const meant = changes.length - refused.length;
    return wholeList(payeeChangeView, changes, {
      ...(refused.length > 0 && { exit: exitCodes.check }),
      notes: [
        ...notes,
        ...totals,
        ...(refused.length > 0
          ? [hint`${differ(refused.length)} not allowed; ${{ give: 'allow', value: 'KIND' }} allows a kind.`]
          : []),
        ...(meant > 0 ? [`${differ(meant)} allowed.`] : []),
      ],
    });
  },
});

/** `2 differences are`. */
const differ = (count: number): string => `${counted(count, 'difference')} ${count === 1 ? 'is' : 'are'}`;

/** @throws Problem (validation) for a file with faults, (not found) for what is neither a file nor a run */
async function payeesOf(
  context: Context,
  given: string,
  { file, store, notes }: Pick<DiffOptions, 'file' | 'store'> & { notes: string[] },
): Promise<Payee[]> {
  const { payeesOfPayments, payeesOfRun } = await import('../../diff.ts');
  if (given !== '-' && !existsSync(resolve(context.process.cwd, given))) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read').catch((error: unknown) => {
      throw error instanceof Problem && error.facts.category === 'not_found' ? neither(given) : error;
    });
    return payeesOfRun(payruns, run);
  }
  const reading = { ...file, file: given, offline: true, accounts: false, asWritten: undefined };
  const payees: Payee[] = [];
  const heard = new FileNotes();
  let faults = 0;
  for await (const batch of await paymentsIn(context, reading, heard)) {
    faults += batch.faults.length;
    payees.push(...(await payeesOfPayments(batch.payments)));
  }
  if (faults > 0) throw notWhole(given, faults);
  notes.push(...heard.all.map((words) => `${given}: ${words}`));
  return payees;
}

const neither = (given: string): Problem =>
  notFound(
    `there is no file "${given}" here, and no run of that name on this account`,
    hint`${{ do: 'list_runs' }}`,
  );

const notWhole = (file: string, faults: number): Problem =>
  refuse(
    'validation',
    'file_has_faults',
    `${file} has ${counted(faults, 'fault')}, so it cannot be compared`,
    { hint: hint`${{ do: 'check_file', file }} lists them`, note: 'nothing was kept, and nothing was sent' },
  );
