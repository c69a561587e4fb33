/** Members of a sender on the command line, shared by `sender create` and `sender edit`. */
import { type SenderWrite, senderTextFields, senderWrite } from '../../contract/resources/sender.ts';
import { usage } from '../../core/problem.ts';
import { refuseMasked } from '../../desk/words/mask.ts';
import type { Context } from '../context.ts';
import { type Flag, flagText, type Input } from './flag.ts';
import { parseTextFile, readTextFile } from './text-file.ts';

/** Those that have a flag of their own. */
export const ownSenderFields = [
  'external_id',
  'first_name',
  'last_name',
  'name',
  'country',
  'email',
  'phone_number',
  'ip',
] as const;

export const flagOf = (field: string): string => field.replaceAll('_', '-');
const propertyOf = (field: string): string =>
  field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const senderFlags: readonly Flag[] = [
  { flags: '-f, --file <path>', summary: 'the members as JSON or YAML; - reads standard input' },
  { flags: '--type <kind>', summary: 'person (the default) or business', choices: ['person', 'business'] },
  ...ownSenderFields.map((field) => ({
    flags: `--${flagOf(field)} <text>`,
    summary: field.replaceAll('_', ' '),
  })),
];

/** What the flags of their own say. */
export function readSenderFlags(input: Input): Record<string, string> {
  return Object.fromEntries(
    [...ownSenderFields, 'type'].flatMap((field) => {
      const value = flagText(input, propertyOf(field));
      return value === undefined ? [] : [[field, refuseMasked(field, value)]];
    }),
  );
}

export async function senderFromFile(
  context: Context,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const read = await parseTextFile(await readTextFile(context.world, file), file);
  return (typeof read.sender === 'object' && read.sender !== null ? read.sender : read) as Record<
    string,
    unknown
  >;
}

/** @throws Problem (usage): a member that senders do not have, or one of the wrong kind */
export function checkSender(draft: Record<string, unknown>): SenderWrite {
  const checked = senderWrite.safeParse(draft);
  if (checked.success) return checked.data as SenderWrite;
  const [issue] = checked.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw usage(
      `a sender has no member called ${issue.keys.join(', ')}`,
      `it knows ${senderTextFields.join(', ')}`,
    );
  }
  throw usage(`sender ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit'}`);
}
