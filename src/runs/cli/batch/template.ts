/** Prints a file of payments to fill in. Nothing is asked of the service. */
import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { fileKindOf, writeRows } from '../../files/write.ts';

export const command = defineCommand({
  description:
    'Prints a file of payments to fill in: a header, what is needed first, and one made-up row for each payout type. It is CSV, or NDJSON, JSON or YAML by -o; --spreadsheet keeps a spreadsheet from changing codes and numbers. --choices writes a second file with all choices, such as the codes of banks. remit batch check says what is wrong with it once it is filled in.',
  args: [{ name: 'TYPE', summary: 'a payout type, such as NGN::Bank; as many as you like', many: true }],
  flags: {
    choices: { value: 'file', summary: 'write the choices of all fields to this new file, as CSV' },
    mapping: { value: 'name', summary: 'name the columns as this mapping does (remit batch map)' },
  },
  examples: [
    'remit batch template NGN::Bank > next-wages.csv',
    'remit batch template NGN::Bank GHS::Mobile --choices choices.csv',
    'remit batch template XOF::Mobile -o yaml',
  ],
  read(input) {
    const types = [...new Set(input.args)];
    if (types.length === 0) throw usage('which payout type?', 'such as remit batch template NGN::Bank');
    return { types, choices: input.flags.choices, mapping: input.flags.mapping };
  },
  async run(context, { types, choices, mapping }) {
    const [{ templateFor, underMapping }, { mappingNamed }] = await Promise.all([
      import('../../files/template.ts'),
      import('../../mappings.ts'),
    ]);
    const plain = await templateFor(types);
    const format = fileKindOf(context.globals.output);
    const made =
      mapping === undefined ? plain : underMapping(plain, mappingNamed(context.process.env, mapping), format);
    if (choices !== undefined) await writeChoices(context, choices, made.choices);
    const { spreadsheet } = context.globals;
    for await (const text of writeRows(format, made.rows, { columns: made.columns, spreadsheet }))
      context.streams.out(text);
    return { done: true };
  },
});

const CHOICES = ['column', 'code', 'label', 'type'];

async function writeChoices(
  context: Context,
  file: string,
  choices: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  const [{ makeOwnFile }, { resolve }] = await Promise.all([
    import('../../../disk/own-file.ts'),
    import('node:path'),
  ]);
  const { spreadsheet } = context.globals;
  let text = '';
  for await (const piece of writeRows(fileKindOf(), choices, { columns: CHOICES, spreadsheet }))
    text += piece;
  if (!makeOwnFile(resolve(context.process.cwd, file), Buffer.from(text)))
    throw usage(`${file} exists already`, 'name a new file');
  context.note(`${file} has ${choices.length} choices`);
}
