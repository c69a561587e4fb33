/** Looks at one record of the service: its state, reason, type, details and times, each against the table that the double is made from. */
import { payinCategories, recipientCategories } from '../../contract/categories.ts';
import { codeInfo, payinCategoryOf, recipientCodes } from '../../contract/codes.ts';
import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { corridorTypes } from '../../contract/corridors/index.ts';
import { payinTypes } from '../../contract/corridors/payins.ts';
import { personalOf } from '../../contract/personal.ts';
import { mandateStatuses } from '../../contract/resources/document.ts';
import { payoutMethodStates } from '../../contract/resources/payment-method.ts';
import { isFailedPayout, isRefundedByItself } from '../../contract/states/money.ts';
import { transactionStateInfo } from '../../contract/states/transaction.ts';
import { AUTO_REFUND_AFTER_MS, FUNDABLE_MS } from '../../contract/timing.ts';
import type { Finding } from './differences.ts';
import { isPlain, type RecordName } from './known-members.ts';
import { hasMachine, machines } from './machines.ts';
import { type Personal, shownAs } from './wire-word.ts';

type Plain = Readonly<Record<string, unknown>>;
type Fact = Omit<Finding, 'within'>;

export interface Looked {
  personal: Personal;
  /** Milliseconds since 1970. */
  at: number;
  /** True where the service answered with it just then; a webhook may be late. */
  isFresh: boolean;
  find(fact: Fact): void;
}

const PERSON = ['person', 'business'];
const FLOWS = [...new Set(payinTypes.flatMap(({ flows }) => Object.keys(flows)))];
const PAYOUT_TYPES = corridorTypes.map(({ type }) => type);
const PAYIN_TYPES = payinTypes.map(({ type }) => type);
/** A clock that is slow, and a task that waits for its turn. */
const SLACK_MS = 10 * 60_000;

const wordsOf = (rows: Readonly<Record<string, { wire: string }>>): string[] => [
  ...new Set(Object.values(rows).map(({ wire }) => wire)),
];
const RECIPIENT_CATEGORIES = wordsOf(recipientCategories);
const PAYIN_CATEGORIES = wordsOf(payinCategories);

export function lookAtRecord(name: RecordName, record: Plain, looked: Looked): void {
  const member = (field: string, known: readonly string[], kind: 'state' | 'type' = 'state'): void =>
    expectWord({ where: `${name}.${field}`, value: record[field], known, kind }, looked);
  if (hasMachine(name)) member('state', machines[name].states);
  if (name === 'recipient') member('transaction_state', machines.transaction.states);
  if (name === 'payout_method') member('state', payoutMethodStates);
  if (name === 'mandate') member('status', mandateStatuses);
  // Collected money goes to a balance.
  if (name === 'payout_method' && balanceCurrency(String(record.type)) === null)
    member('type', PAYOUT_TYPES, 'type');
  if (name === 'payin_method') member('type', PAYIN_TYPES, 'type');
  if (name === 'payin_method') member('ux_flow', FLOWS, 'type');
  if (name === 'sender' || name === 'recipient') member('type', PERSON, 'type');
  if (name === 'recipient' || name === 'payin_method') lookAtReason(name, record, looked);
  for (const [field, are] of DETAILS) lookAtDetails(`${name}.${field}`, record[field], are, looked);
  if (name === 'transaction') lookAtTimes(record, looked);
}

interface Expected {
  where: string;
  value: unknown;
  known: readonly string[];
  kind: 'state' | 'type' | 'code';
}

function expectWord({ where, value, known, kind }: Expected, { personal, find }: Looked): void {
  if (typeof value !== 'string' || value === '' || known.includes(value)) return;
  const isType = known[0]?.includes('::') === true;
  find({
    difference: kind,
    where,
    seen: shownAs(isType ? 'type' : 'word', value, personal),
    ours: some(known),
  });
}

/** Enough to compare: the whole list is in the contract. */
export const some = (known: readonly string[]): string =>
  known.length <= 12 ? known.join(', ') : `${known.slice(0, 8).join(', ')} and ${known.length - 8} more`;

