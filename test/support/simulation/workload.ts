/** Does what an operation says, through the project's client and its plans; what the operator does, by the sandbox's controls. */
import type { Client } from '../../../src/client/client.ts';
import { isCallError } from '../../../src/client/errors.ts';
import type { WritePlan } from '../../../src/client/outcome.ts';
import { carryOut, type Outcome } from '../../../src/client/outcome.ts';
import { type AskedWrite, writePlanOf } from '../../../src/client/writes.ts';
import { createDebits } from '../../../src/contract/operations/accounts.ts';
import { forcePayin, forcePayout } from '../../../src/contract/operations/transactions.ts';
import { type Book, collectionBody, type Entry, transactionBody } from './book.ts';
import type { Json } from './look.ts';
import type { Kind, Operation } from './operations.ts';
import { others } from './other-operations.ts';
import type { Stage } from './stage.ts';

export interface Doing {
  operation: Operation;
  client: Client;
  stage: Stage;
  book: Book;
}

export type Do = (doing: Doing) => Promise<unknown>;

/** Failures of a call are part of life here; anything else is a defect. */
export async function tolerant(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isCallError(error)) throw error;
  }
}

const write = (client: Client, asked: AskedWrite): Promise<Outcome<Json>> =>
  carryOut(writePlanOf(client, asked) as WritePlan<unknown> as WritePlan<Json>);

async function create(doing: Doing, asked: Entry['asked'], fund: boolean): Promise<void> {
  const { book, operation, client } = doing;
  const outcome = await write(client, { plan: 'create', transaction: asked, fund });
  if (outcome.kind !== 'applied') return;
  const entry = book.note(operation.partner, asked, outcome.value);
  if (entry && fund) doing.stage.auditor.witness.claims(entry.id, 'applied', false);
}

async function fund({ client, stage }: Doing, { id, inputAmount, inputCurrency }: Entry): Promise<void> {
  const wasFunded = stage.auditor.model.isFunded(id);
  const debit = { to_id: id, to_type: 'Transaction' as const, amount: inputAmount, currency: inputCurrency };
  const { kind } = await write(client, { plan: 'debit', debit });
  stage.auditor.witness.claims(id, kind, wasFunded);
}

async function cancel({ client }: Doing, entry: Entry, all = false): Promise<void> {
  for (const { id } of all ? entry.recipients : entry.recipients.slice(0, 1)) {
    await write(client, { plan: 'cancel', recipientId: id, transactionId: entry.id });
  }
}

/** Does nothing where the partner knows no such thing yet. */
const onEntry =
  (work: (doing: Doing, entry: Entry) => Promise<unknown>, fits?: (entry: Entry) => boolean): Do =>
  async (doing) => {
    const entry = doing.book.choose(doing.operation, fits);
    if (entry) await work(doing, entry);
  };

const isCollection = ({ payins }: Entry): boolean => payins.length > 0;
const isPayment = (entry: Entry): boolean => !isCollection(entry);

const payin = (work: (doing: Doing, payinId: string, entry: Entry) => Promise<unknown>): Do =>
  onEntry((doing, entry) => work(doing, entry.payins[0]?.id ?? '', entry), isCollection);

