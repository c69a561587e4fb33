/** Flags of a file of payments, shared by the commands that read one. */
import { resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import { FILE_FORMATS, type FileFormat, type ReadOptions } from '../../desk/payruns/files/formats.ts';
import type { World } from '../world.ts';
import { type Flag, flagMany, flagOn, flagText, type Input } from './flag.ts';
import { readPairs } from './pairs.ts';

export const fileFlags: readonly Flag[] = [
  {
    flags: '--format <format>',
    summary: 'what the file is, where its name does not say it',
    choices: FILE_FORMATS,
  },
  {
    flags: '--map <column=header>',
    summary: 'the file has this column under another name, such as bank_account=Account; repeat it',
    many: true,
  },
  { flags: '--decimal-comma', summary: 'amounts have a comma for their decimals: 1250,50' },
  { flags: '--type <type>', summary: 'the payout type of rows that name none, such as NGN::Bank' },
  { flags: '--currency <currency>', summary: 'the currency of amounts where rows name none' },
  { flags: '--input-currency <currency>', summary: 'the currency you pay in, where rows name none' },
  { flags: '--sender <id>', summary: 'the sender’s id or external id, where rows name none' },
  {
    flags: '--recipient-type <kind>',
    summary: 'person or business, where rows do not say it',
    choices: ['person', 'business'],
  },
  { flags: '--allow-duplicates', summary: 'take several payments of one amount to one account' },
  { flags: '--pay-now', summary: 'take a pain.001 that asks to be paid on a later day (ReqdExctnDt)' },
];

export interface FileFlags {
  /** As it was given: a path, or `-`. */
  file: string;
  allowDuplicates: boolean;
  read: Omit<ReadOptions, 'name' | 'note' | 'clock'>;
}

/** The first argument is the file. @throws Problem (usage) */
export function readFileFlags(input: Input): FileFlags {
  const [file] = input.args;
  if (file === undefined) throw usage('which file?', 'such as wages.csv, or - for standard input');
  const given = {
    type: flagText(input, 'type'),
    currency: flagText(input, 'currency'),
    input_currency: flagText(input, 'inputCurrency'),
    sender: flagText(input, 'sender'),
    recipient_type: flagText(input, 'recipientType'),
  };
  const defaults = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value.trim() === '' ? [] : [[name, value.trim()]],
  );
  return {
    file,
    allowDuplicates: flagOn(input, 'allowDuplicates'),
    read: {
      format: flagText(input, 'format') as FileFormat | undefined,
      map: readPairs(flagMany(input, 'map'), '--map'),
      decimalComma: flagOn(input, 'decimalComma'),
      payNow: flagOn(input, 'payNow'),
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