function lookAtReason(name: 'recipient' | 'payin_method', record: Plain, looked: Looked): void {
  const reason = record.state_reason_details;
  if (!isPlain(reason)) return;
  const { code, category } = reason;
  const where = `${name}.state_reason_details`;
  const isPayin = name === 'payin_method';
  const info = typeof code === 'string' || typeof code === 'number' ? codeInfo(code) : undefined;
  if (info === undefined) {
    lookAtCode(`${where}.code`, code, looked);
    const categories = isPayin ? PAYIN_CATEGORIES : RECIPIENT_CATEGORIES;
    expectWord({ where: `${where}.category`, value: category, known: categories, kind: 'code' }, looked);
    return;
  }
  const payinCategory = payinCategoryOf(info.code);
  const expected = isPayin
    ? payinCategory && payinCategories[payinCategory].wire
    : recipientCategories[info.category].wire;
  if (typeof category !== 'string' || category === expected) return;
  const seen = `${info.code} with ${shownAs('word', category, looked.personal)}`;
  looked.find({
    difference: 'code',
    where: `${where}.category`,
    seen,
    ours: `${info.code} with ${expected ?? 'none'}`,
  });
}

/** An empty code is none. */
function lookAtCode(where: string, code: unknown, { personal, find }: Looked): void {
  if ((typeof code !== 'string' && typeof code !== 'number') || code === '') return;
  const all = recipientCodes.map((one) => one.code);
  const near = all.filter((one) => one[0] === String(code)[0]);
  find({
    difference: 'code',
    where,
    seen: shownAs('word', code, personal),
    ours: some(near.length > 0 ? near : all),
  });
}

const TRAITS = ['account_validation', 'auto_refund'];
const isDetail = (name: string): boolean => personalOf(name) !== undefined;

/** Maps whose names the contract knows, though no schema has them. */
const DETAILS: readonly (readonly [field: string, isKnown: (name: string) => boolean])[] = [
  ['details', isDetail],
  ['in_details', (name) => isDetail(name) || name === 'ux_flow'],
  ['out_details', isDetail],
  ['traits', (name) => TRAITS.includes(name)],
  ['fields', isDetail],
];

function lookAtDetails(
  where: string,
  details: unknown,
  isKnown: (name: string) => boolean,
  { personal, find }: Looked,
): void {
  if (!isPlain(details)) return;
  for (const name of Object.keys(details).filter((one) => !isKnown(one)))
    find({
      difference: 'member',
      where,
      seen: shownAs('name', name, personal),
      ours: where.endsWith('traits') ? some(TRAITS) : 'only the fields of its corridor',
    });
}

const timeIn = (record: Plain, name: string): number => Date.parse(String(record[name] ?? ''));

const awaitsFunds = (state: unknown): boolean =>
  transactionStateInfo(String(state))?.stage === 'awaits funds';

const minutes = (ms: number): string => `${Math.round(ms / 60_000)} min`;

function lookAtTimes(transaction: Plain, { at, isFresh, find }: Looked): void {
  const created = timeIn(transaction, 'created_at');
  const expires = timeIn(transaction, 'expires_at');
  const lifetime = expires - created;
  if (Math.abs(lifetime - FUNDABLE_MS) > 2_000)
    find({
      difference: 'delay',
      where: 'transaction.expires_at',
      seen: `${minutes(lifetime)} after created_at`,
      ours: `${minutes(FUNDABLE_MS)} after created_at`,
    });
  if (!isFresh) return;
  const { state } = transaction;
  if (awaitsFunds(state) && at > expires + SLACK_MS)
    find({
      difference: 'delay',
      where: 'transaction.state',
      seen: `${String(state)} after expires_at`,
      ours: 'canceled at expires_at',
    });
  if (isUnpaidTooLong(transaction, at - created))
    find({
      difference: 'delay',
      where: 'transaction.state',
      seen: `${String(state)} with auto_refund, a day after its funding`,
      ours: `canceled, then refunded, ${minutes(AUTO_REFUND_AFTER_MS)} after funding`,
    });
}

/** Where all that is unpaid has failed; a payout under way waits for the provider, however long. */
function isUnpaidTooLong({ state, traits, recipients, payin_methods: payins }: Plain, age: number): boolean {
  if (typeof state !== 'string' || !isRefundedByItself(state)) return false;
  if (!isPlain(traits) || traits.auto_refund !== true || !Array.isArray(recipients)) return false;
  if (Array.isArray(payins) && payins.length > 0) return false;
  const failed = recipients.some((one) => isPlain(one) && isFailedPayout(String(one.state)));
  return failed && age > FUNDABLE_MS + AUTO_REFUND_AFTER_MS + SLACK_MS;
}
