/** Writes that move money, as methods: each as a journal keeps it, so that its plan can be made again after a crash. */
import { readTransaction } from '../../client/debit-plan.ts';
import { RequestError } from '../../client/errors.ts';
import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import { getPayoutMethod } from '../../contract/operations/payout-methods.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import type * as Public from '../client-types.ts';
import { accountOptions, currentValues, refuseEmptyEdit } from './check-options.ts';
import { refuseWrongPayin, refuseWrongPayout } from './details.ts';
import type { WriteMoney } from './money.ts';
import { type PaymentWrites, paymentWrites } from './payments.ts';
import { readRecord, type Scope, termsOf } from './scope.ts';
import type { Payer } from './within.ts';

type Of<Group extends keyof Public.PartnerClient> = Public.PartnerClient[Group];

export interface MoneyWrites extends PaymentWrites {
  cancelRecipient: Of<'recipients'>['cancel'];
  editRecipient: Of<'recipients'>['edit'];
  editPayoutMethod: Of<'payoutMethods'>['edit'];
  editPayinMethod: Of<'payinMethods'>['edit'];
  retryPayinMethod: Of<'payinMethods'>['retry'];
  cancelPayinMethod: Of<'payinMethods'>['cancel'];
}

/**
 * The record that a write names is read before the write is sent. A 404 to the write, or to the look after it, is
 * then known to come from something in front of the service (docs/rules.md 1). An unknown id is refused by
 * that read, and no intent is written.
 */
export function moneyWrites(payer: Payer): MoneyWrites {
  const { scope, write } = payer;
  return {
    ...paymentWrites(payer),
    ...recipientWrites(scope, write),
    ...methodWrites(scope, write),
  };
}

function recipientWrites(
  scope: Scope,
  write: WriteMoney,
): Pick<MoneyWrites, 'cancelRecipient' | 'editRecipient'> {
  return {
    async cancelRecipient(named, options) {
      const ids = idsOf('recipients.cancel', named);
      await recipientOf(scope, 'recipients.cancel', ids, options);
      return write(
        {
          asked: { plan: 'cancel', ...ids },
          subject: ids.recipientId,
          transactionId: ids.transactionId,
          summary: 'cancel a recipient',
        },
        options,
      );
    },
    async editRecipient(named, changes, given) {
      const { accountsAsWritten, ...options } = accountOptions(given);
      const ids = idsOf('recipients.edit', named);
      refuseEmptyEdit('recipients.edit', changes);
      const found = await recipientOf(scope, 'recipients.edit', ids, options);
      const details = changes.payout_method?.details ?? {};
      const current = found.payout_method?.details ?? {};
      const before = currentValues(current, details);
      const kind = found.type === 'business' ? 'business' : 'person';
      const type = found.payout_method?.type;
      const change = { type, kind, details, standing: current, at: 'payout_method.details' } as const;
      await refuseWrongPayout('recipients.edit', change, { accountsAsWritten, ...scope.account });
      return write(
        {
          asked: { plan: 'edit', ...ids, recipient: changes, before },
          subject: ids.recipientId,
          transactionId: ids.transactionId,
          summary: `change ${Object.keys(details).join(', ') || 'the metadata'} of a recipient`,
        },
        options,
      );
    },
  };
}

function methodWrites(scope: Scope, write: WriteMoney) {
  return {
    async editPayoutMethod(id, details, given) {
      const { accountsAsWritten, ...options } = accountOptions(given);
      refuseEmptyEdit('payout_methods.edit', details);
      const found = await readRecord(scope, getPayoutMethod, { payout_method_id: id }, termsOf(options));
      const before = currentValues(found.details ?? {}, details);
      const change = { type: found.type, details, standing: found.details ?? {}, at: '' };
      await refuseWrongPayout('payout_methods.edit', change, { accountsAsWritten, ...scope.account });
      const summary = `change ${Object.keys(details).join(', ')} of a payout method`;
      const asked = { plan: 'payout_method_edit', payoutMethodId: id, details, before } as const;
      return write({ asked, subject: id, summary }, options);
    },
    async editPayinMethod(id, details, given) {
      const { accountsAsWritten, ...options } = accountOptions(given);
      refuseEmptyEdit('payin_methods.edit', details);
      const found = await readRecord(scope, getPayinMethod, { payin_method_id: id }, termsOf(options));
      const before = currentValues(found.in_details ?? {}, details);
      const { type, ux_flow } = found;
      const change = { type, ux_flow, details, standing: found.in_details ?? {}, at: '' };
      refuseWrongPayin('payin_methods.edit', change, { accountsAsWritten, ...scope.account });
      const summary = `change ${Object.keys(details).join(', ')} of a collection`;
      const asked = { plan: 'payin_method_edit', payinMethodId: id, details, before } as const;
      return write({ asked, subject: id, summary }, options);
    },
    async retryPayinMethod(id, options) {
      await readRecord(scope, getPayinMethod, { payin_method_id: id }, termsOf(options));
      const asked = { plan: 'payin_method_retry', payinMethodId: id } as const;
      return write({ asked, subject: id, summary: 'collect again' }, options);
    },
    async cancelPayinMethod(id, options) {
      await readRecord(scope, getPayinMethod, { payin_method_id: id }, termsOf(options));
      const asked = { plan: 'payin_method_cancel', payinMethodId: id } as const;
      return write({ asked, subject: id, summary: 'cancel a collection' }, options);
    },
  } satisfies Partial<MoneyWrites>;
}

/** @throws RequestError; nothing was sent */
function idsOf(
  operation: string,
  named: Public.RecipientNamed,
): { recipientId: string; transactionId: string } {
  const { id, transaction_id: transactionId } = named ?? {};
  const problems = Object.entries({ id, transaction_id: transactionId })
    .filter(([, value]) => typeof value !== 'string' || value === '')
    .map(([path]) => ({ path, message: 'is missing: a recipient is read through its transaction' }));
  if (problems.length > 0 || !id || !transactionId) throw new RequestError(operation, problems);
  return { recipientId: id, transactionId };
}

async function recipientOf(
  scope: Scope,
  operation: string,
  { recipientId, transactionId }: { recipientId: string; transactionId: string },
  options?: Public.MoneyOptions,
): Promise<Recipient> {
  const { recipients } = await readTransaction(scope.client(termsOf(options)), transactionId);
  const found = recipients?.find(({ id }) => id === recipientId);
  if (found !== undefined) return found;
  throw new RequestError(operation, [{ path: 'id', message: 'is no recipient of this transaction' }]);
}
