/** Finds out what became of writes that a process left behind, from the journal alone. */

import { claimOfWhole } from '../../client/bound.ts';
import type { Client } from '../../client/client.ts';
import { readTransaction } from '../../client/debit-plan.ts';
import { settleIntent } from '../../client/settle-intent.ts';
import { type Intent, type Intents, isUnsettled, UNSETTLED } from '../../client/store/port.ts';
import { type AskedWrite, isPlanned } from '../../client/writes.ts';
import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import { getPayoutMethod } from '../../contract/operations/payout-methods.ts';
import { accountRelation } from '../../core/account.ts';
import type * as Public from '../client-types.ts';
import { IntentError } from './errors.ts';
import { roundingOf, told } from './money.ts';
import { applied, outcomeOf, unknown } from './outcome.ts';
import type { Scope } from './scope.ts';
import type { UnderWay } from './under-way.ts';

type SettledRecord = Public.Transaction | Public.Recipient | Public.PayoutMethod | Public.PayinMethod;
type Settled = Promise<Public.Outcome<SettledRecord>>;
type Settle = Public.PartnerClient['settle'];

/** `settle` answers the caller; `settleCreation` a write that pays what it finds created. */
export function settlingOf(
  scope: Scope,
  underWay: UnderWay,
): Pick<Public.PartnerClient, 'unsettled' | 'settle'> & { settleCreation: Settle } {
  const { intents, account } = scope;
  const settle: Settle = (intent, options = {}) => {
    const id = typeof intent === 'string' ? intent : intent.id;
    const name = [account.baseUrl, account.keyPrint, id].join(' ');
    return together(intents, name, () => settleOne(scope, underWay, id, options));
  };
  return {
    async unsettled() {
      const open = await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER });
      const joins = await intents.joins();
      return open.flatMap(({ request, ...intent }) =>
        request !== undefined && accountRelation(account, intent, joins) !== 'other'
          ? [{ ...intent, request, underWay: underWay.has(intent) }]
          : [],
      );
    },
    async settle(intent, options) {
      return ofWhole(await settle(intent, options));
    },
    settleCreation: settle,
  };
}

/** Applied is for a payment that is paid, where it was meant to be: one that was made and not debited is not. */
function ofWhole(settled: Awaited<Settled>): Awaited<Settled> {
  if (settled.outcome !== 'applied') return settled;
  const { record, how, outcome: _, ...journalled } = settled;
  const claimed = claimOfWhole(settled.intent, { kind: 'applied', how: 'found', value: record });
  if (claimed.kind === 'applied') return settled;
  if (claimed.kind === 'unknown')
    return {
      ...unknown(`made, not paid: transaction ${record.id} was created and is not funded`),
      ...journalled,
    };
  return { ...outcomeOf(claimed), ...journalled };
}

/** The intents that this process is settling now, by journal: a service may have several clients on one journal. */
const settling = new WeakMap<Intents, Map<string, Settled>>();

/** A second caller during the settling gets the same answer: it is not sent twice. */
function together(intents: Intents, name: string, settle: () => Settled): Settled {
  const running = settling.get(intents) ?? new Map<string, Settled>();
  settling.set(intents, running);
  const begun = running.get(name) ?? settle();
  running.set(name, begun);
  const forget = (): unknown => running.delete(name);
  begun.then(forget, forget);
  return begun;
}

async function settleOne(
  scope: Scope,
  underWay: UnderWay,
  id: string,
  { look = false, ...terms }: Public.SettleOptions,
): Settled {
  const intent = await intentOf(scope, id);
  const client = scope.client(terms);
  if (!isUnsettled(intent)) return { ...(await readResult(client, intent)), intent };
  if (underWay.has(intent))
    return { ...unknown('another process may still be at it: settle it later'), intent };
  const { request } = intent;
  if (request === undefined || !isPlanned(request))
    return {
      ...unknown(
        'this journal does not say how to look for it: find out at the service, and record it by intents.close',
      ),
      intent,
    };
  const kept = { ...intent, request };
  const settling = { intent: kept, account: scope.account, mode: look ? 'look' : 'send' } as const;
  const {
    intent: closed,
    unrecorded,
    ...outcome
  } = await settleIntent<SettledRecord>(client, scope.intents, settling);
  underWay.end(intent, unrecorded);
  return told(scope, {
    ...outcomeOf(outcome),
    ...roundingOf(JSON.parse(request) as AskedWrite),
    intent: closed,
    ...(unrecorded === undefined ? {} : { unrecorded }),
  });
}

/** @throws IntentError for an intent that is not here, or is not of this account */
async function intentOf({ intents, account }: Scope, id: string): Promise<Intent> {
  const intent = await intents.get(id);
  if (intent === undefined)
    throw new IntentError('not_found', id, `there is no intent ${id} in this journal`);
  if (accountRelation(account, intent, await intents.joins()) === 'other')
    throw new IntentError('other_account', id, `intent ${id} is of another account`);
  return intent;
}

/** Reads the outcome of a write that is over from the journal, with the record as it stands now. */
async function readResult(client: Client, intent: Intent): Promise<Public.PlainOutcome<SettledRecord>> {
  const { state, note } = intent;
  if (state !== 'applied') {
    const why = note ?? 'it was not applied';
    return { outcome: 'not_applied', why, error: undefined, conflict: undefined };
  }
  const record = await recordOf(client, intent);
  if (record !== undefined) return applied(record, 'earlier');
  return {
    outcome: 'unknown',
    why: 'by the journal it was applied, and it cannot be read',
    error: undefined,
  };
}

async function recordOf(client: Client, intent: Intent): Promise<SettledRecord | undefined> {
  const { operation, resultId, subject, transactionId } = intent;
  const id = resultId ?? subject;
  if (id === undefined) return undefined;
  const [resource] = operation.split('.', 1);
  if (resource === 'transactions' || resource === 'debits') return readTransaction(client, id);
  if (resource === 'payout_methods')
    return (await client.call(getPayoutMethod, { path: { payout_method_id: id } })).object;
  if (resource === 'payin_methods')
    return (await client.call(getPayinMethod, { path: { payin_method_id: id } })).object;
  if (resource !== 'recipients' || transactionId === undefined) return undefined;
  const { recipients } = await readTransaction(client, transactionId);
  return recipients?.find((one) => one.id === id);
}
