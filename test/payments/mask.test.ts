/** Personal data in what is kept or shown, at any depth of texts within texts. */
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/client/exchange.ts';
import { maskData, maskValue, withoutSignatures } from '../../src/payments/words/mask.ts';
import { exchangeBlock, exchangeLine } from '../../src/program/debug.ts';

const SIGNATURE = 'f'.repeat(128);
const person = {
  first_name: 'Ada',
  last_name: 'O"Bi\\',
  note: 'C:\\',
  email: 'ada@example.com',
  bank_account: '0123456789',
  phone_number: 2348012345678,
  'authorization-signature': SIGNATURE,
  amount: 25_000,
  state: 'error',
};
/** A log whose body is a page of logs, and so on. */
const nested = (depth: number): string =>
  depth === 0
    ? JSON.stringify({ recipients: [person] })
    : JSON.stringify({ object: [{ id: 'x', response_body: nested(depth - 1), last_name: 'Okoye' }], n: 1 });
/** What stands at the bottom, read as JSON all the way: so each masked text is still one. */
function bottom(text: string, depth: number): unknown {
  const value = JSON.parse(text);
  return depth === 0 ? value.recipients[0] : bottom(value.object[0].response_body, depth - 1);
}

it.each([0, 1, 2, 3, 4])('masks a body %i texts deep, and leaves it JSON', (depth) => {
  const shown = maskValue('response_body', nested(depth), 'all');
  expect(bottom(shown, depth)).toEqual({
    ...person,
    first_name: 'A•••',
    last_name: 'O•••',
    email: 'a•••',
    bank_account: '••••6789',
    phone_number: '••••5678',
    'authorization-signature': 'ffffffff…',
  });
  expect(shown).not.toContain('Okoye');
});

it('keeps names and cuts accounts for a terminal, at each depth', () => {
  expect(bottom(maskValue('body', nested(3), 'accounts'), 3)).toMatchObject({
    first_name: 'Ada',
    bank_account: '••••6789',
  });
});

it('cuts a signature within a body even where nothing is masked', () => {
  for (const depth of [0, 1, 2, 3]) {
    expect(withoutSignatures(nested(depth))).not.toContain('f'.repeat(9));
    const [log] = maskData([{ response_body: nested(depth) }], 'none');
    expect(log?.response_body).not.toContain('f'.repeat(9));
    expect(bottom(log?.response_body ?? '', depth)).toMatchObject({ first_name: 'Ada' });
  }
});

it('masks a body that was cut short', () => {
  const whole = nested(2);
  for (let length = 0; length < whole.length; length += 1) {
    const shown = maskValue('body', whole.slice(0, length), 'all');
    expect(shown).not.toMatch(/Okoy|ada@|012345|f{9}/);
  }
});

it('masks the query of a logged address', () => {
  const url = 'https://api.example.com/v1/senders?phone_number=%2B234801234567&page=2';
  expect(maskData({ request_url: url }, 'accounts')).toEqual({
    request_url: 'https://api.example.com/v1/senders?phone_number=••••4567&page=2',
  });
  const inner = JSON.stringify({ request_url: url });
  expect(maskValue('body', inner, 'all')).not.toContain('234801');
});

it('REMIT_DEBUG=api says no query twice', () => {
  const exchange = {
    method: 'GET',
    url: 'https://api.example.com/v1/senders?phone_number=0123456789',
    ms: 3,
    status: 200,
    answer: '{}',
    call: { operation: 'GET /senders?phone_number=0123456789', nonce: 'abcdefgh1234', effect: 'read' },
  } as unknown as Exchange;
  for (const shown of [exchangeLine(exchange), exchangeBlock(exchange, false)]) {
    expect(shown).toContain('phone_number=••••6789');
    expect(shown).not.toContain('0123456789');
  }
});
