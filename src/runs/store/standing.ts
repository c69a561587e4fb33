/**
 * Whom a row pays by the service's records. The file asks for an account; an edit, of this journal or not, may have made it another one. The account
 * that a record shows whole stands, the latest by the service's time. How the service writes what was asked is its spelling, and no change.
 */
import { isMasked, sameMember } from '../../client/same.ts';
import { personalOf } from '../../contract/personal.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { knownCorridor, loadedCorridor } from '../files/corridors.ts';
import { payeePrints } from '../files/payment.ts';
import { accountNames, isNameOfPayee } from '../payee.ts';
import type { RowNews, ShownPayout, Standing } from './rows-port.ts';

type Details = Readonly<Record<string, unknown>>;

/** Loads what tells accounts of these types apart. */
export async function learnTypes(news: Iterable<RowNews>): Promise<void> {
  for (const { shown } of news)
    if (shown !== undefined && loadedCorridor(shown.type) === undefined) await knownCorridor(shown.type);
}

/** A row whose payee is another one: its prints, and when no edit of this journal did it. */
export interface Redirected extends ReturnType<typeof payeePrints> {
  elsewhere: number | undefined;
}

/** True of a detail of which nothing here knows what it does. */
export const isStrange = (name: string): boolean => personalOf(name) === undefined;

interface Kept {
  type: string;
  body: string;
  stands: string | undefined;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const isWhole = (value: unknown): boolean => isThere(value) && !isMasked(String(value));

/**
 * Returns what a record makes of a row. `unexplained`: it shows another payee, and it was not looked up who did that. Undefined where it is
 * older, or shows nothing new.
 */
export function afterShown(
  { type, body, stands }: Kept,
  shown: ShownPayout | undefined,
): { stands: string; redirected?: Redirected } | 'unexplained' | undefined {
  // A row that was forgotten has no body, and learns nothing of a person any more.
  if (shown === undefined || shown.type !== type || body === '') return undefined;
  const [asked] = (JSON.parse(body) as Partial<TransactionWrite>).recipients ?? [];
  if (asked === undefined) return undefined;
  const kept = stands === undefined ? undefined : (JSON.parse(stands) as Standing);
  const { at, by, details } = shown;
  if (kept?.at !== undefined && (at === undefined || at < kept.at)) return undefined;
  const given: Details = asked.payout_method.details ?? {};
  const before: Details = { ...given, ...kept?.spelt, ...kept?.now };
  const all = Object.keys({ ...before, ...details });
  const routes = accountNames(loadedCorridor(type), { ...before, ...details });
  const strange = all.filter(isStrange);
  const names = [...new Set([...routes, ...strange, ...all.filter(isNameOfPayee)])];
  // The service fills in what was not asked for, and tells new details that remit does not know.
  const isCompared = (name: string): boolean =>
    isThere(before[name]) || (kept !== undefined && !strange.includes(name));
  const isOther = (from: Details, to: Details) => (name: string) =>
    sameMember(name, from[name], to[name]) === 'other';
  const others = names.filter((name) => isCompared(name) && isOther(before, details)(name));
  const whole = (wanted: (name: string) => boolean): Details =>
    Object.fromEntries(
      names.flatMap((name) => (wanted(name) && isWhole(details[name]) ? [[name, details[name]]] : [])),
    );
  const isFirst = kept === undefined;
  const filled = whole((name) =>
    isFirst
      ? !others.includes(name) && details[name] !== given[name]
      : strange.includes(name) && !isThere(before[name]),
  );
  const isFilled = Object.keys(filled).length > 0;
  const spelt = isFilled ? { ...kept?.spelt, ...filled } : kept?.spelt;
  if (others.length === 0) {
    const isShort = isFirst && routes.some((name) => isThere(given[name]) && !isWhole(details[name]));
    if (isShort || !(isFirst || isFilled)) return undefined;
    return { stands: JSON.stringify({ ...kept, at, spelt } satisfies Standing) };
  }
  if (by === undefined) return 'unexplained';
  const taken = { ...given, ...kept?.now, ...whole((name) => others.includes(name)) };
  const now = names.some(isOther(given, taken)) ? taken : undefined;
  const isOurs = by.edit !== undefined && by.edit !== kept?.edit;
  const isMoved = others.some((name) => !isNameOfPayee(name) || routes.includes(name));
  const elsewhere = isOurs ? undefined : isMoved ? by.at : kept?.elsewhere;
  const edit = isOurs ? by.edit : kept?.edit;
  return {
    stands: JSON.stringify({ at, spelt, now, edit, elsewhere } satisfies Standing),
    redirected: {
      ...payeePrints(type, routes, now ?? given, [asked.requested_amount, asked.requested_currency]),
      elsewhere,
    },
  };
}
