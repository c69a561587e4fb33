/** Compares a record of the service with the one that we asked for: same sender, same amounts, same recipients. */
import { directionOf } from '../contract/direction.ts';
import type {
  Recipient,
  RecipientEdit,
  RecipientWrite,
  Transaction,
  TransactionWrite,
} from '../contract/resources/transaction.ts';
import { isAsAlikeAs, type Sameness, sameAmount, sameCurrency, sameMember, sameParty } from './same.ts';

/** A member that was asked for, and how the record has it. */
interface Compared {
  name: string;
  sameness: Sameness;
}

/** Names of the members that are another, empty where the record may be ours. Recipients are compared in any order. */
export const transactionDifferences = (asked: TransactionWrite, found: Transaction): string[] =>
  lessAlikeThan('cannot_tell', comparedTransaction(asked, found));

/** Names of the members that are written in another way than they were asked. What the record does not show is not among them. */
export const writtenOtherwise = (asked: TransactionWrite, found: Transaction): string[] =>
  comparedTransaction(asked, found)
    .filter(({ sameness }) => sameness === 'written_otherwise')
    .map(({ name }) => name);

const lessAlikeThan = (least: Sameness, members: readonly Compared[]): string[] =>
  members.filter(({ sameness }) => !isAsAlikeAs(sameness, least)).map(({ name }) => name);

function comparedTransaction(asked: TransactionWrite, found: Transaction): Compared[] {
  const members: Compared[] = [
    ...(asked.external_id === undefined
      ? []
      : [{ name: 'external_id', sameness: sameMember('external_id', asked.external_id, found.external_id) }]),
    { name: 'input_currency', sameness: sameCurrency(asked.input_currency, found.input_currency) },
    ...comparedSender(asked, found),
    ...comparedMetadata('metadata', asked.metadata, found.metadata),
    ...comparedPayins(asked, found),
  ];
  const rest = [...(found.recipients ?? [])];
  if (rest.length !== asked.recipients.length) return [...members, { name: 'recipients', sameness: 'other' }];
  const inOrder = asked.recipients.map((one, at) => comparedRecipient(one, rest[at] as Recipient));
  const pairs = inOrder.every((one) => lessAlikeThan('same', one).length === 0)
    ? inOrder
    : paired(asked.recipients, rest);
  return [
    ...members,
    ...pairs.flatMap((one, at) =>
      one.map(({ name, sameness }) => ({ name: `recipients.${at}.${name}`, sameness })),
    ),
  ];
}

/** Each recipient with the most alike of those that are left; one that is another takes none. */
function paired(asked: readonly RecipientWrite[], found: readonly Recipient[]): Compared[][] {
  const rest = [...found];
  return asked.map((recipient) => {
    const all = rest
      .map((candidate) => ({ candidate, members: comparedRecipient(recipient, candidate) }))
      .sort((a, b) => distance(a.members) - distance(b.members));
    const nearest = all[0];
    if (nearest === undefined) return [{ name: 'recipient', sameness: 'other' }];
    if (lessAlikeThan('cannot_tell', nearest.members).length === 0)
      rest.splice(rest.indexOf(nearest.candidate), 1);
    return nearest.members;
  });
}

/** A member that is another counts more than any number of those that are written otherwise. */
const distance = (members: readonly Compared[]): number =>
  1000 * lessAlikeThan('cannot_tell', members).length + lessAlikeThan('same', members).length;

const exactly = (name: string, asked: unknown, found: unknown): Compared[] =>
  asked === undefined
    ? []
    : [{ name, sameness: asked === found ? 'same' : isBlank(found) ? 'cannot_tell' : 'other' }];

/**
 * Tells who pays. A sender that was named by an id is another one where the record shows another id; of one that was given in full, each text
 * that the record shows is compared. What the record does not show is no difference.
 */
function comparedSender({ sender: asked }: TransactionWrite, { sender: found }: Transaction): Compared[] {
  if (found == null) return [];
  const { id, external_id: externalId, documents: _, ip: __, metadata, ...members } = asked;
  if (isBlank(id) && isBlank(externalId)) {
    const shown: Readonly<Record<string, unknown>> = found;
    return [
      ...Object.entries(members)
        .filter(([name, value]) => typeof value === 'string' && typeof shown[name] === 'string')
        .map(([name, value]) => ({ name: `sender.${name}`, sameness: sameParty(name, value, shown[name]) })),
      ...comparedMetadata('sender.metadata', metadata as Members, found.metadata),
    ];
  }
  return [
    ...(isBlank(id) || isBlank(found.id)
      ? []
      : [
          {
            name: 'sender.id',
            sameness: sameMember('id', String(id).toLowerCase(), found.id?.toLowerCase()),
          },
        ]),
    ...(isBlank(externalId) || isBlank(found.external_id)
      ? []
      : exactly('sender.external_id', String(externalId).trim(), found.external_id)),
  ];
}

type Members = Record<string, unknown> | null | undefined;

/** Members of the metadata that we set; a record without metadata is no other. */
const comparedMetadata = (prefix: string, asked: Members, found: Members): Compared[] =>
  found == null ? [] : comparedDetails(prefix, asked, found);

