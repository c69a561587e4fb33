/**
 * Payout methods that are stored on their own, and those of recipients: the latter are listed by `sender_id`, and change
 * with their recipient only. @assumes stored-payout-methods
 */

import { fieldsFor } from '../../contract/corridors/check.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { isUuid } from '../../core/ids.ts';
import { fieldDescriptors, readPayout, refusedMethod } from '../rules/payout.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, isWrapped } from '../rules/reading.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { MandateRecord, PayoutMethodRecord, Plain, RecipientRecord } from '../store/records.ts';
import { isOfThisYear } from '../transitions/mandate.ts';
import { wireTime } from '../views/json.ts';
import { payoutMethodJson, storedMethodJson } from '../views/payout-method.ts';
import { type Answer, absent, badRequest, created, type Handler, ok, refused } from './handler.ts';
import { listAnswer, listsOf, queryPeriod, windowOf } from './paging.ts';

export const listPayoutMethods: Handler = (sandbox, { query }) => {
  const period = queryPeriod(query);
  const senderId = query.get('sender_id') || undefined;
  if (!period || (senderId !== undefined && !isUuid(senderId))) return badRequest;
  const read = listsOf(query, ['state', 'type']);
  if ('answer' in read) return read.answer;
  const window = windowOf(query);
  const filter = { ...period, states: read.lists.state, types: read.lists.type };
  if (senderId === undefined) {
    return listAnswer(sandbox.store.payoutMethods.page(filter, window), window, storedMethodJson);
  }
  const enabled = !filter.states || filter.states.includes('enabled');
  const found = enabled
    ? sandbox.store.recipients.ofSender(senderId, filter, window)
    : { rows: [], total: 0 };
  return listAnswer(found, window, ofRecipient);
};

/** One method by itself has its fields: lists leave them out, since they are long. @assumes fields-of-one */
const whole = (sandbox: SandboxState, method: PayoutMethodRecord): Plain => ({
  ...storedMethodJson(method),
  ...fieldsOf(sandbox, method),
});

function fieldsOf({ book }: SandboxState, { type, kind }: Pick<PayoutMethodRecord, 'type' | 'kind'>): Plain {
  const corridor = book.corridor(type);
  return corridor ? { fields: fieldDescriptors(book, corridor, kind) } : {};
}

function ofRecipient(recipient: RecipientRecord): Plain {
  return { ...payoutMethodJson(recipient), state: 'enabled' };
}

export const getPayoutMethod: Handler = (sandbox, { id }) => {
  const stored = sandbox.store.payoutMethods.get(id);
  if (stored) return ok(whole(sandbox, stored));
  const recipient = sandbox.store.recipients.byPayoutMethod(id);
  return recipient
    ? ok({
        ...ofRecipient(recipient),
        ...fieldsOf(sandbox, { type: recipient.payoutType, kind: recipient.type }),
      })
    : absent;
};

export const createPayoutMethod: Handler = (sandbox, { body }) => {
  const sent = isPlain(body.payout_method) ? body.payout_method : {};
  const problems = new Problems();
  if (!isPlain(body.payout_method)) problems.say('the body has no payout method');
  if (!isBlank(sent.id)) problems.add('id', 'invalid');
  const read = readMethod(sandbox, sent, problems);
  if ('answer' in read) return read.answer;
  const method: PayoutMethodRecord = {
    id: newId(sandbox),
    ...read.method,
    state: 'enabled',
    createdAt: sandbox.clock.now(),
  };
  sandbox.store.payoutMethods.insert(method);
  announce(sandbox, method, 'payout_method.created');
  return created(whole(sandbox, method));
};

/** The body is the bare payout method. Details are merged one by one; the type stays what it is. */
export const editPayoutMethod: Handler = (sandbox, { id, body }) => {
  const method = sandbox.store.payoutMethods.get(id);
  if (!method) return notStored(sandbox, id, 'edit the recipient instead');
  const problems = new Problems();
  if (method.state === 'disabled') problems.say('the payout method is disabled');
  if (isWrapped(body, storedMethodJson(method)))
    problems.say('the body has no member of a payout method: it is sent bare, without a wrapper');
  if (!isBlank(body.type) && body.type !== method.type) problems.add('type', 'invalid');
  const details = isPlain(body.details) ? { ...method.details, ...body.details } : body.details;
  const merged = { ...storedMethodJson(method), ...body, id, details: details ?? method.details };
  const read = readMethod(sandbox, merged, problems);
  if ('answer' in read) return read.answer;
  sandbox.store.payoutMethods.update(method, read.method);
  return ok(whole(sandbox, method));
};

export const disablePayoutMethod: Handler = (sandbox, { id }) => {
  const method = sandbox.store.payoutMethods.get(id);
  if (!method) return notStored(sandbox, id, 'cancel the recipient instead');
  if (method.state === 'enabled') {
    sandbox.store.payoutMethods.update(method, { state: 'disabled' });
    announce(sandbox, method, 'payout_method.disabled');
  }
  return ok(whole(sandbox, method));
};

type Read =
  | { method: Pick<PayoutMethodRecord, 'type' | 'kind' | 'details' | 'metadata'> }
  | { answer: Answer };

/** A business has a `name`, a person does not: the details say which rules hold. */
function readMethod(sandbox: SandboxState, sent: Plain, problems: Problems): Read {
  const kind = kindOf(sandbox, sent);
  const reading = readPayout(sandbox, sent, kind);
  problems.merge(reading.problems);
  const { draft } = reading;
  if (!draft || problems.any) {
    return { answer: refused({ ...refusedMethod(sandbox, sent, kind, reading), errors: problems.wire }) };
  }
  return { method: { type: draft.type, kind, details: draft.details, metadata: draft.metadata } };
}

function kindOf({ book }: SandboxState, { type, details }: Plain): PartyKind {
  const corridor = typeof type === 'string' ? book.corridor(type) : undefined;
  const named = isPlain(details) && !isBlank(details.name) && isBlank(details.last_name);
  return corridor && named && fieldsFor(corridor, 'business').length > 0 ? 'business' : 'person';
}

function notStored(sandbox: SandboxState, id: string, instead: string): Answer {
  const recipient = sandbox.store.recipients.byPayoutMethod(id);
  if (!recipient) return absent;
  const problems = new Problems().say(`the payout method belongs to recipient ${recipient.id}: ${instead}`);
  return refused({ ...ofRecipient(recipient), errors: problems.wire });
}

function announce(
  sandbox: SandboxState,
  method: PayoutMethodRecord,
  event: 'payout_method.created' | 'payout_method.disabled',
): void {
  sandbox.emit(event, { type: 'PayoutMethod', id: method.id, render: () => storedMethodJson(method) });
}

/** Known only once a recipient refers to it, and in the calendar year in which it was issued. */
export const getMandate: Handler = (sandbox, { id }) => {
  const mandate = sandbox.store.mandates.get(id);
  return mandate?.linked && isOfThisYear(sandbox, mandate) ? ok(mandateView(mandate)) : absent;
};

function mandateView(mandate: MandateRecord): Plain {
  return {
    id: mandate.id,
    status: mandate.status,
    type_id: mandate.typeId,
    reference: mandate.reference,
    signed_at: mandate.signedAt === null ? null : wireTime(mandate.signedAt),
    created_at: wireTime(mandate.createdAt),
    updated_at: wireTime(mandate.updatedAt),
  };
}
