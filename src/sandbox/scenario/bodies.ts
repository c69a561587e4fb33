/** Bodies of requests out of the few values that a scenario gives. */
import { type PayinFlow, payinType } from '../../contract/corridors/payins.ts';
import { sampleDetails } from '../../contract/corridors/sample.ts';
import { samplePerson } from '../sample-person.ts';
import type { ScenarioStep } from './parse.ts';
import { type AnyJson, type Stage, Unmet } from './stage.ts';

/** Values that say something about the whole transaction, not about the recipients' details. */
const OWN = [
  'to',
  'number',
  'amount',
  'input',
  'last',
  'type',
  'payin',
  'flow',
  'phone',
  'sender',
  'file',
  'external_id',
];
const TRAITS = ['auto_refund', 'account_validation'];

/**
 * `create a to=NGN::Bank number=0123456719 amount=100 EUR`: `number=…,…` makes several recipients, `last` is their last
 * name, `payin=GHS::Mobile flow=… phone=…` a collection, `sender` the sender's external id, `file` a document of it; any
 * other value is a detail of the payout.
 */
export function transactionBody(stage: Stage, { names, values }: ScenarioStep): AnyJson {
  const [name = '', currency = 'EUR'] = names;
  const { to = 'NGN::Bank', number = '', amount = '100', input = 'EUR', type = 'person' } = values;
  const traits = Object.entries(values).filter(([key]) => TRAITS.includes(key));
  return {
    transaction: {
      input_currency: input,
      external_id: values.external_id ?? name,
      sender: senderBody(values),
      recipients: number.split(',').map((each) => ({
        type,
        requested_amount: amount,
        requested_currency: currency,
        payout_method: { type: to, details: detailsFor(stage, to, type, each, values) },
      })),
      traits: Object.fromEntries(traits.map(([key, value]) => [key, value === 'true'])),
      ...(values.payin ? { payin_methods: [payinBody(values)] } : {}),
    },
  };
}

function senderBody({ sender = 'sender-1', file }: Record<string, string>): AnyJson {
  const documents = file ? [{ upload: 'data:image/png;base64,aGVsbG8=', upload_file_name: file }] : [];
  return { external_id: sender, ...samplePerson, documents };
}

function detailsFor(
  { book }: Stage,
  to: string,
  kind: string,
  number: string,
  values: Record<string, string>,
): AnyJson {
  const corridor = book.corridor(to);
  if (!corridor) return { reference: number };
  const sample = sampleDetails(corridor, kind === 'business' ? 'business' : 'person', book.options);
  const own = Object.entries(values).filter(([key]) => !OWN.includes(key) && !TRAITS.includes(key));
  return {
    ...sample,
    ...(number === '' ? {} : { [numberField(sample)]: number }),
    ...(values.last === undefined ? {} : { last_name: values.last }),
    ...Object.fromEntries(own),
  };
}

/** The field whose last digits decide how a payout ends. */
function numberField(details: AnyJson): string {
  if ('bank_account' in details) return 'bank_account';
  return 'iban' in details ? 'iban' : 'phone_number';
}

export function editDetails(details: AnyJson, { number, ...rest }: Record<string, string>): AnyJson {
  return number === undefined ? rest : { ...rest, [numberField(details)]: number };
}

/** All that the flow asks for, but a code that is asked for later. */
function payinBody({ payin = '', flow, phone, ...rest }: Record<string, string>): AnyJson {
  const flows: Readonly<Record<string, PayinFlow>> = payinType(payin)?.flows ?? {};
  const uxFlow = flow ?? Object.keys(flows)[0] ?? '';
  const found = flows[uxFlow];
  if (!found) throw new Unmet(`a flow of ${payin}: ${Object.keys(flows).join(', ')}`, uxFlow);
  const details = found.inDetails.map((field) => {
    const options = typeof field.options === 'object' ? Object.keys(field.options) : [];
    const sample = field.name === 'phone_number' ? (phone ?? '+233302123455') : (options[0] ?? 'sample');
    return [field.name, rest[`in_${field.name}`] ?? sample] as const;
  });
  const wanted = details.filter(
    ([name, value]) =>
      value !== 'none' &&
      (rest[`in_${name}`] !== undefined ||
        found.inDetails.some((each) => each.name === name && each.required)),
  );
  return { type: payin, ux_flow: uxFlow, in_details: Object.fromEntries(wanted) };
}
