/** The rows of a file that is named on the command line, checked, and what there is to say of them. */
import { usage } from '../../../../core/problem.ts';
import { flags, type Input } from '../../../../frame/flags/flag.ts';
import { bytesOfFile } from '../../../../frame/flags/text-file.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { CheckedRows } from '../../../files/check.ts';
import type { ReadOptions } from '../../../files/formats.ts';
import { type FileNotes, rowsOfFile } from '../../../files/taken-in.ts';
import { accountsAsWrittenFlag, readAccountsAsWritten } from '../../flags/batch.ts';
import { type FileFlags, fileFlags, readFileFlags, readingOf } from '../../flags/batch-file.ts';

export const checkingFlags = flags({
  ...fileFlags,
  checkAccounts: { summary: 'ask the bank about each account, where it can be asked' },
  ...accountsAsWrittenFlag,
});

export const offlineFlag = flags({
  offline: { summary: 'ask the service for nothing: senders are not looked up' },
});

export interface Reading extends FileFlags {
  offline: boolean;
  accounts: boolean;
  /** The number of rows that have an account that looks wrong and is meant. */
  asWritten: number | undefined;
}

/** @throws Problem (usage) */
export function readChecking(input: Input<typeof checkingFlags & typeof offlineFlag>): Reading {
  const [offline, accounts] = [input.flags.offline, input.flags.checkAccounts];
  if (offline && accounts)
    throw usage('--offline asks nobody, and --check-accounts asks the banks: take one of them');
  return { ...readFileFlags(input), offline, accounts, asWritten: readAccountsAsWritten(input) };
}

/** The rows of the file that is named on the command line. */
export async function paymentsIn(
  context: Context,
  reading: Reading,
  notes: FileNotes,
  hear: Pick<ReadOptions, 'onLater' | 'onDivided'> = {},
): Promise<AsyncIterable<CheckedRows>> {
  const { file: name, allowDuplicates, offline, accounts, asWritten } = reading;
  const bytes = bytesOfFile(context.process, name);
  const read = await readingOf(context.process, reading);
  return rowsOfFile(
    context,
    { name, bytes, read, allowDuplicates, offline, accounts, asWritten },
    notes,
    hear,
  );
}
