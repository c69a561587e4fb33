/** Finds, shows, creates and changes senders. */
import { listSenders } from '../../contract/operations/senders.ts';
import type { Sender } from '../../contract/resources/sender.ts';
import { senderStates } from '../../contract/states/sender.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound, usage } from '../../core/problem.ts';
import { flagWords, pairWords, sameCommand } from '../../frame/output/command-line.ts';
import {
  changeSender,
  planChange,
  planDisabling,
  planSender,
  saveSender,
  switchOffSender,
} from '../directory/sender.ts';
import { authorizeWrite } from '../gate.ts';
import { holding, isAmong, siftBy } from '../lists/sifting.ts';
import { findSender, senderByExternalId } from '../lookup/sender.ts';
import { refuseMasked } from '../words/mask.ts';
import { fullName } from '../words/person.ts';
import { type Form, throughForm } from './ask/form.ts';
import { defineCommand } from './command.ts';
import type { Context } from './context.ts';
import { readPairs } from './flags/details.ts';
import { documentFlag, readDocuments } from './flags/document-file.ts';
import { dateFlags, listFlags, readDates, readLimits } from './flags/listing.ts';
import {
  checkSenderFields,
  flagOf,
  ownSenderFields,
  readSenderFlags,
  senderFlags,
  senderFromFile,
} from './flags/sender-fields.ts';
import { showList } from './output/show-list.ts';
import { result } from './result.ts';
import { senderView } from './views/sender.ts';

const find = defineCommand({
  description:
    'Use one sender for all payments of a customer: find it by its external id, your own reference.',
  args: [{ name: 'EXTERNAL_ID', summary: 'your reference for the sender' }],
  shows: [senderView],
  effect: 'read',
  examples: ['remit sender find customer-17', 'remit sender find customer-17 -o json --query id'],
  read(input) {
    const externalId = input.args[0] ?? '';
    if (externalId.trim() === '') throw usage('an external id cannot be empty');
    return { externalId };
  },
  async run(context, { externalId }) {
    const sender = await senderByExternalId(await context.client(), externalId);
    if (sender === undefined)
      throw notFound(
        `no sender has the external id "${externalId}"`,
        `remit sender create --external-id ${externalId} …`,
      );
    await context.remember([{ kind: 'sender', id: sender.id ?? '', externalId }]);
    return result(senderView, sender);
  },
});