const comparedDetails = (prefix: string, asked: Members, found: Members): Compared[] =>
  Object.entries(asked ?? {}).map(([name, value]) => ({
    name: `${prefix}.${name}`,
    sameness: sameMember(name, value, found?.[name]),
  }));

/** Tells who is asked to pay, and how: where we asked for it, and the answer shows it. */
function comparedPayins(
  { payin_methods: asked }: TransactionWrite,
  { payin_methods: found }: Transaction,
): Compared[] {
  if (asked === undefined || found == null) return [];
  if (found.length !== asked.length) return [{ name: 'payin_methods', sameness: 'other' }];
  return asked.flatMap((payin, at) => [
    ...exactly(`payin_methods.${at}.type`, payin.type, found[at]?.type),
    ...exactly(`payin_methods.${at}.ux_flow`, payin.ux_flow, found[at]?.ux_flow),
    ...comparedDetails(`payin_methods.${at}.in_details`, payin.in_details, found[at]?.in_details),
  ]);
}

function comparedRecipient(asked: RecipientWrite, found: Recipient): Compared[] {
  const { requested_amount: amount, requested_currency: currency, payout_method: method } = asked;
  return [
    { name: 'requested_amount', sameness: sameAmount(amount, found.requested_amount, currency) },
    { name: 'requested_currency', sameness: sameCurrency(currency, found.requested_currency) },
    ...exactly('type', asked.type, found.type),
    ...exactly('payout_method.type', method.type, found.payout_method?.type),
    ...comparedDetails('payout_method.details', method.details, found.payout_method?.details),
    ...comparedMetadata('metadata', asked.metadata, found.metadata),
    ...comparedMetadata('payout_method.metadata', method.metadata, found.payout_method?.metadata),
  ];
}

/** Details that we sent and that do not read the same; what the service added is its own affair. */
export const detailDifferences = (
  asked: Record<string, unknown>,
  found: Record<string, unknown>,
  least: Sameness = 'same',
): string[] =>
  Object.entries(asked)
    .filter(([name, value]) => !isAsAlikeAs(sameMember(name, value, found[name]), least))
    .map(([name]) => name);

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

const PAYEE = /(?:^|_)(?:name|account|iban|phone|phone_number|msisdn|e?mail|address|wallet|key_value)$/;
/** Names of a bank, which many payees share. */
const NO_PAYEE = /^bank_name$/;

/**
 * True where the record shows the money and each payee: a name, an account, a phone or an e-mail that is the one that was asked for. Country, type
 * and bank are those of many. A credit to the balance names no payee.
 */
export const showsMoneyAndPayees = (asked: TransactionWrite, found: Transaction): boolean =>
  hasMoneyAndPayees(asked, found, 'written_otherwise');

/** True where each recipient of the record has the amount, the currency and a payee as they were asked, to the letter. */
export const hasOurMoneyAndPayees = (asked: TransactionWrite, found: Transaction): boolean =>
  hasMoneyAndPayees(asked, found, 'same');

const hasMoneyAndPayees = (asked: TransactionWrite, found: Transaction, least: Sameness): boolean =>
  (found.recipients?.length ?? 0) === asked.recipients.length &&
  paired(asked.recipients, found.recipients ?? []).every(
    (members, at) =>
      (directionOf(asked.recipients[at] as RecipientWrite) === 'collection' ||
        members.some(({ name, sameness }) => isOfPayee(name) && isAsAlikeAs(sameness, least))) &&
      members.every(({ name, sameness }) => !name.startsWith('requested_') || isAsAlikeAs(sameness, least)),
  );

function isOfPayee(name: string): boolean {
  const [, detail = ''] = /^payout_method\.details\.(.+)$/.exec(name) ?? [];
  return PAYEE.test(detail) && !NO_PAYEE.test(detail);
}

const EDITABLE =
  /^(?:recipients\.\d+\.(?:type|metadata\..+|payout_method\.(?:details|metadata)\..+)|payin_methods\.\d+\.in_details\..+|sender\.(?!id$|external_id$).+)$/;

/** True when only what an edit may have changed since differs: the record can still be the one that we asked for. */
export function isPerhapsEdited(differences: readonly string[]): boolean {
  return differences.length > 0 && differences.every(isEditableMember);
}

/** True of a member that an edit can change after the creation. */
export const isEditableMember = (name: string): boolean => EDITABLE.test(name);

/** Names of what an edit asked for and a recipient does not have. A masked detail proves nothing of it. */
export function editDifferences(asked: RecipientEdit, found: Recipient): string[] {
  const { payout_method: method, metadata } = asked;
  return [
    ...detailDifferences(method?.details ?? {}, found.payout_method?.details ?? {}),
    ...prefixed('payout_method.metadata', method?.metadata, found.payout_method?.metadata),
    ...prefixed('metadata', metadata, found.metadata),
  ];
}

const prefixed = (prefix: string, asked: Members, found: Members): string[] =>
  detailDifferences(asked ?? {}, found ?? {}).map((name) => `${prefix}.${name}`);
