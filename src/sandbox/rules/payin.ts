/**
 * The payin method of a collection: a known type and flow in the input currency. Details that are missing do not refuse it:
 * it is `incomplete` and waits for them. @assumes payin-incomplete
 */

import { isRefusedAccount } from '../../contract/corridors/accounts.ts';
import { optionsOf } from '../../contract/corridors/check.ts';
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import { type PayinFlow, type PayinType, payinType } from '../../contract/corridors/payins.ts';
import type { PayinRecord, Plain } from '../store/records.ts';
import { type Errors, Problems } from './problems.ts';
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

/**
 * Descriptors of the fields that a payin asks for, and the fields that an incomplete one lacks.
 * One field as the flows have it: asked for where all of them do. @assumes payin-lacks
 */
export function payinField(same: readonly CorridorField[], flows: number): Plain {
  const presence = same.length === flows && same.every(({ required }) => required);
  const options = Object.assign({}, ...same.map((field) => optionsOf(field, () => ({}))));
  const control = same[0]?.control ?? 'input';
  return {
    type: control,
    validations: presence ? { presence: true } : {},
    ...(control === 'select' ? { options } : {}),
  };
}

/** The fields of these names, each of which is asked for. */
export function fieldsNamed(type: string, uxFlow: string, names: readonly string[]): Plain {
  const fields = (payinFlow(type, uxFlow)?.inDetails ?? []).filter(({ name }) => names.includes(name));
  return Object.fromEntries(
    fields.map((field) => [field.name, payinField([{ ...field, required: true }], 1)]),
  );
}

/** Details that are not there, and a code where the flow waits for one; null where nothing is lacking. */
export function lackedBy(payin: PayinRecord): { errors: Errors; fields: Plain } | null {
  const flow = payinFlow(payin.type, payin.uxFlow);
  if (payin.state !== 'incomplete' || !flow) return null;
  const missing = new Problems();
  readInDetails(flow, payin.inDetails, new Problems(), missing);
  if (!missing.any && flow.asksCode && isBlank(payin.inDetails.otp)) missing.add('otp', 'blank');
  const errors = missing.wire;
  return errors ? { errors, fields: fieldsNamed(payin.type, payin.uxFlow, Object.keys(errors)) } : null;
}
