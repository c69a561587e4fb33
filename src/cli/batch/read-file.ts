/** The rows of a file that is named on the command line, checked, with their senders looked up. */
import type { Checked } from '../../desk/payruns/files/check.ts';
import type { Context } from '../context.ts';
import { bytesOfFile, type FileFlags } from '../flags/batch-file.ts';

export interface Reading extends FileFlags {
  /** True where the senders are not asked for. */
  offline: boolean;
  /** Hears what is good to know about the file. */
  note(words: string): void;
}

export async function paymentsIn(
  context: Context,
  { file, allowDuplicates, read, offline, note }: Reading,
): Promise<AsyncIterable<Checked>> {
  const [{ readRows }, { checkRows }, { withSenders }] = await Promise.all([
    import('../../desk/payruns/files/read.ts'),
    import('../../desk/payruns/files/check.ts'),
    import('../../desk/payruns/files/senders.ts'),
  ]);
  const rows = readRows(bytesOfFile(context.world, file), { ...read, name: file, note });
  const batches = checkRows(rows, { allowDuplicates });
  return offline ? batches : withSenders(context, batches);
}
