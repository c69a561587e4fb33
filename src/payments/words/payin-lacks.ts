/**
 * The details that an incomplete collection waits for, as something to type: the service's own errors first,
 * else those that the flow asks for and that are not there. A code is asked for only where the flow has one.
 */
import { type PayinFlow, payinType } from '../../contract/corridors/payins.ts';
import type { PayinMethod } from '../../contract/resources/payment-method.ts';
import { type Hint, hint } from '../../core/next.ts';

export function lackedDetails({ type, ux_flow: name, in_details, errors, fields }: PayinMethod): string[] {
  const said = Object.keys(errors ?? {}).filter((field) => field !== 'base' && field !== 'main_error');
  if (said.length > 0) return said;
  const described = Object.keys(fields ?? {}).filter((field) => blank(in_details?.[field]));
  if (described.length > 0) return described;
  const flows: Readonly<Record<string, PayinFlow>> = payinType(type ?? '')?.flows ?? {};
  const flow = Object.hasOwn(flows, name ?? '') ? flows[name ?? ''] : undefined;
  const missing = (flow?.inDetails ?? []).filter(
    (field) => field.required && blank(in_details?.[field.name]),
  );
  if (missing.length > 0) return missing.map((field) => field.name);
  return flow?.asksCode ? ['otp'] : [];
}

const blank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** How to complete it; undefined where nothing is known to be lacking. */
export function completeHint(payin: PayinMethod): Hint | undefined {
  const lacked = lackedDetails(payin);
  if (lacked.length === 0) return undefined;
  return hint`${{ do: 'edit_payin_method', id: payin.id ?? '', lacks: lacked }}`;
}

/** Returns the choices for each of them, where it is a choice. */
export function choiceNotes(payin: PayinMethod): string[] {
  return lackedDetails(payin).flatMap((name) => {
    const options = Object.keys(payin.fields?.[name]?.options ?? {});
    return options.length > 0 && options.length <= 12 ? [`${name} is one of ${options.join(', ')}`] : [];
  });
}

/** Says what an incomplete collection waits for, and what to type. */
export function incompleteNotes(payin: PayinMethod): Hint[] {
  if (payin.state !== 'incomplete') return [];
  const next = completeHint(payin);
  if (next === undefined)
    return [hint`the collection is incomplete: ${{ do: 'show_payin_method', id: payin.id ?? '' }}`];
  const lacked = lackedDetails(payin);
  const what = lacked.join() === 'otp' ? 'the code' : lacked.join(', ');
  return [hint`it waits for ${what}: ${next}`, ...choiceNotes(payin)];
}
