/** Whom a row pays: as payees are compared, and as they are shown. */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { fold } from '../core/fold.ts';
import { type MaskLevel, maskData } from '../payments/words/mask.ts';
import { accountIn, fullName, payoutAccountOf } from '../payments/words/person.ts';
import { type KnownCorridor, knownCorridor } from './files/corridors.ts';
import type { PayRow, Standing } from './store/port.ts';

type Details = Readonly<Record<string, unknown>>;

/** A payee as it is compared: blanks, capitals and accents make no other name, and blanks and capitals no other account. */
export interface KnownPayee {
  name: string;
  /** The account with its bank. */
  account: string;
  /** The account alone, as the books find it. */
  find: string;
}

/** Blanks and capitals make no other account. */
const bare = (text: string): string => (/[\sa-z]/.test(text) ? text.replace(/\s+/g, '').toUpperCase() : text);

/** The parts of an account, with its bank, as they are compared. Those that were counted first have their places, also where they are empty. */
export const partsOf = ({ account }: Pick<KnownCorridor, 'account'>, details: Details): string[] =>
  account.flatMap((name) => {
    const text = bare(String(details[name] ?? ''));
    return PLACED.test(name) ? [text] : text === '' ? [] : [`${name}=${text}`];
  });

const PLACED =
  /^(?:iban|bank_account|bank_code|branch_code|sort_code|bic|phone_number|pix_key_value|address|country|first_name|last_name|name)$/;
const NAMES = /^(?:first|middle|last)_name$|^name$/;

export const isNameOfPayee = (name: string): boolean => NAMES.test(name);

/** Names of the details that tell accounts of a type apart; of a type that nobody knows, all but the payee's names. */
export const accountNames = (known: KnownCorridor | undefined, details: Details): readonly string[] =>
  known?.account ??
  Object.keys(details)
    .filter((name) => !isNameOfPayee(name))
    .sort();

/** The name as it is compared; empty where there is none. */
export const nameOf = (details: Details): string => fold(fullName({ ...details }));

export async function knownBy(type: string, details: Details): Promise<KnownPayee> {
  const known = await knownCorridor(type);
  return {
    name: nameOf(details),
    account: partsOf({ account: accountNames(known, details) }, details).join(' '),
    find: fold(accountIn(details) ?? ''),
  };
}

/** The details as they were asked for; empty in a run that was forgotten. */
export function payeeDetails({ body }: Pick<PayRow, 'body'>): Details {
  if (body === '') return {};
  const { recipients } = JSON.parse(body) as Partial<TransactionWrite>;
  return recipients?.[0]?.payout_method?.details ?? {};
}

export const knownIn = (row: PayRow): Promise<KnownPayee> => knownBy(row.type, payeeDetails(row));

/** The details to which the row is paid: those that the service shows, where they are others than were asked for. */
export const standingDetails = (row: StandingRow): Details => row.stands?.now ?? payeeDetails(row);

type StandingRow = Pick<PayRow, 'body'> & { stands?: Standing | undefined };

/** Null where the payee was forgotten. */
export function shownPayee(
  row: StandingRow,
  mask: MaskLevel,
): { name: string | null; account: string | null } {
  const details = maskData({ ...standingDetails(row) }, mask, 'details');
  return { name: fullName(details) || null, account: payoutAccountOf(details) || null };
}
