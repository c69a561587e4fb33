/**
 * Descriptors of the fields that a payin asks for, and the fields that an incomplete one lacks. @assumes payin-lacks
 */
import { optionsOf } from '../../contract/corridors/check.ts';
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import type { PayinRecord, Plain } from '../store/records.ts';
import { payinFlow, readInDetails } from './payin.ts';
import { type Errors, Problems } from './problems.ts';
import { isBlank } from './reading.ts';

/** One field as the flows have it: asked for where all of them do. */
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