const money: Partial<Record<Kind, Do>> = {
  create: (doing) => create(doing, transactionBody(doing.operation, nextId(doing)), false),
  pay: (doing) => create(doing, transactionBody(doing.operation, nextId(doing)), true),
  collect: (doing) => create(doing, collectionBody(doing.operation, nextId(doing)), false),
  fund: onEntry(fund, isPayment),
  async fund_many({ book, client, operation }) {
    const debit = book
      .several(operation, 3)
      .map(({ id }) => ({ to_id: id, to_type: 'Transaction' as const }));
    if (debit.length > 0) await client.call(createDebits, { body: { debit } });
  },
  fund_again: onEntry(async (doing, entry) => {
    await fund(doing, entry);
    await fund(doing, entry);
  }, isPayment),
  fund_and_cancel: onEntry(
    ({ operation, ...rest }, entry) =>
      atOnce(
        operation.pick,
        () => fund({ operation, ...rest }, entry),
        () => cancel({ operation, ...rest }, entry, true),
      ),
    isPayment,
  ),
  cancel: onEntry((doing, entry) => cancel(doing, entry, doing.operation.pick > 0.5)),
  cancel_twice: onEntry(async (doing, entry) => {
    await cancel(doing, entry);
    await cancel(doing, entry);
  }),
  cancel_against_success: onEntry((doing, entry) =>
    atOnce(
      doing.operation.pick,
      () => cancel(doing, entry),
      () => success(doing, entry),
    ),
  ),
  edit: onEntry(edit),
  repeat: onEntry((doing, { asked }) => create(doing, asked, doing.operation.pick > 0.2)),
  repeat_otherwise: onEntry((doing, { asked }) => {
    const recipients = asked.recipients.map((each) => ({ ...each, requested_amount: '7.00' }));
    return create(doing, { ...asked, recipients }, true);
  }),
  force_payout: onEntry(({ client }, { id }) => client.call(forcePayout, { path: { transaction_id: id } })),
  force_payin: onEntry(async ({ client }, { id, payins: [first] }) => {
    const body = { payin_method: { type: first?.type ?? '' } };
    await client.call(forcePayin, { path: { transaction_id: id }, body });
  }, isCollection),
  payin_retry: payin(({ client }, payinMethodId) =>
    write(client, { plan: 'payin_method_retry', payinMethodId }),
  ),
  payin_edit: payin(({ client, operation }, payinMethodId) =>
    write(client, { plan: 'payin_method_edit', payinMethodId, details: { otp: operation.word }, before: {} }),
  ),
  payin_cancel: payin(({ client }, payinMethodId) =>
    write(client, { plan: 'payin_method_cancel', payinMethodId }),
  ),
};

const nextId = ({ book, operation }: Doing): string => book.nextExternalId(operation.partner);

/** Both begin before either is answered, in the order that the operation says. */
async function atOnce(
  pick: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  const [first, second] = pick > 0.3 ? [one, other] : [other, one];
  await Promise.all([tolerant(first), tolerant(second)]);
}

/** The provider says that it paid, or the sandbox is told to let it. */
async function success(
  { operation, client, stage }: Doing,
  { id, recipients: [first] }: Entry,
): Promise<void> {
  if (operation.word === 'word')
    await stage.control('sandbox.payouts.answer', first?.id ?? '', { outcome: 'paid' });
  else await client.call(forcePayout, { path: { transaction_id: id } });
}

/** The new number ends as the operation says. */
async function edit(
  { operation, client }: Doing,
  { id: transactionId, asked, recipients }: Entry,
): Promise<void> {
  const at = Math.floor(operation.pick * 100) % recipients.length;
  const recipient = recipients[at];
  const details = asked.recipients[at]?.payout_method.details ?? {};
  const field = 'bank_account' in details ? 'bank_account' : 'phone_number';
  if (!recipient || typeof details[field] !== 'string') return;
  const number = details[field].slice(0, -2) + operation.word;
  const change = { payout_method: { details: { [field]: number } } };
  await write(client, { plan: 'edit', recipientId: recipient.id, transactionId, recipient: change });
}

/** One operation, with its faults, until everything that it set off by itself has come. */
export async function perform(stage: Stage, book: Book, operation: Operation): Promise<void> {
  const { network, arm } = operation;
  const { client, release } = stage.connect(new Map(network ? [[network.request, network.fault]] : []));
  if (arm) await stage.weather.arm(arm);
  const work = money[operation.kind] ?? others[operation.kind];
  if (!work) throw new Error(`nobody does ${operation.kind}`);
  await tolerant(() => work({ operation, client, stage, book }));
  await release();
  await stage.weather.clearCalls();
}
