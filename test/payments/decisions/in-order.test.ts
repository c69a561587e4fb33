/** What the service tells and what this machine's journal tells are put in one order of time, however each writes a time. */
import { expect, it } from 'vitest';
import { inOrder } from '../../../src/payments/cases/life.ts';

const moment = (at: string, text = at) => ({ at, by: 'service' as const, text, note: null });

it.each([
  ['without milliseconds', '2026-01-05T09:00:00Z'],
  ['with another offset', '2026-01-05T11:00:00+02:00'],
  ['as this machine does', '2026-01-05T09:00:00.000Z'],
])('the service writes it %s', (_, at) => {
  const now = moment('', 'now');
  const asked = ['2026-01-05T09:00:00.300Z', '2026-01-05T08:59:59.900Z', '2026-01-05T10:30:00.000Z'];
  const later = moment('2026-01-05T10:00:00Z', 'later');
  const ordered = inOrder(
    [moment(at, 'first'), later, now],
    asked.map((one) => moment(one, one.slice(11, 21))),
  );
  expect(ordered.map(({ text }) => text)).toEqual([
    ...['08:59:59.9', 'first', '09:00:00.3', 'later', '10:30:00.0', 'now'],
  ]);
});
