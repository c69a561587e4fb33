import { type PayinFlow, payinType } from '../../contract/corridors/payins.ts';
import { byWord } from '../../core/by-word.ts';
import { lackedBy } from '../rules/payin.ts';
import type { PayinRecord, Plain, TransactionRecord } from '../store/records.ts';
import { digits } from './json.ts';
import { payinReasonDetails } from './reason.ts';

/** The flow's name is repeated inside `in_details`, as webhooks print it; one that is incomplete says what it lacks. */
export function payinJson(payin: PayinRecord, transaction: TransactionRecord): Plain {
  return {
    id: payin.id,
    type: payin.type,
    ux_flow: payin.uxFlow,
    in_details: { ...payin.inDetails, ux_flow: payin.uxFlow },
    out_details: payin.state === 'initial' ? outDetailsOf(payin, transaction) : payin.outDetails,
    instructions: instructionsOf(payin),
    state: payin.state,
    state_reason_details: payinReasonDetails(payin.reasonCode),
    payin_reference: transaction.payinReference,
    external_id: transaction.externalId,
    transaction_id: transaction.id,
    transaction_external_id: transaction.externalId,
    ...lackedBy(payin),
  };
}

function flowOf({ type, uxFlow }: PayinRecord): PayinFlow | undefined {
  const flows: Readonly<Record<string, PayinFlow>> = payinType(type)?.flows ?? {};
  return flows[uxFlow];
}

/** The text that the flow's customers are always told, by the flow's name. */
function instructionsOf(payin: PayinRecord): Plain {
  const text = flowOf(payin)?.instructions;
  return text === undefined ? {} : { [payin.uxFlow]: text };
}

/** Made up, and plainly so: what a customer would be shown to pay with. @assumes payin-out-details */
const samples: Readonly<Record<string, string>> = byWord({
  menu_option: '6',
  dialing_number: '*170#',
  bank_code: '999',
  bank_name: 'Sandbox Bank',
  account_name: 'Sandbox Collections',
  account_number: '0000000000',
  'Account Name': 'Sandbox Collections',
  'Account Number': '00000000',
  'Sort Code': '00-00-00',
  IBAN: 'XX00 SANDBOX 0000',
  BIC: 'SANDBOXX',
  'Bank Address': '1 Sandbox Street',
  'Beneficiary Address': '1 Sandbox Street',
  Address: 'sandbox-address-that-nobody-holds',
});

/**
 * The details that the flow tells the customer: an account, a code to dial, an amount. They are known before the
 * payin starts, so that the answer to the creation has them: a shop redirects from there.
 */
export function outDetailsOf(payin: PayinRecord, transaction: TransactionRecord): Plain {
  const details = Object.entries(flowOf(payin)?.outDetails ?? {});
  return Object.fromEntries(details.map(([name, kind]) => [name, detailOf(name, kind, transaction)]));
}

function detailOf(name: string, kind: string, { inputAmount, payinReference }: TransactionRecord): unknown {
  if (name === 'style') return kind;
  if (kind === 'number') return digits(inputAmount);
  if (kind === 'flag') return true;
  if (kind === 'url') return `https://pay.sandbox.invalid/${payinReference ?? ''}`;
  return name.toLowerCase() === 'reference' ? (payinReference ?? '') : (samples[name] ?? '');
}
