/** A sender that is described within the row, by the rules of the service for senders and of the corridor for who pays. */
import { checkSenderRequirements } from '../../../contract/corridors/check.ts';
import type { PartyKind } from '../../../contract/corridors/corridor.ts';
import type { SenderWrite } from '../../../contract/resources/sender.ts';
import type { KnownCorridor } from './corridors.ts';
import { type Fault, type FileRow, faultAt } from './row.ts';

type Fields = Readonly<Record<string, string>>;

/** The payout of the row, where that is right: corridors have rules for who sends. */
export interface Payout {
  known: KnownCorridor;
  kind: PartyKind;
  details: Fields;
}

/** Returns the faults of a new sender, by the demands of every account; more than that only the service knows. */
export async function senderFaults(
  row: FileRow,
  fields: Fields,
  payout: Payout | undefined,
): Promise<Fault[]> {
  const { checkIdentification, checkShapes } = await import('../../../sandbox/rules/sender.ts');
  const { Problems } = await import('../../../sandbox/rules/problems.ts');
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

const RIGHT: Readonly<Record<string, string>> = {
  country: 'two letters, such as NG',
  birth_date: 'a day, such as 1990-01-31',
  registration_date: 'a day, such as 2010-01-31',
  email: 'an address, such as ines@example.com',
  ip: 'the address that the sender came from, such as 203.0.113.7',
  phone_number: 'an international number, or a national one with phone_country',
  type: 'person or business',
  identification_number: 'or an address, or a birth date',
};

/** Returns the sender as it is sent: a member that is empty, and asked for all the same, stands there empty. */
export const inlineSender = (fields: Fields): SenderWrite => ({
  documents: [],
  metadata: {},
  ...Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))),
});
