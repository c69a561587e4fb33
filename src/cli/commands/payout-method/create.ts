import { type PayoutMethodWrite, payoutMethodWrite } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import { planStore, storePayoutMethod } from '../../../desk/directory/payout-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { type Form, throughForm } from '../../ask/form.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from '../../flags/details.ts';
import { metadataFlag, readMetadata } from '../../flags/metadata.ts';
import { parseTextFile, readTextFile } from '../../flags/text-file.ts';
import { flagWords, pairWords, sameCommand } from '../../output/command-line.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface CreateOptions {
  file: string | undefined;
  type: string | undefined;
  details: Record<string, string>;
  metadata: Record<string, unknown> | undefined;
  accountAsWritten: boolean;
}

export { create as command };

const create = command({
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
  read: (input): CreateOptions => ({
    file: input.flags.file,
    type: input.flags.type,
    details: readPairs(input.flags.detail, '--detail'),
    metadata: readMetadata(input.flags.metadata),
    accountAsWritten: readAccountAsWritten(input),
  }),
  async run(context, options) {
    const draft = await draftFrom(context, options);
    const form = await formFor(context, draft, options.file === undefined);
    return throughForm(context, form, async (approver, wasAsked) => {
      const plan = await planStore(context, checked(draft), {
        approver,
        asWritten: options.accountAsWritten,
      });
      const pass = await admit(context, plan.step, approver);
      const { value, notes } = await storePayoutMethod(context, pass, plan);
      const same = wasAsked()
        ? sameCommand(context, argvOf(draft), { 'account-as-written': plan.isAsWritten })
        : [];
      return result(payoutMethodView, value, { notes: [...notes, ...same] });
    });
  },
});

type Draft = PayoutMethodWrite & { details: Record<string, unknown> };

async function draftFrom(context: Context, { file, type, details, metadata }: CreateOptions): Promise<Draft> {
  const read = file === undefined ? {} : await parseTextFile(await readTextFile(context.world, file), file);
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
  const { methodForm } = await import('../../ask/method-form.ts');
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
