import { roundFor } from '../../core/currency.ts';
import { eq } from '../../core/money.ts';
import { type PayoutReading, readPayout, servesKind } from '../rules/payout.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, plainAmount, readMap } from '../rules/reading.ts';
import { refusedRecipient } from '../rules/recipient.ts';
import { readKind } from '../rules/sender.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, RecipientRecord } from '../store/records.ts';
import { applyCancel as cancel } from '../transitions/cancel.ts';
import { applyRecipientEdit as edit } from '../transitions/edit.ts';
import { transactionOf } from '../transitions/moves.ts';
import { payoutMethodJson } from '../views/payout-method.ts';
import { permissionsOf, recipientJson } from '../views/recipient.ts';
import { type Answer, absent, badRequest, type Handler, ok, refused } from './handler.ts';
import { listAnswer, listsOf, queryPeriod, windowOf } from './paging.ts';

export const listRecipients: Handler = (sandbox, { query }) => {
  const period = queryPeriod(query);
  const amountFrom = amountOf(query.get('amount_from'));
  const amountTo = amountOf(query.get('amount_to'));
  const read = listsOf(query, ['state', 'currency']);
  if ('answer' in read) return read.answer;
  const { state: states, currency: inputCurrencies } = read.lists;
  const byAmount = amountFrom !== undefined || amountTo !== undefined;
  /* An amount says nothing without its currency. */
  if (!period || amountFrom === null || amountTo === null || (byAmount && !inputCurrencies))
    return badRequest;
  const window = windowOf(query);
  const filter = { ...period, states, inputCurrencies, amountFrom, amountTo };
  return listAnswer(sandbox.store.recipients.page(filter, window), window, (row) => view(sandbox, row));
};

function amountOf(text: string | null): string | undefined | null {
  return text === null || text === '' ? undefined : plainAmount(text);
}

export const cancelRecipient: Handler = (sandbox, { id }) => {
  const recipient = sandbox.store.recipients.get(id);
  if (!recipient) return absent;
  if (cancel(sandbox, recipient) === null) return ok(view(sandbox, recipient));
  return refusal(sandbox, recipient, new Problems().say('the recipient is already paid'));
};

/** Files that were uploaded once the payout was made; none before. */
export const listProofs: Handler = (sandbox, { id }) => {
  const recipient = sandbox.store.recipients.get(id);
  if (!recipient) return absent;
  const address = (proofId: string) => `${sandbox.origin}/files/proofs/${proofId}`;
  return ok(
    recipient.proofs.map(({ id: proofId, fileName }) => ({
      id: proofId,
      file_name: fileName,
      url: address(proofId),
      thumbnail: address(proofId),
    })),
  );
};

/** Only what is sent changes: details are merged one by one, metadata is replaced. */
export const editRecipient: Handler = (sandbox, { id, body }) => {
  const recipient = sandbox.store.recipients.get(id);
  if (!recipient) return absent;
  if (!isPlain(body.recipient))
    return refusal(sandbox, recipient, new Problems().say('the body has no recipient'));
  if (!permissionsOf(recipient).editable) {
    return refusal(
      sandbox,
      recipient,
      new Problems().say(`a recipient in state ${recipient.state} cannot be edited now`),
    );
  }
  const merged = merge(recipient, body.recipient);
  const problems = new Problems();
  const kind = readKind(merged.type, 'type', problems);
  const metadata = readMap(merged.metadata, 'metadata', problems);
  const reading = readMethod(sandbox, recipient, merged, problems);
  if (reading?.draft && !servesKind(reading.draft.corridor, kind)) problems.add('type', 'invalid');
  checkFixed(recipient, body.recipient, problems);
  if (!reading?.draft || problems.any) {
    const object = { ...view(sandbox, recipient), ...merged };
    return refused(refusedRecipient(sandbox, object, kind, reading, problems));
  }
  const { details, metadata: payoutMetadata } = reading.draft;
  const redirects = kind !== recipient.type || JSON.stringify(details) !== JSON.stringify(recipient.details);
  edit(sandbox, recipient, { type: kind, details, payoutMetadata, metadata, redirects });
  return ok(view(sandbox, recipient));
};

function merge(recipient: RecipientRecord, sent: Plain): Plain {
  const method = payoutMethodJson(recipient);
  const sentMethod = sent.payout_method;
  const sentDetails = isPlain(sentMethod) ? sentMethod.details : undefined;
  return {
    type: sent.type ?? recipient.type,
    metadata: sent.metadata === undefined ? recipient.metadata : sent.metadata,
    payout_method:
      sentMethod === undefined || isPlain(sentMethod)
        ? {
            ...method,
            ...sentMethod,
            id: method.id,
            details: isPlain(sentDetails)
              ? { ...recipient.details, ...sentDetails }
              : (sentDetails ?? recipient.details),
          }
        : sentMethod,
  };
}

function readMethod(
  sandbox: SandboxState,
  recipient: RecipientRecord,
  merged: Plain,
  problems: Problems,
): PayoutReading | null {
  const method = merged.payout_method;
  if (!isPlain(method)) {
    problems.add('payout_method', 'invalid');
    return null;
  }
  const reading = readPayout(sandbox, method, merged.type === 'business' ? 'business' : 'person');
  if (method.type !== recipient.payoutType) reading.problems.add('type', 'invalid');
  problems.nest('payout_method', reading.problems);
  return reading;
}

/** The amount was agreed with the rate: another one needs another transaction. @assumes edit-keeps-amounts */
function checkFixed(recipient: RecipientRecord, sent: Plain, problems: Problems): void {
  const amount = plainAmount(sent.requested_amount);
  const other =
    amount === null || !eq(roundFor(recipient.requestedCurrency, amount), recipient.requestedAmount);
  if (!isBlank(sent.requested_amount) && other) problems.add('requested_amount', 'invalid');
  if (!isBlank(sent.requested_currency) && sent.requested_currency !== recipient.requestedCurrency) {
    problems.add('requested_currency', 'invalid');
  }
}

function view(sandbox: SandboxState, recipient: RecipientRecord): Plain {
  return recipientJson(recipient, transactionOf(sandbox, recipient));
}

function refusal(sandbox: SandboxState, recipient: RecipientRecord, problems: Problems): Answer {
  return refused({ ...view(sandbox, recipient), errors: problems.wire });
}
