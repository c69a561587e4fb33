import type { SplitName } from '../../profiles/schema.ts';
import type { Cells } from '../../tables/row.ts';
import type { Divided } from './split-name.ts';

/** The formats that a file of payments can have, and the options to read it with. */
export type FileFormat = 'csv' | 'ndjson' | 'json' | 'yaml' | 'xml';
export const FILE_FORMATS: readonly FileFormat[] = ['csv', 'ndjson', 'json', 'yaml', 'xml'];

export interface ReadOptions {
  /** The file's name, or `-`: for the format by its extension, and for sentences. */
  name: string;
  format?: FileFormat | undefined;
  /** Canonical column to its name in the file. */
  map?: Cells | undefined;
  /** `0,50` is read as `0.50`. */
  decimalComma?: boolean | undefined;
  /** Cells of rows that leave them empty: type, currency, input_currency, sender, recipient_type. */
  defaults?: Cells | undefined;
  /** A file with more rows is refused: 2,000,000 by default. */
  mostRows?: number | undefined;
  /** Now, and the zone whose days count: a file may name the day on which it is to be paid. */
  clock: { now: number; zone: string };
  /** A later day that the file names is passed over. */
  payNow?: boolean | undefined;
  /** Hears the moment before which the file is not to be paid, in milliseconds since 1970. */
  onLater?: ((at: number) => void) | undefined;
  /** Divides the `name` of persons into first and last name; by default, a person has both in the file. */
  splitName?: SplitName | undefined;
  /** Hears each name that was divided. */
  onDivided?: ((row: Divided) => void) | undefined;
  /** Hears once what was understood in one of several ways. */
  note?: ((words: string) => void) | undefined;
}
