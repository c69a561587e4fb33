import { type PayoutMethodWrite, payoutMethodWrite } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import { planStore, storePayoutMethod } from '../../../desk/directory/payout-method.ts';
import { partyOf } from '../../../desk/payments/details.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { inRounds } from '../../ask/rounds.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagMany, flagText } from '../../flags/flag.ts';
import { metadataFlag, readMetadata } from '../../flags/metadata.ts';
import { readPairs } from '../../flags/pairs.ts';
import { parseTextFile, readTextFile } from '../../flags/text-file.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface CreateOptions {
  file: string | undefined;
  type: string | undefined;
  details: Record<string, string>;
  metadata: Record<string, unknown> | undefined;
}

export { create as command };

const create = command<CreateOptions>({
  description:
    'The details of a business have a `name`, those of a person a `last_name`. On a terminal, remit asks for what is missing.',
  flags: [
    { flags: '-f, --file <path>', summary: 'the payout method as JSON or YAML; - reads standard input' },
    { flags: '--type <type>', summary: 'such as NGN::Bank' },
    { flags: '--detail <name=value>', summary: 'one detail, such as bank_code=044; repeat it', many: true },
    metadataFlag(),
  ],
  shows: [payoutMethodView],
  effect: 'write',
  examples: [
    'remit payout-method create --type NGN::Bank --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit payout-method create --file method.yaml',
  ],
  read: (input) => ({
    file: flagText(input, 'file'),
    type: flagText(input, 'type'),
    details: readPairs(flagMany(input, 'detail'), '--detail'),
    metadata: readMetadata(input),
  }),
  async run(context, options) {
    const method = await bodyOf(context, options);
    const asked = method.details ?? {};
    return inRounds(context, { asked, current: {}, wasAsked: false }, async (details) => {
      const plan = await planStore(context, { ...method, details });
      const pass = await admit(context, plan.step, context.approver);
      const { value, notes } = await storePayoutMethod(context, pass, plan);
      return result(payoutMethodView, value, { notes });
    });
  },
});

async function bodyOf(context: Context, options: CreateOptions): Promise<PayoutMethodWrite> {
  const { file, type, details, metadata } = options;
  const read = file === undefined ? {} : await parseTextFile(await readTextFile(context.world, file), file);
  const base = (typeof read.payout_method === 'object' ? read.payout_method : read) as PayoutMethodWrite;
  const draft: PayoutMethodWrite = {
    metadata: {},
    ...base,
    ...(type === undefined ? {} : { type }),
    ...(metadata === undefined ? {} : { metadata }),
    details: { ...base.details, ...details },
  };
  if (context.interactive && file === undefined) await complete(context, draft);
  if (draft.type === undefined) throw usage('the type is missing', 'such as --type NGN::Bank');
  if (Object.keys(draft.details ?? {}).length === 0)
    throw usage('no detail was given', 'name each: --detail bank_account=0123456789');
  const checked = payoutMethodWrite.safeParse(draft);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw usage(`payout method ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit'}`);
}

/** On a terminal, what the flags leave open is asked: all of it, or what is required where something was given. */
async function complete(context: Context, draft: PayoutMethodWrite): Promise<void> {
  const { askOpenDetails, askType } = await import('../../ask/details.ts');
  draft.type ??= await askType(context);
  const details = draft.details ?? {};
  draft.details = await askOpenDetails(context, { type: draft.type, kind: partyOf(details), details });
}
