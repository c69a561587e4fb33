/**
 * The payin method of a collection: a known type and flow in the input currency. Details that are missing do not refuse it:
 * it is `incomplete` and waits for them. @assumes payin-incomplete
 */
import { isRefusedAccount } from '../../contract/corridors/accounts.ts';
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import { type PayinFlow, type PayinType, payinType } from '../../contract/corridors/payins.ts';
import type { Plain } from '../store/records.ts';
import { Problems } from './problems.ts';
import { isBlank, isPlain } from './reading.ts';

export interface PayinDraft {
  type: string;
  uxFlow: string;
  inDetails: Plain;
  /** True where every detail that the flow asks for is there. */
  complete: boolean;
}

export interface PayinReading {
  draft: PayinDraft | null;
  problems: Problems;
  /** Details that the collection waits for: `blank` each. */
  missing: Problems;
  refused: () => Plain;
}

export function readPayin(sent: unknown, inputCurrency: string | null): PayinReading {
  const problems = new Problems();
  const missing = new Problems();
  if (!isPlain(sent)) {
    problems.say('a payin method is an object');
    return { draft: null, problems, missing, refused: () => ({ errors: problems.wire }) };
  }
  const type = typeof sent.type === 'string' ? payinType(sent.type) : undefined;
  if (!type) problems.add('type', isBlank(sent.type) ? 'blank' : 'invalid');
  else if (inputCurrency !== null && type.currency !== inputCurrency) problems.add('type', 'invalid');
  const draft = type ? readFlow(type, sent, problems, missing) : null;
  return {
    draft: problems.any ? null : draft,
    problems,
    missing,
    refused: () => ({ ...sent, errors: problems.wire }),
  };
}

export function payinFlow(type: string, uxFlow: string): PayinFlow | undefined {
  const flows: Readonly<Record<string, PayinFlow>> = payinType(type)?.flows ?? {};
  return Object.hasOwn(flows, uxFlow) ? flows[uxFlow] : undefined;
}

function readFlow(type: PayinType, sent: Plain, problems: Problems, missing: Problems): PayinDraft | null {
  const name = sent.ux_flow;
  if (isBlank(name)) problems.add('ux_flow', 'blank');
  const flow = payinFlow(type.type, String(name));
  if (!flow) {
    if (!isBlank(name)) problems.add('ux_flow', 'invalid');
    return null;
  }
  const details = sent.in_details;
  if (!isBlank(details) && !isPlain(details)) problems.add('in_details', 'invalid');
  const inDetails = isPlain(details) ? ownDetails(details) : {};
  readInDetails(flow, inDetails, problems, missing);
  return { type: type.type, uxFlow: String(name), inDetails, complete: !missing.any };
}

/** Answers repeat the flow's name among the details, and clients send back what they got. */
export function ownDetails({ ux_flow: _, ...details }: Plain): Plain {
  return details;
}

/** Values that are wrong go to `problems`, those that are not there to `missing`. */
export function readInDetails(flow: PayinFlow, details: Plain, problems: Problems, missing: Problems): void {
  for (const field of flow.inDetails) {
    const value = details[field.name];
    if (!isBlank(value)) checkField(field, details, problems);
    else if (field.required) missing.add(field.name, 'blank');
  }
}

function checkField(field: CorridorField, details: Plain, problems: Problems): void {
  const value = details[field.name];
  const fits =
    typeof value === 'string' &&
    !isRefusedAccount(field, details) &&
    (typeof field.options !== 'object' || Object.hasOwn(field.options, value));
  if (!fits) problems.add(field.name, 'invalid');
}
