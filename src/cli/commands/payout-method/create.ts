/**
 * Stores a payout method. No money moves, so no intent is kept; where the answer is lost the stored ones are looked through,
 * and it is not sent a second time: that could store it twice.
 */
import type { Client } from '../../../client/client.ts';
import { detailDifferences } from '../../../client/compare.ts';
import type { Looked } from '../../../client/outcome.ts';
import { pages } from '../../../client/pages.ts';
import { readsOtherwise } from '../../../client/resource-plans.ts';
import { createPayoutMethod, listPayoutMethods } from '../../../contract/operations/payout-methods.ts';
import {
  type PayoutMethod,
  type PayoutMethodWrite,
  payoutMethodWrite,
} from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import { partyOf, refuseUnknownDetails, refuseWrongAccounts } from '../../../desk/payments/details.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { plainWrite } from '../../../desk/payments/plain-write.ts';
import { methodLine } from '../../../desk/words/payment-lines.ts';
import { inRounds } from '../../ask/rounds.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagMany, flagText } from '../../flags/flag.ts';
import { readPairs } from '../../flags/pairs.ts';
import { readMetadata } from '../../flags/payment.ts';
import { parseTextFile, readTextFile } from '../../flags/text-file.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface CreateOptions {
  file: string | undefined;
  type: string | undefined;
  details: Record<string, string>;
  metadata: Record<string, unknown> | undefined;
}

export { create as command };

const PAGES = 10;

const create = command<CreateOptions>({
  description:
    'A business has a `name` among its details, a person a `last_name`. On a terminal, what is missing is asked.',
  flags: [
    { flags: '-f, --file <path>', summary: 'the payout method as JSON or YAML; - reads standard input' },
    { flags: '--type <type>', summary: 'such as NGN::Bank' },
    { flags: '--detail <name=value>', summary: 'one detail, such as bank_code=044; repeat it', many: true },
    { flags: '--metadata <json>', summary: 'an object of your own to keep with it' },
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
    metadata: readMetadata(flagText(input, 'metadata')),
  }),
  async run(context, options) {
    const method = await bodyOf(context, options);
    const asked = method.details ?? {};
    return inRounds(context, { asked, current: {}, wasAsked: false }, (details) =>
      store(context, { ...method, details }),
    );
  },
});

async function store(context: Context, method: PayoutMethodWrite): Promise<Result> {
  const { type, details = {} } = method;
  await refuseUnknownDetails(type, partyOf(details), details, 'details');
  await refuseWrongAccounts({ type, kind: partyOf(details), details, path: 'details' });
  const pass = await admit(
    context,
    { effect: 'write', what: [`store ${methodLine(method, context.mask)}`] },
    context.approver,
  );
  const expect = ({ object }: { object: PayoutMethod }) =>
    object.id && object.type === method.type
      ? readsOtherwise(detailDifferences(method.details ?? {}, object.details ?? {}))
      : 'the answer is not the payout method that was asked for';
  const written = await plainWrite<PayoutMethod>(context, pass, {
    send: async (client) =>
      (await client.call(createPayoutMethod, { body: { payout_method: method }, expect })).object,
    look: (client) => look(client, method),
    repeatable: false,
    next: `remit payout-method list --type ${method.type}`,
  });
  return result(payoutMethodView, written.value, { notes: written.notes });
}

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

async function look(client: Client, method: PayoutMethodWrite): Promise<Looked<PayoutMethod>> {
  const query = { type: [method.type ?? ''], state: ['enabled'], per: 100 };
  let looked = 0;
  for await (const page of pages(client, listPayoutMethods, { query })) {
    const value = page.find((one) => detailDifferences(method.details ?? {}, one.details ?? {}).length === 0);
    if (value) return { kind: 'applied', value };
    if (++looked >= PAGES) break;
  }
  return { kind: 'absent' };
}
