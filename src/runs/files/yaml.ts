/** Rows of a YAML list. */
import type { Batches } from '../../tables/row.ts';
import { wholeText } from '../../tables/whole-text.ts';
import { parsedYaml } from '../../tables/yaml.ts';
import type { Columns } from './columns.ts';
import { batchesOf, listIn } from './json.ts';

const MOST_BYTES = 10_000_000;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readYaml(
  pieces: AsyncIterable<Buffer>,
  { name, columns }: { name: string; columns: Columns },
): Batches {
  const text = await wholeText(pieces, { name, mostBytes: MOST_BYTES });
  yield* batchesOf(listIn(await parsedYaml(text, name), name), columns);
}
