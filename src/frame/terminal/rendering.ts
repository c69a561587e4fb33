/** How a result is to be printed, from what was asked for and what it is printed on. */
import type { Hint } from '../../core/next.ts';
import type { Globals } from '../flags/globals.ts';
import type { Process } from '../process.ts';
import { defaultFormat, formatInfo, ON_SCREEN, type OutputFormat } from './format.ts';
import { type Paint, paintFor } from './paint.ts';
import type { ListMeta, View } from './view.ts';

export interface Rendering {
  format: OutputFormat;
  columns: number;
  paint: Paint;
  /** Escape what a terminal would obey. */
  isTerminal: boolean;
  fields?: readonly string[] | undefined;
  query?: string | undefined;
  /** The local time zone, where a person reads it; machines get UTC alone. */
  zone?: string | undefined;
  /** Lines that stand for a table on a terminal, as records come: their times are local. */
  asTable?: boolean;
  /** CSV that a spreadsheet opens without eating anything. */
  spreadsheet?: boolean;
  /** The totals of a spreadsheet, where the command knows them; elsewhere its amounts are added up. */
  totals?: TotalRows | undefined;
  /** Hears the text of what is printed where its bytes do not show it. */
  hear?: (text: string) => void;
}

export interface TotalRows {
  // biome-ignore lint/suspicious/noExplicitAny: rows with the columns of their own kind
  view: Pick<View<any>, 'columns' | 'flat'>;
  rows: readonly unknown[];
}

/** A list as it is printed, page by page. */
export interface Pages<Row> {
  page(rows: readonly Row[]): string;
  /** Each goes where the format has a place for it. */
  end(meta?: ListMeta, notes?: readonly Hint[]): string;
  /** Returns the lines below it: columns for which there was no room, the zone of its times. */
  below(): string[];
}

/** One format's part of it. */
export type PageWriter<Row> = Pick<Pages<Row>, 'page' | 'end'> & Partial<Pick<Pages<Row>, 'below'>>;

/** A table that a person reads on a terminal: what is shown has the room of a screen. */
export const isScreen = ({ streams }: Pick<Process, 'streams'>, { output, query }: Globals): boolean =>
  streams.stdoutIsTerminal && formatInfo(output ?? ON_SCREEN).isDrawn === true && query === undefined;

export function renderingFor({ streams, zone }: Process, globals: Globals): Rendering {
  const isTerminal = streams.stdoutIsTerminal;
  return {
    format: globals.output ?? defaultFormat(isTerminal),
    columns: streams.columns,
    paint: paintFor(streams.colour.stdout),
    isTerminal,
    fields: globals.fields,
    query: globals.query,
    zone: isTerminal ? (globals.zone ?? zone?.()) : undefined,
    spreadsheet: globals.spreadsheet,
  };
}
