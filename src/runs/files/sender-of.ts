/** Tells who pays: named by an id or an external id, or described in the row. */

import { checkSenderRequirements } from '../../contract/corridors/check.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import type { SenderWrite } from '../../contract/resources/sender.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { byWord } from '../../core/by-word.ts';
import { isUuid } from '../../core/ids.ts';
import { type Fault, type FileRow, faultAt } from '../../tables/row.ts';
import type { KnownCorridor } from './corridors.ts';

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

type Fields = Readonly<Record<string, string>>;

/**
 * A sender that is described within the row, by the rules of the service for senders and of the corridor for
 * who pays. The payout of the row, where that is right: corridors have rules for who sends.
 */
interface Payout {
  known: KnownCorridor;
  kind: PartyKind;
  details: Fields;
}

/** Returns the faults of a new sender, by the demands of every account; more than that only the service knows. */
async function senderFaults(row: FileRow, fields: Fields, payout: Payout | undefined): Promise<Fault[]> {
  const { checkIdentification, checkShapes } = await import('../../sandbox/rules/sender.ts');
  const { Problems } = await import('../../sandbox/rules/problems.ts');
  const problems = new Problems();
  const kind: PartyKind = fields.type === 'business' ? 'business' : 'person';
  if (fields.type !== undefined && fields.type !== 'person' && fields.type !== 'business')
    problems.add('type', 'invalid');
  if (fields.ip === undefined) problems.add('ip', 'blank');
  const full = payout !== undefined && !payout.known.corridor.simplifiedSenders;
  problems.merge(checkIdentification(fields, kind, full));
  checkShapes(fields, problems);
  if (payout !== undefined) {
    const parties = { sender: kind, recipient: payout.kind };
    const wrong = checkSenderRequirements(payout.known.corridor, parties, fields, payout.details);
    for (const [field, words] of Object.entries(wrong)) for (const word of words) problems.add(field, word);
  }
  return Object.entries(problems.wire ?? {}).map(([field, found]) => {
    const words = found.map(({ error }) => error);
    if (field === 'base') return faultAt(row, 'sender', 'wrong_sender', words.join(', '));
    const isBlank = words.includes('blank');
    const [code, says] = isBlank ? ['missing', 'is missing'] : ['wrong_sender', 'is not valid'];
    return faultAt(row, `sender.${field}`, code, says, RIGHT[field]);
  });
}

const RIGHT: Readonly<Record<string, string>> = byWord({
  country: 'two letters, such as NG',
  birth_date: 'a day, such as 1990-01-31',
  registration_date: 'a day, such as 2010-01-31',
  email: 'an address, such as ines@example.com',
  ip: 'the address that the sender came from, such as 203.0.113.7',
  phone_number: 'an international number, or a national one with phone_country',
  type: 'person or business',
  identification_number: 'or an address, or a birth date',
});

/** Returns the sender as it is sent: a member that is empty, and asked for all the same, stands there empty. */
const inlineSender = (fields: Fields): SenderWrite => ({
  documents: [],
  metadata: {},
  ...Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))),
});
