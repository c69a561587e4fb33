/** Who pays: named by an id or an external id, or described in the row. */
import type { TransactionWrite } from '../../../contract/resources/transaction.ts';
import { isUuid } from '../../../core/ids.ts';
import { inlineSender, type Payout, senderFaults } from './inline-sender.ts';
import { type Fault, type FileRow, faultAt } from './row.ts';

export interface RowSender {
  sender: TransactionWrite['sender'];
  /** The id or external id that is to be looked up. */
  lookUp: string | undefined;
}

/** Undefined where there is a fault. `payout` is undefined where it is not right itself. */
export async function senderOf(
  row: FileRow,
  fields: Readonly<Record<string, string>>,
  payout: Payout | undefined,
  faults: Fault[],
): Promise<RowSender | undefined> {
  const names = Object.keys(fields);
  const own = row.cells.sender?.trim();
  if (own !== undefined && names.length > 0) {
    faults.push(faultAt(row, 'sender', 'sender', 'is named, and described as well', 'one of the two'));
    return undefined;
  }
  const given = own ?? (names.length === 1 ? fields.external_id?.trim() : undefined);
  if (given !== undefined) return named(given);
  if (names.length === 0) {
    const right = 'your id of the sender, or columns such as sender.first_name';
    faults.push(faultAt(row, 'sender', 'missing', 'is missing', right));
    return undefined;
  }
  const wrong = await senderFaults(row, fields, payout);
  const found = wrong.filter(({ column }) => !faults.some((one) => one.column === column));
  faults.push(...found);
  return found.length > 0 ? undefined : { sender: inlineSender(fields), lookUp: undefined };
}

const named = (given: string): RowSender => ({
  sender: isUuid(given) ? { id: given.toLowerCase() } : { external_id: given },
  lookUp: given,
});
