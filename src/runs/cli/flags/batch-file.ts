/** Flags of a file of payments, shared by the commands that read one. */
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import type { Process } from '../../../frame/process.ts';
import { readPairs } from '../../../payments/cli/flags/details.ts';
import type { SplitName } from '../../../profiles/schema.ts';
import { FILE_FORMATS, type FileFormat, type ReadOptions } from '../../files/formats.ts';
import { SPLIT_NAMES } from '../../files/split-name.ts';
import type { FileShape } from '../../mappings.ts';

/** How the files of one program are read: what a mapping can keep. */
export const shapeFlags = flags({
  map: {
    value: 'column=header',
    summary: 'the file has this column under another name, such as bank_account=Account; repeat it',
    many: true,
  },
  splitName: {
    value: 'way',
    summary: 'divide the column name into first and last name; pain takes the last word for the last name',
    choices: SPLIT_NAMES,
  },
  decimalComma: { summary: 'amounts have a comma for their decimals: 1250,50' },
  type: { value: 'type', summary: 'the payout type of rows that name none, such as NGN::Bank' },
  currency: { value: 'currency', summary: 'the currency of amounts where rows name none' },
  inputCurrency: { value: 'currency', summary: 'the currency you pay in, where rows name none' },
  sender: { value: 'id', summary: 'the sender’s id or external id, where rows name none' },
  recipientType: {
    value: 'kind',
    summary: 'person or business, where rows do not say it',
    choices: ['person', 'business'],
  },
});

export const fileFlags = flags({
  format: {
    value: 'format',
    summary: 'what the file is, where its name does not say it',
    choices: FILE_FORMATS,
  },
  mapping: { value: 'name', summary: 'read the file as remit batch map save said under this name' },
  ...shapeFlags,
  allowDuplicates: { summary: 'take several payments of one amount to one account' },
  payNow: { summary: 'pay a pain.001 when it is run, though it asks for a later day (ReqdExctnDt)' },
});

type Read = Omit<ReadOptions, 'name' | 'note' | 'clock' | 'onLater' | 'onDivided'>;

export interface FileFlags {
  /** The file as it was given: a path, or `-`. */
  file: string;
  allowDuplicates: boolean;
  /** A mapping that was kept, to which `read` is added. */
  mapping: string | undefined;
  read: Read;
}

/** @throws Problem (usage) */
export function readShape(input: Input<typeof shapeFlags>): FileShape {
  const given = {
    type: input.flags.type,
    currency: input.flags.currency,
    input_currency: input.flags.inputCurrency,
    sender: input.flags.sender,
    recipient_type: input.flags.recipientType,
  };
  const defaults = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value.trim() === '' ? [] : [[name, value.trim()]],
  );
  return {
    map: readPairs(input.flags.map, '--map'),
    splitName: input.flags.splitName as SplitName | undefined,
    decimalComma: input.flags.decimalComma,
    defaults: Object.fromEntries(defaults),
  };
}

/** The first argument is the file. @throws Problem (usage) */
export function readFileFlags(input: Input<typeof fileFlags>): FileFlags {
  const [file] = input.args;
  if (file === undefined) throw usage('which file?', 'such as wages.csv, or - for standard input');
  return {
    file,
    allowDuplicates: input.flags.allowDuplicates,
    mapping: input.flags.mapping,
    read: {
      ...readShape(input),
      format: input.flags.format as FileFormat | undefined,
      payNow: input.flags.payNow,
    },
  };
}

/** The options with which the file is read, its mapping looked up. @throws Problem (not found) */
export async function readingOf({ env }: Process, { mapping, read }: FileFlags): Promise<Read> {
  if (mapping === undefined) return read;
  const { mappingNamed, readWith } = await import('../../mappings.ts');
  return readWith(mappingNamed(env, mapping), read);
}
