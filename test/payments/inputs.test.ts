/** What is said at a question about an answer that cannot be right. */
import { expect, it } from 'vitest';
import {
  amountInput,
  countryInput,
  currencyInput,
  dateInput,
  emailInput,
  ipInput,
  phoneInput,
} from '../../src/payments/cli/ask/inputs.ts';

it.each<[string, true | string, true | RegExp]>([
  ['whole units', amountInput('25000', 'NGN'), true],
  ['cents of a currency that rounds up', amountInput('25000.50', 'NGN'), true],
  ['parts of cents of one', amountInput('25000.505', 'NGN'), /whole units, rounded up/],
  ['a comma', amountInput('12,5', 'EUR'), /write digits with a point/],
  ['thousands', amountInput('1,250,000', 'EUR'), /thousands separators: write 1250000/],
  ['thousands or cents', amountInput('1,250', 'EUR'), /two ways: write 1\.25 or 1250/],
  ['nothing', amountInput('0', 'EUR'), /more than 0/],
  ['less than nothing', amountInput('-5', 'EUR'), /not an amount|more than 0/],
  ['parts of cents', amountInput('1.0051', 'EUR'), /more decimals than EUR has/],
  ['a small currency', currencyInput('eur'), true],
  ['four letters', currencyInput('EURO'), /three letters/],
  ['no currency', currencyInput('XXQ'), /XXQ is not a currency/],
  ['a day', dateInput('1988-02-29'), true],
  ['no leap year', dateInput('1990-02-29'), /not a day of the calendar/],
  ['the American order', dateInput('01/31/1990'), /YEAR-MONTH-DAY/],
  ['a phone', phoneInput('+233302123400'), true],
  ['letters in a phone', phoneInput('+2333O2123400'), /digits only/],
  ['an address', emailInput('ines@example.com'), true],
  ['half an address', emailInput('ines@'), /looks like ines@example.com/],
  ['a country', countryInput('pt'), true],
  ['a name of a country', countryInput('Portugal'), /two letters/],
  ['no country', countryInput('QX'), /not the code of a country/],
  ['an IP address', ipInput('203.0.113.7'), true],
  ['a newer one', ipInput('2001:db8::7'), true],
  ['no IP address', ipInput('203.0.113.700'), /looks like/],
])('%s', (_, said, expected) => {
  if (expected === true) expect(said).toBe(true);
  else expect(said).toMatch(expected);
});
