/** Lists, shows, stores and changes payout methods. */
import { partyOf } from '../../contract/corridors/wrong-details.ts';
import { getPayoutMethod, listPayoutMethods } from '../../contract/operations/payout-methods.ts';
import { type PayoutMethodWrite, payoutMethodWrite } from '../../contract/resources/payment-method.ts';
import { usage } from '../../core/problem.ts';
import { parseTextFile, readTextFile } from '../../frame/flags/text-file.ts';
import { flagWords, pairWords, sameCommand } from '../../frame/output/command-line.ts';
import {
  disablingStep,
  leaveMethod,
  planRedirection,
  planStore,
  redirectPayoutMethod,
  refuseDisabled,
  storePayoutMethod,
  switchOffPayoutMethod,
} from '../directory/payout-method.ts';
import { authorizeWrite } from '../gate.ts';
import { readOne } from '../lookup/read-one.ts';
import { senderIdOf } from '../lookup/sender.ts';
import type { Descriptors } from '../offered.ts';
import { correctionForm } from './ask/edit-details.ts';
import { type Form, throughForm } from './ask/form.ts';
import { defineCommand, type OptionsOf } from './command.ts';
import type { Context } from './context.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from './flags/details.ts';
import { idArgument, readId } from './flags/ids.ts';
import { dateFlags, listFlags, readDates, readLimits } from './flags/listing.ts';
import { metadataFlag, readMetadata } from './flags/metadata.ts';
import { showList } from './output/show-list.ts';
import { result } from './result.ts';
import { payoutMethodView } from './views/payout-method.ts';

const list = defineCommand({
  description: '--sender also lists the payout methods that recipients of this sender were paid with.',
  flags: {
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: ['enabled', 'disabled'],
    },
    type: { value: 'type', summary: 'only of this type, such as NGN::Bank; repeat it', many: true },
    sender: { value: 'id', summary: 'only those of this sender (id or external id)' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [payoutMethodView],
  isTabular: true,
  effect: 'read',
  examples: ['remit payout-method list --state enabled', 'remit payout-method list --sender customer-17'],
  read: (input) => ({
    sender: input.flags.sender,
    query: { state: input.flags.state, type: input.flags.type, ...readDates(input) },
    limits: readLimits(input),
  }),
  async run(context, { sender, query, limits }) {
    const senderId = sender === undefined ? undefined : await senderIdOf(context, sender);
    return showList(context, {
      view: payoutMethodView,
      operation: listPayoutMethods,
      what: 'payout methods',
      seen: ({ id }) => [{ kind: 'payout_method', id: id ?? '' }],
      query: { ...query, sender_id: senderId },
      limits,
    });
  },
});

const next = 'remit payout-method list shows them';

const find = (context: Context, id: string, use: 'read' | 'write') =>
  readOne(context, getPayoutMethod, id, { thing: 'payout method', next, kind: 'payout_method', use });

const show = defineCommand({
  args: [idArgument('payout method')],
  shows: [payoutMethodView],
  effect: 'read',
  examples: ['remit payout-method show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'payout method', next) }),
  run: async (context, { id }) => result(payoutMethodView, await find(context, id, 'read')),
});

type CreateOptions = OptionsOf<typeof create>;

const create = defineCommand({
  description:
    'The details of a business have a `name`, those of a person a `last_name`. On a terminal, remit asks for what is missing.',
  flags: {
    file: {
      short: '-f',
      value: 'path',
      summary: 'the payout method as JSON or YAML; - reads standard input',
    },
    type: { value: 'type', summary: 'such as NGN::Bank' },
    detail: { value: 'name=value', summary: 'one detail, such as bank_code=044; repeat it', many: true },
    metadata: metadataFlag(),
    ...accountAsWrittenFlag,
  },
  shows: [payoutMethodView],
  effect: 'write',
  examples: [
    'remit payout-method create --type NGN::Bank --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit payout-method create --file method.yaml',
  ],
  read: (input) => ({
    file: input.flags.file,
    type: input.flags.type,
    details: readPairs(input.flags.detail, '--detail'),
    metadata: readMetadata(input.flags.metadata),
    accountAsWritten: readAccountAsWritten(input),
  }),
  async run(context, options) {
    const draft = await draftFrom(context, options);
    const form = await formFor(context, draft, options.file === undefined);
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const plan = await planStore(context, checked(draft), {
        confirmer,
        asWritten: options.accountAsWritten,
      });
      const permit = await authorizeWrite(context, plan.step, confirmer);
      const { value, notes } = await storePayoutMethod(context, permit, plan);
      const same = wasAsked()
        ? sameCommand(context, argvOf(draft), { 'account-as-written': plan.isAsWritten })
        : [];
      return result(payoutMethodView, value, { notes: [...notes, ...same] });
    });
  },
});

