/** The end of `remit demo payroll`: the twelve people, and the sum of their payments. */

import { demoRowShape } from '../../desk/shapes/payruns.ts';
import { amountText, money } from '../../desk/words/amount.ts';
import type { Paint } from '../terminal/paint.ts';
import { drawTable } from '../terminal/table.ts';
import type { View } from '../terminal/view.ts';
import { stateWords } from '../views/payrun.ts';
import { CURRENCY } from './cast.ts';
import type { PayrollEnd, PayrollLine } from './payroll.ts';

export const payrollView: View<PayrollLine> = {
  shape: demoRowShape,
  columns: [
    { name: 'key', get: ({ key }) => key },
    { name: 'name', get: ({ name }) => name },
    { name: 'type', get: ({ type }) => type },
    { name: 'amount', amount: true, get: ({ amount }) => amount },
    { name: 'currency', get: ({ currency }) => currency },
    { name: 'cost', amount: true, get: ({ cost }) => cost },
    { name: 'state', get: ({ state }) => state },
    { name: 'why', get: ({ why }) => why },
  ],
};

export function payrollWords({ lines, opening, paid, held, closing }: PayrollEnd, paint: Paint): string {
  const euros = (amount: string): string => amountText(amount, CURRENCY) ?? '';
  const count = (wanted: string): number => lines.filter(({ state }) => state === wanted).length;
  const heads = ['ROW', 'NAME', 'CORRIDOR', 'AMOUNT', `COST ${CURRENCY}`, 'STATE'];
  const total = (words: string, amount: string): string[] => ['', words, '', '', amount, ''];
  const rows = [
    ...lines.map(({ key, name, type, amount, currency, cost, state }) => [
      key,
      name,
      type,
      money(amount, currency) ?? '',
      cost === null ? '' : euros(cost),
      stateWords(state),
    ]),
    total('balance before', euros(opening)),
    total(`less ${count('paid')} paid out`, euros(`-${paid}`)),
    total(`less ${count('in_error')} in error, held`, euros(`-${held}`)),
    total('refunded', 'none'),
    total('balance after, by the service', euros(closing)),
  ];
  const next = [
    ['remit batch template NGN::Bank', 'a file to fill in'],
    ['remit batch plan FILE --name NAME', 'your own run; remit sandbox start gives you a sandbox'],
    ['remit batch --help', 'everything else about pay runs'],
  ] as const;
  return [
    '',
    drawTable(
      heads.map((head) => ({ head: paint.bold(head), right: head === 'AMOUNT' || head.startsWith('COST') })),
      rows,
    ),
    '',
    `${paint.green('Every amount adds up.')} Next:`,
    ...next.map(([line, why]) => `  ${line.padEnd(34)} ${paint.dim(why)}`),
    '',
  ].join('\n');
}
