/**
 * What is told of a payout, for every state and every code, on every screen. The state decides who must act and how it ends; the
 * code says what is wrong, where it is a reason of this state; the category alone says nothing (docs/rules.md 4).
 */
import { describe, expect, it } from 'vitest';
import { codeInfo, recipientCodes } from '../../../src/contract/codes.ts';
import type { Recipient } from '../../../src/contract/resources/transaction.ts';
import { type RecipientState, recipientStates } from '../../../src/contract/states/recipient.ts';
import type { DetailLine } from '../../../src/frame/terminal/view.ts';
import { explainedView } from '../../../src/integration/cli/views/explanation.ts';
import { glossary } from '../../../src/integration/glossary.ts';
import { type Story, storyOf } from '../../../src/payments/cases/story.ts';
import { triageStates } from '../../../src/payments/cases/triage.ts';
import { changeView } from '../../../src/payments/cli/views/change.ts';
import { storyView } from '../../../src/payments/cli/views/story.ts';
import { drawnView } from '../../../src/payments/cli/views/timeline.ts';
import { transactionView } from '../../../src/payments/cli/views/transaction.ts';
import { triageView } from '../../../src/payments/cli/views/triage.ts';
import { reasonOf } from '../../../src/payments/words/reason.ts';

const now = Date.parse('2026-05-02T12:00:00Z');
const states = Object.keys(recipientStates) as RecipientState[];
const codes = recipientCodes.map(({ code }) => code);
const cases = states.flatMap((state) => codes.map((code) => [state, code] as const));

const payout = (state: string, code: string, members: Partial<Recipient> = {}): Recipient => ({
  id: '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  state: state as RecipientState,
  created_at: '2026-05-02T10:00:00Z',
  output_amount: '20000.0',
  output_currency: 'NGN',
  input_amount: '20.0',
  input_currency: 'EUR',
  state_reason_details: { code, messages: codeInfo(code)?.messages as unknown as string[] },
  ...members,
});
const tellOf = (state: string, code: string, members?: Partial<Recipient>): string =>
  storyOf(payout(state, code, members), now).standing.tell_the_customer;

const text = (lines: readonly DetailLine[] | undefined): string =>
  (lines ?? [])
    .flatMap((line) => (typeof line === 'string' ? [line] : [`${line[0]}: ${line[1] ?? ''}`]))
    .join('\n');
const line = (shown: string, label: string): string | undefined =>
  shown
    .split('\n')
    .find((one) => one.startsWith(`${label}: `))
    ?.slice(label.length + 2);

/** The same payout on each screen that shows it. */
function screensOf(story: Story): Record<string, string> {
  const { state, id, created_at: at } = story;
  const reason = reasonOf(story);
  const change = {
    seen_at: '',
    what: 'recipient',
    id: id ?? '',
    from: null,
    to: state ?? '',
    reason,
  } as const;
  const moment = {
    at: at ?? '',
    by: 'service',
    what: 'state',
    name: state ?? '',
    event: null,
    code: story.state_reason_details?.code ?? null,
    reason: story.state_reason_details?.messages?.at(-1) ?? null,
    status: null,
  } as const;
  return {
    show: text(storyView.details?.(story)),
    'tx show': text(transactionView.details?.({ recipients: [story] })),
    triage: triageView.columns.map(({ name, get }) => `${name}: ${get(story) ?? ''}`).join('\n'),
    watch: changeView.columns.map(({ name, get }) => `${name}: ${get(change) ?? ''}`).join('\n'),
    timeline: text(drawnView.details?.({ moments: [moment] })),
  };
}
const explained = (name: string): string => {
  const meanings = glossary().filter((one) => one.name === name && /recipient state|code/.test(one.kind));
  return text(explainedView.details?.({ word: name, meanings }));
};

const OPERATOR = states.filter((state) => recipientStates[state].turn === 'operator');

it('the operator is asked about those that nobody else can end', () => {
  expect(OPERATOR).toEqual(['manual', 'stuck', 'overpaid', 'exception']);
  expect(triageStates).toEqual(['error', 'manual', 'stuck', 'overpaid', 'exception', 'pending']);
});

describe.each(OPERATOR)('%s', (state) => {
  it.each(codes)('with code %s: ask the operator, on every screen, and nothing is tried again', (code) => {
    const story = storyOf(payout(state, code), now);
    const screens = screensOf(story);
    expect(story.standing.act).toBe('ask');
    expect(line(screens.show ?? '', 'who must act')).toMatch(/^ask the operator/);
    expect(line(screens['tx show'] ?? '', 'who must act')).toMatch(/^ask the operator/);
    expect(line(screens.triage ?? '', 'act')).toBe('ask operator');
    expect(screens.watch).toContain(recipientStates[state].meaning);
    expect(screens.timeline).toContain(recipientStates[state].meaning);
    expect(line(explained(state), 'who must act')).toMatch(/^ask the operator/);
    const told = line(explained(state), 'tell the customer') ?? 'nothing';
    for (const [name, shown] of Object.entries({ ...screens, explain: told }))
      expect(shown, name).not.toMatch(/tried again|tries again|wait for webhooks/);
  });
});

