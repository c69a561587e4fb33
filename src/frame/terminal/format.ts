/** The output formats: what a command asks of one stands in its row, so that it names none (docs/rules.md 7). */

export const outputFormats = ['table', 'text', 'json', 'ndjson', 'csv', 'xlsx', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

interface FormatInfo {
  /** For `remit help output`. */
  summary: string;
  /** Drawn to the width of a screen, in colour, with times of the reader's zone. */
  isDrawn?: true;
  /** Words for people. */
  isForPeople?: true;
  /** A record is in this language, with all of its members; where neither is set, its columns are printed. */
  isJson?: true;
  isYaml?: true;
  /** A line for each record: one on its own looks as in a list. */
  isByLine?: true;
  /** One document with `kind` and `version`. */
  isDocument?: true;
  /** An amount and its currency have a cell each, and a spreadsheet may open it. */
  hasCells?: true;
  /** The format of records that are printed as they come. */
  asTheyCome?: OutputFormat;
  /** A file for a program, whole and in bytes: only rows make one, and no terminal shows it. */
  isFile?: true;
}

const FORMATS: Readonly<Record<OutputFormat, FormatInfo>> = {
  table: { summary: 'the default on a terminal', isDrawn: true, isForPeople: true, asTheyCome: 'text' },
  text: {
    summary: 'the default without a terminal: a line per record, tab-separated, no heading',
    isForPeople: true,
    isByLine: true,
    asTheyCome: 'text',
  },
  json: {
    summary:
      '{"version":1,"kind":…,"data":…}, and for a list `meta`, whose `complete` says whether it is whole; amounts are decimal strings',
    isJson: true,
    isDocument: true,
    asTheyCome: 'ndjson',
  },
  ndjson: {
    summary: 'the same, a line per record',
    isJson: true,
    isByLine: true,
    asTheyCome: 'ndjson',
  },
  csv: {
    summary: 'a line per record, with a heading; text that a spreadsheet would run as a formula is escaped',
    isByLine: true,
    hasCells: true,
    asTheyCome: 'csv',
  },
  xlsx: {
    summary:
      'a spreadsheet, for a file or a pipe: numbers, times and a sheet of totals; where rows are printed',
    isByLine: true,
    hasCells: true,
    isFile: true,
  },
  yaml: { summary: 'the same as json, in YAML', isYaml: true, isDocument: true, asTheyCome: 'yaml' },
};

/** Questions about the answer where people look at it, and about a file that a spreadsheet opens. */
export const ON_SCREEN: OutputFormat = 'table';
export const IN_CELLS: OutputFormat = 'csv';

/** The format that is printed where none was asked for. */
export const defaultFormat = (isTerminal: boolean): OutputFormat => (isTerminal ? ON_SCREEN : 'text');

/** A file leaves as bytes, a character each. */
export const encodingOf = ({ output }: { output: OutputFormat | undefined }): 'latin1' | 'utf8' =>
  formatInfo(output).isFile ? 'latin1' : 'utf8';

/** @param format undefined, or a word that is no format, has no properties */
export const formatInfo = (format: string | undefined): Partial<FormatInfo> =>
  format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format as OutputFormat] : {};

export const formatRows: readonly (readonly [name: string, meaning: string])[] = outputFormats.map((name) => [
  name,
  FORMATS[name].summary,
]);
