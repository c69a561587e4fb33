/** Which kind of file of payments is printed: `-o` names it, and CSV is what spreadsheets take. */
import { usage } from '../../core/problem.ts';

const KINDS = ['csv', 'ndjson', 'json', 'yaml'] as const;
export type FileKind = (typeof KINDS)[number];

/** @throws Problem (usage) */
export function fileKindOf(output: string | undefined): FileKind {
  if (output === undefined) return 'csv';
  const kind = KINDS.find((one) => one === output);
  if (kind === undefined)
    throw usage(`a file of payments is not written as ${output}`, `-o ${KINDS.join(', ')}`);
  return kind;
}
