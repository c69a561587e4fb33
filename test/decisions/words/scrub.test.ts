/** The second net of a bug report: each kind of text that it takes out, by itself, and what it leaves. */
import { expect, it } from 'vitest';
import { scrubber } from '../../../src/cli/doctor/bug-report.ts';

const scrub = scrubber({ REMIT_API_SECRET: 'made-up-secret', USER: 'adaobi', LANG: 'en_GB' }, ['acme-live']);

it.each([
  ['a number of a bank account', 'account 0123456789 was refused', '0123456789'],
  ['a phone number with blanks', 'call +49 151 123 456', '151 123'],
  ['an address of e-mail', 'sent to ada@example.com now', 'ada'],
  ['an address that begins oddly', 'sent to @@ada@example.com now', 'ada'],
  ['a URL', 'GET https://partner.example/hooks?name=Ada failed', 'partner'],
  ['a URL behind a digit', '1http://partner.example/x', 'partner'],
  ['an id of the service', 'tx 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 is gone', '6f2c1b1e'],
  ['a key', 'key AKfycbx3QmZ9pL0sT7uVwXyZ is refused', 'AKfyc'],
  ['the value of a variable of remit', 'signed with made-up-secret', 'made-up'],
  ['the name of the user', 'no file of adaobi here', 'adaobi'],
  ['the name of a profile', 'profile acme-live has no secret', 'acme-live'],
])('%s is taken out', (_, text, secret) => {
  expect(text).toContain(secret);
  expect(scrub(text)).not.toContain(secret);
});

it('leaves what somebody needs who mends it', () => {
  const text = '422 on transactions.create after 3 tries in 1200 ms: taken, en_GB';
  expect(scrub(text)).toBe(text);
});