const show = defineCommand({
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  shows: [senderView],
  effect: 'read',
  examples: ['remit sender show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', 'remit sender show customer-17'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  run: async (context, { id }) => result(senderView, await findSender(context, id, 'read')),
});

const create = defineCommand({
  description:
    '`ip` is your customer’s address, never this machine’s. Metadata are sent empty unless the file gives them. On a terminal, what is missing is asked.',
  flags: {
    ...senderFlags,
    field: {
      value: 'name=value',
      summary: 'any other member, such as birth_date=1990-01-31; repeat it',
      many: true,
    },
    ...documentFlag,
  },
  shows: [senderView],
  effect: 'write',
  examples: [
    'remit sender create',
    'remit sender create --external-id customer-18 --first-name Ines --last-name Marques --country PT --email ines@example.com --phone-number 912345678 --ip 203.0.113.7 --field phone_country=PT --field city=Lisboa --field street="Rua do Ouro 12" --field postal_code=1100-061 --field birth_date=1990-04-12',
    'remit sender create --file sender.yaml',
  ],
  read: (input) => ({
    file: input.flags.file,
    documents: input.flags.document,
    fields: { ...readPairs(input.flags.field, '--field'), ...readSenderFlags(input) },
  }),
  async run(context, { file, fields, documents }) {
    const members: Record<string, unknown> = { ...(await senderFromFile(context, file)), ...fields };
    const uploads = await readDocuments(context.process, documents);
    if (uploads.length > 0)
      members.documents = [...(Array.isArray(members.documents) ? members.documents : []), ...uploads];
    return throughForm(context, await formFor(context, members, file), async (confirmer, wasAsked) => {
      const plan = planSender(context, checkSenderFields({ documents: [], metadata: {}, ...members }));
      const permit = await authorizeWrite(context, plan.step, confirmer);
      const { value, notes } = await saveSender(context, permit, plan);
      const same =
        wasAsked() && file === undefined
          ? sameCommand(context, [...argvOf(members), ...documents.flatMap((one) => ['--document', one])])
          : [];
      return result(senderView, value, { notes: [...notes, ...same] });
    });
  },
});

/** A file is whole, or refused as it is: what it leaves out is not asked. */
async function formFor(
  context: Context,
  members: Record<string, unknown>,
  file: string | undefined,
): Promise<Form> {
  if (!context.interactive || file !== undefined) return { questions: async () => [] };
  return (await import('./ask/sender-form.ts')).senderForm(context, members);
}

function argvOf(members: Record<string, unknown>): string[] {
  const own = Object.entries(members).filter(([name]) => isOwn(name));
  const others = Object.entries(members).filter(([name]) => !isOwn(name) && name !== 'documents');
  return [
    ...flagWords(Object.fromEntries(own.map(([name, value]) => [flagOf(name), String(value)]))),
    ...pairWords('field', Object.fromEntries(others)),
  ];
}

const isOwn = (name: string): boolean =>
  name === 'type' || (ownSenderFields as readonly string[]).includes(name);

const list = defineCommand({
  description:
    'The service filters by external id and day. --state and --name are done here: that says how many were looked at, and a table on a terminal stops after 2,000.',
  flags: {
    externalId: { value: 'id', summary: 'the one with this external id' },
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: Object.keys(senderStates),
    },
    name: { value: 'part', summary: 'only with this in their name' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [senderView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit sender list',
    'remit sender list --since 2026-11-01 --all -o csv',
    'remit sender list --state rejected',
  ],
  read: (input) => ({
    query: { external_id: input.flags.externalId, ...readDates(input) },
    sift: siftBy<Sender>({
      state: isAmong(input.flags.state, (row) => row.state),
      name: holding(input.flags.name, fullName),
    }),
    limits: readLimits(input),
  }),
  run: (context, options) =>
    showList(context, {
      view: senderView,
      operation: listSenders,
      what: 'senders',
      seen: ({ id, external_id: externalId }) => [
        { kind: 'sender', id: id ?? '', externalId: externalId ?? undefined },
      ],
      ...options,
    }),
});

const edit = defineCommand({
  description:
    'Only what changes is sent. A change may start the checks of the sender again. Without flags, on a terminal, remit asks for each member.',
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  flags: {
    ...senderFlags,
    set: { value: 'name=value', summary: 'any other member, such as city=Porto; repeat it', many: true },
  },
  shows: [senderView],
  effect: 'write',
  examples: [
    'remit sender edit customer-17 --email ines@example.com --set city=Porto',
    'remit sender edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --file sender.yaml',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    file: input.flags.file,
    fields: { ...readPairs(input.flags.set, '--set'), ...readSenderFlags(input) },
  }),
  async run(context, { id, file, fields }) {
    const given: Record<string, unknown> = { ...(await senderFromFile(context, file)), ...fields };
    const asks = Object.keys(given).length === 0;
    if (asks && !context.interactive)
      throw usage('no change was given', 'name it: --email TEXT, or --set NAME=VALUE');
    checkSenderFields(given);
    for (const [name, value] of Object.entries(given))
      if (typeof value === 'string') refuseMasked(name, value);
    const sender = await findSender(context, id, 'write');
    return throughForm(context, await changeFormFor(context, sender, given), async (confirmer, wasAsked) => {
      const plan = planChange(context, sender, checkSenderFields(given));
      if (Object.keys(plan.changes).length === 0)
        return result(senderView, sender, {
          notes: ['nothing to change: the sender has these values already; nothing was sent'],
        });
      const permit = await authorizeWrite(context, plan.step, confirmer);
      const { value, notes } = await changeSender(context, permit, plan);
      const same =
        wasAsked() && file === undefined ? sameCommand(context, [id, ...pairWords('set', plan.changes)]) : [];
      return result(senderView, value, { notes: [...notes, ...same] });
    });
  },
});

/** Returns the form for the members with a flag of their own that this kind of sender has. */
async function changeFormFor(
  context: Context,
  sender: Sender,
  members: Record<string, unknown>,
): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  const { senderChangeForm } = await import('./ask/sender-form.ts');
  const other = sender.type === 'business' ? ['first_name', 'last_name'] : ['name'];
  const names = ownSenderFields.filter((name) => !other.includes(name));
  return senderChangeForm(context, { names, current: sender, members });
}

const disable = defineCommand({
  description:
    'A disabled sender cannot send any more. You cannot enable it again: the service has no call for that. Payments that it has sent continue.',
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  shows: [senderView],
  effect: 'destructive',
  examples: ['remit sender disable customer-17'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const sender = await findSender(context, id, 'write');
    if (sender.state === 'disabled')
      return result(senderView, sender, { notes: ['it is disabled already; nothing was sent'] });
    const plan = planDisabling(context, sender, isUuid(id) || sender.external_id === id);
    const permit = await authorizeWrite(context, plan.step, context.confirmer);
    const { value, notes } = await switchOffSender(context, permit, plan);
    return result(senderView, value, { notes });
  },
});

export const commands = { find, show, create, list, edit, disable };
