/** Members of a sender on the command line, shared by `sender create` and `sender edit`. */
import { type SenderWrite, senderTextFields, senderWrite } from '../../../contract/resources/sender.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { parseTextFile, readTextFile } from '../../../frame/flags/text-file.ts';
import { refuseMasked } from '../../words/mask.ts';
import type { Context } from '../context.ts';

/** The fields that have a flag of their own. */
const ownFlags = flags({
  externalId: { value: 'text', summary: 'external id' },
  firstName: { value: 'text', summary: 'first name' },
  lastName: { value: 'text', summary: 'last name' },
  name: { value: 'text', summary: 'name' },
  country: { value: 'text', summary: 'country' },
  email: { value: 'text', summary: 'email' },
  phoneNumber: { value: 'text', summary: 'phone number' },
  ip: { value: 'text', summary: 'ip' },
});

const memberOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const ownSenderFields: readonly string[] = Object.keys(ownFlags).map(memberOf);
export const flagOf = (field: string): string => field.replaceAll('_', '-');

export const senderFlags = flags({
  file: { short: '-f', value: 'path', summary: 'the members as JSON or YAML; - reads standard input' },
  type: { value: 'kind', summary: 'person (the default) or business', choices: ['person', 'business'] },
  ...ownFlags,
});

/** The members that flags of their own give. */
export function readSenderFlags({ flags: given }: Input<typeof senderFlags>): Record<string, string> {
  const named = [...Object.keys(ownFlags), 'type'] as (keyof typeof ownFlags | 'type')[];
  return Object.fromEntries(
    named.flatMap((key) => {
      const value = given[key];
      const member = memberOf(key);
      return value === undefined ? [] : [[member, refuseMasked(member, value)]];
    }),
  );
}

export async function senderFromFile(
  context: Context,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const read = await parseTextFile(await readTextFile(context.process, file), file);
  return (typeof read.sender === 'object' && read.sender !== null ? read.sender : read) as Record<
    string,
    unknown
  >;
}

/** @throws Problem (usage): a member that senders do not have, or one of the wrong kind */
export function checkSenderFields(draft: Record<string, unknown>): SenderWrite {
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
