import { expect, it } from 'vitest';
import { type CallFacts, NetworkError } from '../../../src/client/errors.ts';
import { refuse } from '../../../src/core/problem.ts';
import { networkProblem } from '../../../src/payments/network-problem.ts';

it.each([
  ['nothing', {}, { outcome: undefined, outcomeNote: undefined }],
  ['a note', { note: 'nothing was sent' }, { outcome: 'not applied', outcomeNote: 'nothing was sent' }],
  [
    'a note of what is there',
    { outcome: 'applied', note: 'a-1' },
    { outcome: 'applied', outcomeNote: 'a-1' },
  ],
  [
    'a note of a read',
    { outcome: undefined, note: 'nothing was sent' },
    { outcome: undefined, outcomeNote: 'nothing was sent' },
  ],
] as const)('a refusal with %s says that outcome', (_, more, facts) => {
  const { category, outcome, outcomeNote } = refuse('check', 'a_code', 'a message', more).facts;
  expect({ category, outcome, outcomeNote }).toEqual({ category: 'check', ...facts });
});

it('a refusal of an unknown outcome is unknown, whatever led to it', () => {
  const cause = new Error('cut');
  const problem = refuse('network', 'a_code', 'a message', { outcome: 'unknown', cause });
  expect([problem.facts.category, problem.cause]).toEqual(['unknown', cause]);
});

const call = (effect: CallFacts['effect']): CallFacts => ({
  ...{ operation: 'accounts.list', effect, method: 'GET', url: 'http://127.0.0.1/accounts', nonce: 'n' },
});

it.each([
  ['read', 'not_sent', 'ECONNREFUSED', undefined],
  ['read', 'may_have_arrived', 'ECONNRESET', undefined],
  ['read', 'not_sent', 'CERT_HAS_EXPIRED', undefined],
  ['money', 'not_sent', 'ECONNREFUSED', 'not applied'],
  ['money', 'not_sent', 'CERT_HAS_EXPIRED', 'not applied'],
  ['money', 'may_have_arrived', 'ECONNRESET', 'unknown'],
] as const)('a call (%s) that is %s by %s has the outcome %s', (effect, reach, code, outcome) => {
  expect(networkProblem(new NetworkError(reach, code, call(effect), 'cut')).facts.outcome).toBe(outcome);
});
