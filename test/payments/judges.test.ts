/** What is said at a question about an answer that cannot be right. */
import { expect, it } from 'vitest';
import {
  judgeAmount,
  judgeCountry,
  judgeCurrency,
  judgeDate,
  judgeEmail,
  judgeIp,
  judgePhone,
} from '../../src/payments/cli/ask/judges.ts';

it.each<[string, true | string, true | RegExp]>([
  ['whole units', judgeAmount('25000', 'NGN'), true],
  ['cents of a currency that rounds up', judgeAmount('25000.50', 'NGN'), true],
  ['parts of cents of one', judgeAmount('25000.505', 'NGN'), /whole units, rounded up/],
  ['a comma', judgeAmount('12,5', 'EUR'), /write digits with a point/],
  ['thousands', judgeAmount('1,250,000', 'EUR'), /thousands separators: write 1250000/],
  ['thousands or cents', judgeAmount('1,250', 'EUR'), /two ways: write 1\.25 or 1250/],
  ['nothing', judgeAmount('0', 'EUR'), /more than 0/],
  ['less than nothing', judgeAmount('-5', 'EUR'), /not an amount|more than 0/],
  ['parts of cents', judgeAmount('1.0051', 'EUR'), /more decimals than EUR has/],
  ['a small currency', judgeCurrency('eur'), true],
  ['four letters', judgeCurrency('EURO'), /three letters/],
  ['no currency', judgeCurrency('XXQ'), /XXQ is not a currency/],
  ['a day', judgeDate('1988-02-29'), true],
  ['no leap year', judgeDate('1990-02-29'), /not a day of the calendar/],
  ['the American order', judgeDate('01/31/1990'), /YEAR-MONTH-DAY/],
  ['a phone', judgePhone('+233302123400'), true],
  ['letters in a phone', judgePhone('+2333O2123400'), /digits only/],
  ['an address', judgeEmail('ines@example.com'), true],
  ['half an address', judgeEmail('ines@'), /looks like ines@example.com/],
  ['a country', judgeCountry('pt'), true],
  ['a name of a country', judgeCountry('Portugal'), /two letters/],
  ['no country', judgeCountry('QX'), /not the code of a country/],
  ['an IP address', judgeIp('203.0.113.7'), true],
  ['a newer one', judgeIp('2001:db8::7'), true],
  ['no IP address', judgeIp('203.0.113.700'), /looks like/],
])('%s', (_, said, expected) => {
  if (expected === true) expect(said).toBe(true);
  else expect(said).toMatch(expected);
});
