/** What a look proves about a write to a payin or payout method, and about a collection. */
import { describe, expect, it } from 'vitest';
import { transactionDifferences } from '../../src/client/compare.ts';
import { carryOut } from '../../src/client/outcome.ts';
import { type AskedWrite, operationOf, writePlanOf } from '../../src/client/writes.ts';
import { clientFor, json, lost } from '../support/scripted.ts';

const ID = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
const reads = (object: object) => json(200, { object: { id: ID, ...object } });
const payoutEdit: AskedWrite = {
  plan: 'payout_method_edit',
  payoutMethodId: ID,
  details: { bank_account: '2' },
  before: { bank_account: '1' },
};
const payinEdit: AskedWrite = {
  plan: 'payin_method_edit',
  payinMethodId: ID,
  details: { otp: '123456' },
  before: { otp: null },
};
const retry: AskedWrite = { plan: 'payin_method_retry', payinMethodId: ID };
const cancel: AskedWrite = { plan: 'payin_method_cancel', payinMethodId: ID };

describe('after a lost answer', () => {
  it.each<[string, AskedWrite, object, string]>([
    ['the new details stand', payoutEdit, { details: { bank_account: '2' } }, 'applied'],
    ['other details stand', payoutEdit, { details: { bank_account: '3' } }, 'conflict'],
    ['disabled with the old', payoutEdit, { state: 'disabled', details: { bank_account: '1' } }, 'never'],
    ['the old details stand', payoutEdit, { state: 'enabled', details: { bank_account: '1' } }, 'absent'],
    ['the code is kept back', payinEdit, { state: 'incomplete', in_details: {} }, 'absent'],
    ['the code stands', payinEdit, { state: 'pending', in_details: { otp: '123456' } }, 'applied'],
    ['collected without it', payinEdit, { state: 'success', in_details: {} }, 'never'],
    ['it failed, or was not tried', retry, { state: 'error' }, 'absent'],
    ['it is under way', retry, { state: 'pending' }, 'applied'],
    ['it was cancelled', retry, { state: 'canceled' }, 'never'],
    ['it is cancelled', cancel, { state: 'refunded' }, 'applied'],
    ['it goes on', cancel, { state: 'pending' }, 'absent'],
  ])('%s', async (_, asked, object, kind) => {
    const { client } = clientFor([reads(object)]);
    expect((await writePlanOf(client, asked).look()).kind).toBe(kind);
  });

  it('what was changed by something else is not sent again', async () => {
    const { client, requests } = clientFor([lost, reads({ details: { bank_account: '3' } })]);
    const outcome = await carryOut(writePlanOf(client, payoutEdit) as never);
    // Whether ours was applied before that, nobody can say.
    expect([outcome.kind, requests.map(({ method }) => method)]).toEqual(['unknown', ['PATCH', 'GET']]);
  });

  it('what stands as before is sent once more', async () => {
    const old = reads({ details: { bank_account: '1' } });
    const { client, requests } = clientFor([lost, old, reads({ details: { bank_account: '2' } })]);
    const outcome = await carryOut(writePlanOf(client, payoutEdit) as never);
    expect([outcome.kind, requests.map(({ method }) => method)]).toEqual([
      'applied',
      ['PATCH', 'GET', 'PATCH'],
    ]);
  });
});

it('each is journalled under its own operation', () => {
  expect([payoutEdit, payinEdit, retry, cancel].map((asked) => operationOf(asked).id)).toEqual([
    'payout_methods.edit',
    'payin_methods.edit',
    'payin_methods.retry',
    'payin_methods.cancel',
  ]);
});

describe('a collection is ours', () => {
  const payin = { type: 'GHS::Mobile', ux_flow: 'ussd_popup', in_details: { phone_number: '+233302123400' } };
  const asked = { input_currency: 'GHS', sender: { id: 's' }, recipients: [], payin_methods: [payin] };
  it.each<[string, object, string[]]>([
    ['as it was asked for', { payin_methods: [{ ...payin, id: 'p', state: 'pending' }] }, []],
    ['where the answer does not show it', {}, []],
    [
      'not with another customer',
      { payin_methods: [{ ...payin, in_details: { phone_number: '+233302999900' } }] },
      ['payin_methods.0.in_details.phone_number'],
    ],
    [
      'not by another flow',
      { payin_methods: [{ ...payin, ux_flow: 'ussd_voucher' }] },
      ['payin_methods.0.ux_flow'],
    ],
    ['not without a payin', { payin_methods: [] }, ['payin_methods']],
  ])('%s', (_, record, differences) => {
    expect(transactionDifferences(asked, { input_currency: 'GHS', recipients: [], ...record })).toEqual(
      differences,
    );
  });
});
