/** The payin method of a collection: a known type and flow in the input currency, with all the details it asks for. */
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import { type PayinFlow, type PayinType, payinType } from '../../contract/corridors/payins.ts';
import type { Plain } from '../store/records.ts';
import { Problems } from './problems.ts';
import { isBlank, isPlain } from './reading.ts';

export interface PayinDraft {
  type: string;
  uxFlow: string;
  inDetails: Plain;
}

export interface PayinReading {
  draft: PayinDraft | null;
  problems: Problems;
  refused: () => unknown;
}

export function readPayin(sent: unknown, inputCurrency: string | null): PayinReading {
  const problems = new Problems();
  if (!isPlain(sent)) {
    problems.say('a payin method is an object');
    return { draft: null, problems, refused: () => ({ errors: problems.wire }) };
  }
  const type = typeof sent.type === 'string' ? payinType(sent.type) : undefined;
  if (!type) problems.add('type', isBlank(sent.type) ? 'blank' : 'invalid');
  else if (inputCurrency !== null && type.currency !== inputCurrency) problems.add('type', 'invalid');
  const draft = type ? readFlow(type, sent, problems) : null;
  return {
    draft: problems.any ? null : draft,
    problems,
    refused: () => ({ ...sent, errors: problems.wire }),
  };
}

function readFlow(type: PayinType, sent: Plain, problems: Problems): PayinDraft | null {
  const name = sent.ux_flow;
  if (isBlank(name)) problems.add('ux_flow', 'blank');
  const flows: Readonly<Record<string, PayinFlow>> = type.flows;
  const flow = typeof name === 'string' && Object.hasOwn(flows, name) ? flows[name] : undefined;
  if (!flow || flow.retired) {
    if (!isBlank(name)) problems.add('ux_flow', 'invalid');
    return null;
  }
  const details = sent.in_details;
  if (!isBlank(details) && !isPlain(details)) problems.add('in_details', 'invalid');
  const inDetails = isPlain(details) ? details : {};
  for (const field of flow.inDetails) checkField(field, inDetails[field.name], problems);
  return { type: type.type, uxFlow: String(name), inDetails };
}

const PHONE = /^(?:\+[1-9][0-9]{6,14}|[0-9]{5,15})$/;

function checkField(field: CorridorField, value: unknown, problems: Problems): void {
  if (isBlank(value)) {
    if (field.required) problems.add(field.name, 'blank');
    return;
  }
  const fits =
    typeof value === 'string' &&
    (field.check !== 'phone' || PHONE.test(value)) &&
    (typeof field.options !== 'object' || Object.hasOwn(field.options, value));
  if (!fits) problems.add(field.name, 'invalid');
}
