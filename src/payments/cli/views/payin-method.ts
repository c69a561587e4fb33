import { payinType } from '../../../contract/corridors/payins.ts';
import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import { payinMethodStateInfo } from '../../../contract/states/payin-method.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import { payinMethodShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { payinReasonOf } from '../../words/reason.ts';
import { memberLines } from './payout-method.ts';

export const payinMethodView: View<PayinMethod> = {
  shape: payinMethodShape,
  empty: 'no payin methods',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'type', get: (row) => row.type },
    { name: 'ux_flow', head: 'FLOW', priority: 1, get: (row) => row.ux_flow },
    { name: 'payin_reference', head: 'REFERENCE', priority: 1, least: 12, get: (row) => row.payin_reference },
    { name: 'reason', priority: 2, least: 14, get: payinReasonOf },
    { name: 'transaction_id', head: 'PAYMENT', priority: 3, id: true, get: (row) => row.transaction_id },
    {
      name: 'transaction_external_id',
      head: 'EXTERNAL ID',
      priority: 4,
      least: 12,
      get: (row) => row.transaction_external_id,
    },
  ],
  details: (row) => [
    ...payinLines(row),
    ['transaction', row.transaction_id],
    ['external id', row.transaction_external_id],
  ],
};

/**
 * Returns the lines of a payin method. The facts that the customer needs to pay come last: reference, account
 * or address, and what to do.
 */
export function payinLines(row: PayinMethod, indent = false): DetailLine[] {
  const line = (label: string, value: string | null | undefined, state?: typeof lookOf): DetailLine => [
    label,
    value,
    { state, indent },
  ];
  const { ux_flow: _, ...given } = row.in_details ?? {};
  return [
    line('payin method', row.id),
    line('state', row.state, lookOf),
    line('which means', payinMethodStateInfo(row.state)?.meaning),
    line('reason', payinReasonOf(row)),
    line('collects by', [row.type, row.ux_flow].filter(Boolean).join('  ')),
    ...memberLines(given, indent),
    line('payin reference', row.payin_reference),
    ...memberLines(row.out_details, indent),
    line('what to do', instructionsOf(row)),
  ];
}

/** The service's own text, or the one that is known for the flow. */
function instructionsOf({ type, ux_flow: flow, instructions }: PayinMethod): string | undefined {
  const said = instructions?.[flow ?? ''];
  if (typeof said === 'string') return said;
  const flows: Readonly<Record<string, { instructions?: string }>> = payinType(type ?? '')?.flows ?? {};
  return flows[flow ?? '']?.instructions;
}
