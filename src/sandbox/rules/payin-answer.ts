import type { Plain } from '../store/records.ts';
import type { PayinReading } from './payin.ts';
import { fieldsNamed } from './payin-fields.ts';
import { Problems } from './problems.ts';

/** The method as sent, with an `errors` of its own: empty where the flow is open, else with the `fields` that are at fault. */
export function payinAnswer({ refused, problems, missing }: PayinReading): Plain {
  const sent = refused();
  const errors = new Problems().merge(problems).merge(missing).wire ?? {};
  const fields = fieldsNamed(String(sent.type), String(sent.ux_flow), Object.keys(errors));
  return { ...sent, errors, ...(Object.keys(fields).length > 0 ? { fields } : {}) };
}
