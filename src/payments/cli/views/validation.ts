import { money } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { apart, type DetailLine, type View } from '../../../frame/terminal/view.ts';
import type { FlowAnswer } from '../../shapes/payments.ts';
import { validationShape } from '../../shapes/payments.ts';
import { calculationView } from './transaction.ts';

export type Validation = DataOf<typeof validationShape>;

const flowText = ({ type, ux_flow: flow, open, problems }: FlowAnswer): string =>
  `${type} ${flow}: ${open ? 'open' : `not open: ${problems.join('; ') || 'the service did not say why'}`}`;

export const validationView: View<Validation> = {
  shape: validationShape,
  columns: [
    { name: 'valid', get: (row) => (row.valid ? 'yes' : 'no') },
    {
      name: 'input',
      right: true,
      get: ({ transaction }) => money(transaction.input_amount, transaction.input_currency),
      apart: apart('input_amount', 'input_currency', ({ transaction }) => [
        transaction.input_amount,
        transaction.input_currency,
      ]),
    },
    { name: 'flows', get: (row) => row.flows.map(flowText).join(', ') },
  ],
  details(row) {
    const lines: DetailLine[] = [
      ['valid', row.valid ? 'yes' : 'no'],
      ...(calculationView.details?.(row.transaction) ?? []),
    ];
    for (const flow of row.flows) lines.push(['payin flow', flowText(flow)]);
    return lines;
  },
};
