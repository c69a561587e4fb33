import { amountText, money } from '../../../core/amount-words.ts';
import type { View } from '../../../frame/terminal/view.ts';
import type { ShownIntent } from '../../history.ts';
import { intentShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';

const STATE_WORDS: Record<ShownIntent['state'], string> = {
  open: 'open: the command ended before it had the answer, so the outcome is unknown',
  applied: 'applied',
  not_applied: 'not applied',
  unknown: 'unknown: it may have been applied',
  conflict: 'conflict: another record has its external id',
};

/** It stands in a column of its own. */
const withoutAmount = (summary: string, amount: string | null): string =>
  amount !== null && summary.startsWith(`${amount} `) ? summary.slice(amount.length + 1) : summary;

/** A name says more than the bank, and than what a debit is for: `to Ada Obi ••••6789`. `history show` has all of it. */
const withoutType = (summary: string): string =>
  summary.replace(/^for \S+ [A-Z]{3} (?=to )/, '').replace(/ [A-Z]{3}::\w+(?: \S+)? (?=•{4})/, ' ');

export const intentView: View<ShownIntent> = {
  shape: intentShape,
  empty: 'No payment or change was sent yet.',
  totalsBy: ['state'],
  columns: [
    { name: 'created_at', head: 'TIME', time: true, get: (row) => row.created_at },
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'command', priority: 1, get: (row) => row.command },
    { name: 'state', state: lookOf, get: (row) => row.state },
    {
      name: 'amount',
      right: true,
      priority: 1,
      get: (row) => money(row.amount, row.currency),
      apart: ['amount', 'currency'],
    },
    {
      name: 'summary',
      priority: 2,
      least: 18,
      keepsEnd: 8,
      brief: (value, row) => withoutType(withoutAmount(value, money(row.amount, row.currency))),
      get: (row) => row.summary,
    },
    { name: 'result_id', head: 'RESULT', priority: 3, id: true, get: (row) => row.result_id },
    { name: 'external_id', priority: 5, least: 12, get: (row) => row.external_id },
    { name: 'profile', priority: 4, get: (row) => row.profile },
  ],
  flat: [
    { name: 'created_at', time: true, get: (row) => row.created_at },
    { name: 'updated_at', time: true, get: (row) => row.updated_at },
    { name: 'intent', get: (row) => row.id },
    { name: 'command', get: (row) => row.command },
    { name: 'state', get: (row) => row.state },
    { name: 'note', get: (row) => row.note },
    {
      name: 'amount',
      amount: true,
      currency: 'currency',
      get: (row) => amountText(row.amount, row.currency),
    },
    { name: 'currency', get: (row) => row.currency },
    { name: 'summary', get: (row) => row.summary },
    { name: 'result_id', get: (row) => row.result_id },
    { name: 'external_id', get: (row) => row.external_id },
    { name: 'profile', get: (row) => row.profile },
    { name: 'environment', get: (row) => row.environment },
    { name: 'key', get: (row) => row.key },
    { name: 'user', get: (row) => row.user },
  ],
  details: (row) => [
    ['intent', row.id],
    ['command', row.command],
    ['outcome', STATE_WORDS[row.state]],
    ['how we know', row.note],
    ['what', row.summary],
    ['result', row.result_id],
    ['external id', row.external_id],
    ['concerns', row.subject],
    ['profile', `${row.profile} (${row.environment}, key ${row.key})`],
    ['service', row.base_url],
    ['by', row.user],
    ['begun', row.created_at],
    ['last change', row.updated_at],
  ],
};

/** One intent of several that were settled, with what was found out. */
export interface Settled extends ShownIntent {
  why: string;
}

export const settledView: View<Settled> = {
  shape: intentShape,
  also: ['why'],
  empty: 'nothing is open or unknown on this account',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'command', priority: 3, get: (row) => row.command },
    { name: 'summary', priority: 2, least: 16, get: (row) => row.summary },
    { name: 'why', head: 'FOUND OUT', priority: 1, wrap: true, get: (row) => row.why },
  ],
};
