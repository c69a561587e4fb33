/** The ids and names that commands take, and how each is read. */
import { isBeginning, isTooShort, isUuid, TOO_SHORT } from '../../../core/ids.ts';
import type { Hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { type Argument, flags, type Input } from '../../../frame/flags/flag.ts';

export const recipientArgument: Argument = {
  name: 'ID',
  summary: 'the recipient’s id, or the external id of a payment to one recipient',
};
export const txFlag = flags({
  tx: {
    value: 'id',
    summary: 'its transaction (id or external id), if remit has not seen the recipient yet',
  },
});
export const payinMethodArgument: Argument = {
  name: 'ID',
  summary: 'the payin method’s id, or the external id of its collection',
};
export const mandateArgument: Argument = {
  name: 'ID',
  summary: 'the mandate’s id, its recipient’s, or the external id of the payment',
};
export const idArgument = (thing: string): Argument => ({ name: 'ID', summary: `the ${thing}’s id` });

/** A whole id, or the beginning of one. @throws Problem (usage) */
export function readId(input: Input, thing: string, next: Hint): string {
  const id = input.args[0] ?? '';
  if (isUuid(id) || isBeginning(id)) return id.toLowerCase();
  if (isTooShort(id)) throw usage(`"${id}" is too short: ${TOO_SHORT}`, next);
  throw usage(`"${id}" is not a ${thing}'s id`, next);
}

/** An id, or another name that the thing goes by. @throws Problem (usage) where it is empty */
export function readName(input: Input, next: Hint): string {
  const given = input.args[0] ?? '';
  if (given.trim() === '') throw usage('the ID is empty', next);
  return given;
}
