/** Whom a row pays: as payees are compared, and as they are shown. */
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { fold } from '../../core/fold.ts';
import type { PayRow } from '../../core/ports/payruns.ts';
import { type MaskLevel, maskData } from '../words/mask.ts';
import { accountIn, accountOf, fullName } from '../words/person.ts';
import { knownCorridor } from './files/corridors.ts';

type Details = Readonly<Record<string, unknown>>;

/** A payee as it is compared: blanks, capitals and accents make no other name, and blanks and capitals no other account. */
export interface Known {
  name: string;
  /** The account with its bank. */
  account: string;
  /** The account alone, as the books find it. */
  find: string;
}

export async function knownBy(type: string, details: Details): Promise<Known> {
  const known = await knownCorridor(type);
  const parts =
    known === undefined ? [accountOf({ ...details })] : known.account.map((name) => details[name] ?? '');
  return {
    name: fold(fullName({ ...details })),
    account: parts.map((part) => String(part).replace(/\s+/g, '').toUpperCase()).join(' '),
    find: fold(accountIn(details) ?? ''),
  };
}

/** Empty in a run that was forgotten. */
function detailsOf({ body }: Pick<PayRow, 'body'>): Details {
  if (body === '') return {};
  const { recipients } = JSON.parse(body) as Partial<TransactionWrite>;
  return recipients?.[0]?.payout_method?.details ?? {};
}

export const knownIn = (row: PayRow): Promise<Known> => knownBy(row.type, detailsOf(row));

/** Null where nobody is known any more. */
export function shownPayee(
  row: Pick<PayRow, 'body'>,
  mask: MaskLevel,
): { name: string | null; account: string | null } {
  const details = maskData({ ...detailsOf(row) }, mask, 'details');
  return { name: fullName(details) || null, account: accountOf(details) || null };
}
