/** Flags of a file of payments, shared by the commands that read one. */
import { resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import { FILE_FORMATS, type FileFormat, type ReadOptions } from '../../desk/payruns/files/formats.ts';
import type { World } from '../world.ts';
import { readPairs } from './details.ts';
import { flags, type Input } from './flag.ts';

export const fileFlags = flags({
  format: {
    value: 'format',
    summary: 'what the file is, where its name does not say it',
    choices: FILE_FORMATS,
  },
  map: {
    value: 'column=header',
    summary: 'the file has this column under another name, such as bank_account=Account; repeat it',
    many: true,
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
  allowDuplicates: { summary: 'take several payments of one amount to one account' },
  payNow: { summary: 'pay a pain.001 when it is run, though it asks for a later day (ReqdExctnDt)' },
});

export interface FileFlags {
  /** The file as it was given: a path, or `-`. */
  file: string;
  allowDuplicates: boolean;
  read: Omit<ReadOptions, 'name' | 'note' | 'clock' | 'onLater'>;
}

/** The first argument is the file. @throws Problem (usage) */
export function readFileFlags(input: Input<typeof fileFlags>): FileFlags {
  const [file] = input.args;
  if (file === undefined) throw usage('which file?', 'such as wages.csv, or - for standard input');
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
    file,
    allowDuplicates: input.flags.allowDuplicates,
    read: {
      format: input.flags.format as FileFormat | undefined,
      map: readPairs(input.flags.map, '--map'),
      decimalComma: input.flags.decimalComma,
      payNow: input.flags.payNow,
      defaults: Object.fromEntries(defaults),
    },
  };
}

/** The bytes of a file, or of standard input. */
export async function* bytesOfFile({ cwd, streams }: World, file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    for await (const chunk of streams.stdin) yield Buffer.from(chunk as Uint8Array | string);
    return;
  }
  const { fileBytes } = await import('../../desk/payruns/files/open.ts');
  yield* fileBytes(resolve(cwd, file), file);
}