type Draft = PayoutMethodWrite & { details: Record<string, unknown> };

async function draftFrom(context: Context, { file, type, details, metadata }: CreateOptions): Promise<Draft> {
  const read = file === undefined ? {} : await parseTextFile(await readTextFile(context.process, file), file);
  const base = (typeof read.payout_method === 'object' ? read.payout_method : read) as PayoutMethodWrite;
  return {
    metadata: {},
    ...base,
    ...(type === undefined ? {} : { type }),
    ...(metadata === undefined ? {} : { metadata }),
    details: { ...base.details, ...details },
  };
}

/** On a terminal, what the flags leave open is asked: all of it, or what is required where something was given. */
async function formFor(context: Context, draft: Draft, asks: boolean): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  const { methodForm } = await import('./ask/method-form.ts');
  return methodForm(context, draft, asks);
}

/** @throws Problem (usage) */
function checked(draft: Draft): PayoutMethodWrite {
  if (draft.type === undefined) throw usage('the type is missing', 'such as --type NGN::Bank');
  if (Object.keys(draft.details).length === 0)
    throw usage('no detail was given', 'name each: --detail bank_account=0123456789');
  const read = payoutMethodWrite.safeParse(draft);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw usage(`payout method ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit'}`);
}

function argvOf({ type, details, metadata }: Draft): string[] {
  const json = Object.keys(metadata ?? {}).length > 0 ? JSON.stringify(metadata) : undefined;
  return [...flagWords({ type }), ...pairWords('detail', details), ...flagWords({ metadata: json })];
}

const edit = defineCommand({
  description:
    'To correct the details of one recipient, use remit recipient edit. Without flags, on a terminal, remit asks what is to be changed.',
  args: [idArgument('payout method')],
  flags: {
    detail: {
      value: 'name=value',
      summary: 'one detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    ...accountAsWrittenFlag,
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
  },
  shows: [payoutMethodView],
  effect: 'money',
  examples: [
    'remit payout-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail bank_account=0123456700',
  ],
  read: (input) => ({
    id: readId(input, 'payout method', next),
    details: readPairs(input.flags.detail, '--detail'),
    accountAsWritten: readAccountAsWritten(input),
    newPayment: input.flags.newPayment,
  }),
  async run(context, { id, details: given, accountAsWritten: asWritten, newPayment }) {
    const details: Record<string, unknown> = { ...given };
    const method = await find(context, id, 'write');
    refuseDisabled(method);
    const form = correctionForm(context, {
      type: method.type ?? '',
      kind: partyOf(method.details),
      prefix: '',
      current: method.details ?? {},
      details,
      descriptors: (method.fields as Descriptors | null | undefined) ?? undefined,
    });
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const plan = await planRedirection(context, method, details, { confirmer, asWritten });
      if (Object.keys(plan.changes).length === 0) {
        const { value, notes } = await leaveMethod(context, plan);
        return result(payoutMethodView, value, { notes });
      }
      const permit = await authorizeWrite(context, plan.step, confirmer);
      const changed = await redirectPayoutMethod(context, permit, plan, { newPayment });
      const same = wasAsked()
        ? sameCommand(context, [id, ...pairWords('detail', plan.changes)], {
            'account-as-written': plan.isAsWritten,
          })
        : [];
      return result(payoutMethodView, changed, { notes: same });
    });
  },
});

const disable = defineCommand({
  description:
    'You cannot enable it again: the service has no call for that. Payouts that already use it continue.',
  args: [idArgument('payout method')],
  shows: [payoutMethodView],
  effect: 'destructive',
  examples: ['remit payout-method disable 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'payout method', next) }),
  async run(context, { id }) {
    const method = await find(context, id, 'write');
    if (method.state === 'disabled')
      return result(payoutMethodView, method, { notes: ['it is disabled already; nothing was sent'] });
    const permit = await authorizeWrite(context, disablingStep(context, method), context.confirmer);
    const { value, notes } = await switchOffPayoutMethod(context, permit, method);
    return result(payoutMethodView, value, { notes });
  },
});

export const commands = { list, show, create, edit, disable };
