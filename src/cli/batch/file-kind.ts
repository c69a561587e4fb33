/** Which kind of file of payments is printed: `-o` names it, and CSV is what spreadsheets take. */
import { usage } from '../../core/problem.ts';
import type { WrittenFormat } from '../../desk/payruns/files/write.ts';

const KINDS: readonly WrittenFormat[] = ['csv', 'ndjson', 'json', 'yaml'];

/** @throws Problem (usage) */
export function fileKindOf(output: string | undefined): WrittenFormat {
  if (output === undefined) return 'csv';
  const kind = KINDS.find((one) => one === output);
  if (kind === undefined)
    throw usage(`a file of payments is not written as ${output}`, `-o ${KINDS.join(', ')}`);
  return kind;
}