it.each(cases)('%s with code %s says only what is so', (state, code) => {
  const tell = tellOf(state, code);
  expect(tell).toMatch(/^[A-Z\d].*\.$/s);
  expect(tell).not.toMatch(/\{|undefined|nothing was taken/i);
  // The sentence of a number that is wrong belongs to its own code.
  if (code !== '416') expect(tell).not.toMatch(/account number is wrong/);
  if (/was paid out/.test(tell) && !/nothing was paid out/.test(tell))
    expect(recipientStates[state].money).toBe('paid');
  if (state !== 'error') expect(tell).not.toMatch(/tried again/);
  const says = codeInfo(code)?.tell;
  if (says && !recipientStates[state].hears.some((group) => group === says.group))
    expect(tell).toBe(tellOf(state, '0'));
});

describe('in error the code says what is wrong', () => {
  it.each([
    ['416', /^The account number is wrong\. Please check it with the recipient\. .*tried again/],
    ['421', /^The daily limit for transfers was exceeded\. The payment is tried again/],
    ['42', /^The payment exceeds a limit for transfers\./],
    ['422', /^The bank has to approve this transfer first\./],
    ['423', /^The recipient's account is full\./],
    ['43', /^The recipient may not receive money on this account\./],
    ['431', /^The recipient's account is dormant\./],
    ['44', /^The name of the account holder is not the name that we were given\./],
    ['45', /^The amount is not accepted for this payment\./],
    ['541', /^The receiving side cancelled the payment\./],
    ['543', /^The bank or mobile operator cancelled the payment\./],
    ['51', /^This payment cannot be made\./],
    ['3', /^The bank or mobile operator takes no payments at the moment\. The payment is tried again/],
    ['34', /^The payment did not go through yet\. It is tried again/],
    ['4999', /^The payment did not go through yet\. It is tried again/],
  ])('%s', (code, words) => {
    expect(tellOf('error', code, { may_cancel: true })).toMatch(words);
    if (code in { 421: 1, 423: 1, 431: 1, 541: 1, 543: 1 })
      expect(tellOf('error', code)).not.toMatch(/account number|Please check/);
  });

  it('a suspicion of money laundering is never told', () => {
    for (const state of states)
      for (const code of ['16', '51', '511'])
        expect(tellOf(state, code)).not.toMatch(/launder|suspic|AML|barred|sanction/i);
  });

  it('a cancel is offered where it can be made', () => {
    expect(tellOf('error', '51', { may_cancel: true })).toMatch(/We can cancel it and refund you\.$/);
    expect(tellOf('error', '51', { may_cancel: false })).toMatch(/We can ask for it to be cancelled\./);
  });
});

describe('what waits', () => {
  it.each([
    ['pending', '21', 'The cash is ready. The recipient has to collect it.'],
    ['pending', '13', 'The payment is being checked by hand. We come back to you.'],
    ['pending', '416', recipientStates.pending.tell],
    ['initial', '22', /^The recipient has to sign a mandate before the payment can be made\. Nothing/],
    ['stuck', '416', recipientStates.stuck.tell],
  ])('%s with %s', (state, code, words) => {
    expect(tellOf(state, code)).toMatch(words instanceof RegExp ? words : new RegExp(`^${words}$`));
  });

  it('a payment that is not funded waits for the partner, and one whose sender is checked for the service', () => {
    const who = (of: 'approved' | 'initial' | 'received') =>
      line(
        screensOf(storyOf(payout('initial', '0', { transaction_state: of }), now)).show ?? '',
        'who must act',
      );
    expect(who('approved')).toBe('you: fund the payment');
    expect([who('initial'), who('received')]).toEqual(['the service: wait', 'the service: wait']);
  });

  it('the reason of an earlier try does not say who must act now', () => {
    const who = (state: string, code: string) =>
      line(screensOf(storyOf(payout(state, code), now)).show ?? '', 'who must act');
    expect(who('pending', '416')).toBe('the service: wait');
    expect(who('pending', '21')).toMatch(/^recipient: /);
    expect(who('error', '416')).toMatch(/^you: edit the recipient/);
    expect(
      line(
        screensOf(storyOf(payout('error', '416', { editable: false, may_cancel: false }), now)).show ?? '',
        'who must act',
      ),
    ).toMatch(/^ask the operator/);
  });
});

describe('overpaid', () => {
  it('names what was paid where the service says so, and never the amount that was asked for as the one paid', () => {
    const asked = { requested_amount: '20000.0', requested_currency: 'NGN' };
    expect(tellOf('overpaid', '0', asked)).toBe(
      'More than 20000 NGN was paid out. The amount is being checked.',
    );
    expect(tellOf('overpaid', '0', { ...asked, output_amount: '25000.0' })).toBe(
      '25000 NGN, and not 20000 NGN, was paid out. The amount is being checked.',
    );
    expect(tellOf('overpaid', '0', { output_amount: null })).toBe(
      'More than what was asked for was paid out. The amount is being checked.',
    );
  });
});

it('explain tells what to say of a code, and of a state', () => {
  expect(line(explained('421'), 'tell the customer')).toBe('The daily limit for transfers was exceeded.');
  expect(line(explained('stuck'), 'tell the customer')).toMatch(/^The bank or mobile operator has not/);
});
