/** `remit demo`: four payments and how each ends. */
import type { Decimal } from '../../core/money.ts';
import { demoPaymentShape } from '../../desk/shapes/payments.ts';
import { shippedScenarios } from '../../sandbox/scenario/shipped.ts';
import { type Demo, euros } from './play.ts';

interface PaymentLine {
  external_id: string;
  story: string;
  state: string;
  input: string;
  /** The amount that it took from the balance in the end. */
  cost: Decimal;
}

const STORIES = {
  'demo-1': 'paid',
  'demo-2': 'refused, edited, paid',
  'demo-3': 'cancelled, refunded',
  'demo-4': 'not funded, cancelled by the service',
};

export const payments: Demo<PaymentLine> = {
  text: shippedScenarios.demo?.text ?? '',
  lines: async (_, made) =>
    Object.entries(STORIES).map(([external_id, story]) => {
      const found = made.find((payment) => payment.external_id === external_id);
      const [state, input] = [found?.state ?? '', euros(found?.input_amount ?? '0')];
      return { external_id, story, state, input, cost: state === 'paid' ? input : euros('0') };
    }),
  view: {
    shape: demoPaymentShape,
    columns: [
      { name: 'external_id', get: (row) => row.external_id },
      { name: 'story', get: (row) => row.story },
      { name: 'state', get: (row) => row.state },
      { name: 'input', get: (row) => row.input },
      { name: 'cost', get: (row) => row.cost },
    ],
  },
  heads: ['PAYMENT', 'WHAT HAPPENED', 'STATE', 'INPUT EUR', 'COST EUR'],
  cells: (row) => [row.external_id, row.story, row.state, row.input, row.cost],
  sums: (lines) => ({ 'less the cost of all four': lines }),
  next: [
    ['remit sandbox start', 'a sandbox to try things in, in a second terminal'],
    ['remit sandbox scenario --show demo', 'the steps above, to change and run again'],
    ['remit tx create', 'a payment, question by question'],
    ['remit webhooks listen', 'see webhooks arrive'],
    ['remit --help', 'everything else'],
  ],
};
