import { isUuid } from '../../core/ids.ts';
import { gt } from '../../core/money.ts';
import { discover, isDiscovery } from '../rules/discovery.ts';
import { isPlain } from '../rules/reading.ts';
import { parseTransaction, type TransactionDraft, type TransactionReading } from '../rules/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, TransactionRecord } from '../store/records.ts';
import { awaitFunds, storeTransaction } from '../transitions/create.ts';
import { fundFromBalance } from '../transitions/funding.ts';
import { isGood, mandateFor } from '../transitions/mandate.ts';
import { draftJson, transactionJson } from '../views/transaction.ts';
import { tooLittle } from './debits.ts';
import { type Answer, absent, badRequest, created, type Handler, ok, refused } from './handler.ts';
import { listAnswer, windowOf } from './paging.ts';
import { storeSender } from './senders.ts';

/** @assumes manual-transactions */
export const listTransactions: Handler = (sandbox, { query }) => {
  const window = windowOf(query);
  const view = (row: TransactionRecord) => transactionJson(sandbox, row);
  const externalId = query.get('external_id');
  const senderId = query.get('sender_id') || undefined;
  if (senderId !== undefined && !isUuid(senderId)) return badRequest;
  const kind = query.get('transactions_type');
  if (kind && kind !== 'automated' && kind !== 'manual') return badRequest;
  /* The operator's staff enters no transactions here: all are automated. */
  if (kind === 'manual') return listAnswer({ rows: [], total: 0 }, window, view);
  if (externalId === null) {
    return listAnswer(sandbox.store.transactions.page({ senderId }, window), window, view);
  }
  const found = sandbox.store.transactions.byExternalId(externalId);
  const rows = found && (senderId === undefined || found.senderId === senderId) ? [found] : [];
  return listAnswer({ rows: window.page === 1 ? rows : [], total: rows.length }, window, view);
};

export const getTransaction: Handler = (sandbox, { id }) => {
  if (!isUuid(id)) return badRequest;
  const transaction = sandbox.store.transactions.get(id);
  return transaction ? ok(transactionJson(sandbox, transaction)) : absent;
};

export const createTransaction: Handler = (sandbox, { body }) => {
  const sent = sentTransaction(body);
  const existing = sameExternalId(sandbox, sent);
  if (existing) return taken(sandbox, sent, existing);
  const reading = parseTransaction(sandbox, sent);
  if (!reading.draft) return refused(reading.refused());
  const transaction = storeTransaction(sandbox, reading.draft, storeSender(sandbox, reading.draft.sender));
  awaitFunds(sandbox, transaction);
  return created(transactionJson(sandbox, transaction));
};

/** Keeps nothing, and takes an `external_id` that was used before: only amounts and rates are asked for. */
export const calculateTransaction: Handler = (sandbox, { body }) => {
  const reading = parseTransaction(sandbox, sentTransaction(body));
  return reading.draft ? ok(draftJson(reading.draft)) : refused(reading.refused());
};

/**
 * Creates nothing, but begins the signing of a mandate (docs/wire.md 10). Payin methods come back with an `errors`
 * each: empty where the flow is open.
 */
export const validateTransaction: Handler = (sandbox, { body }) => {
  const sent = sentTransaction(body);
  const existing = sameExternalId(sandbox, sent);
  if (existing) return taken(sandbox, sent, existing);
  if (isDiscovery(sent)) {
    const { object, refused: isRefused } = discover(sent);
    return isRefused ? refused(object) : ok(object);
  }
  const reading = parseTransaction(sandbox, sent, { payinsMayFail: true });
  if (!reading.draft) return refused(reading.refused());
  const waiting = unsignedMandate(sandbox, reading.draft);
  if (waiting) {
    const errors = { base: [{ error: waiting }], main_error: [{ error: waiting }] };
    return refused({ ...draftJson(reading.draft), errors });
  }
  return ok({ ...draftJson(reading.draft), payin_methods: reading.payinAnswers() });
};

/** A sentence about the first mandate that is not signed; null when nothing is in the way. */
function unsignedMandate(sandbox: SandboxState, { recipients }: TransactionDraft): string | null {
  for (const { kind, payout } of recipients) {
    if (!payout.corridor) continue;
    const mandate = mandateFor(sandbox, { corridor: payout.corridor, kind, details: payout.details });
    if (!mandate || isGood(mandate)) continue;
    return mandate.status === 'failed'
      ? 'the signing of the mandate failed to start: try again'
      : 'the signing of the mandate is in progress';
  }
  return null;
}

/** Creates and pays in one step, without a look at the rate. So the balance and the `external_id` are checked before anything is made. */
export const createAndFund: Handler = (sandbox, { body }) => {
  const sent = sentTransaction(body);
  const existing = sameExternalId(sandbox, sent);
  if (existing) return taken(sandbox, sent, existing);
  const reading = parseTransaction(sandbox, sent);
  const { draft } = reading;
  checkFundable(sandbox, reading);
  if (!draft || reading.problems.any) return refused(reading.refused());
  const transaction = storeTransaction(sandbox, draft, storeSender(sandbox, draft.sender));
  fundFromBalance(sandbox, transaction, `debit:${transaction.id}`);
  return created(transactionJson(sandbox, transaction));
};

/** @assumes create-and-fund-approved */
function checkFundable(sandbox: SandboxState, { draft, problems }: TransactionReading): void {
  if (!draft) return;
  if (draft.externalId === null) problems.add('external_id', 'blank');
  if (draft.payins.length > 0) problems.add('payin_methods', 'invalid').say('it is funded from the balance');
  const { existing } = draft.sender;
  const isApproved = existing ? existing.state === 'approved' : sandbox.settings.kyc === 'waived';
  if (!isApproved) problems.add('sender.state', 'invalid').say('the sender is not approved yet');
  if (gt(draft.inputAmount, sandbox.ledger.balance('wallet', draft.inputCurrency))) {
    tooLittle(sandbox, draft.inputCurrency, problems);
  }
}

function sentTransaction(body: Plain): Plain {
  return isPlain(body.transaction) ? body.transaction : {};
}

function sameExternalId(sandbox: SandboxState, { external_id }: Plain): TransactionRecord | undefined {
  const text = typeof external_id === 'number' ? String(external_id) : external_id;
  return typeof text === 'string' ? sandbox.store.transactions.byExternalId(text) : undefined;
}

/**
 * Before any other rule: the caller may be asking whether its first try arrived.
 * @assumes refused-external-id
 */
function taken(sandbox: SandboxState, sent: Plain, existing: TransactionRecord): Answer {
  return refused(
    { ...sent, errors: { external_id: [{ error: 'taken' }] } },
    { existing: { transaction: transactionJson(sandbox, existing) } },
  );
}
