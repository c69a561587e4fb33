/**
 * Whom a row pays by the service's records. The file asks for an account; an edit, or somebody else, may have made it another one. The account
 * that a record shows whole stands, the latest by the service's time. How the service writes what was asked is its spelling, and no change.
 */
import { isMasked, sameMember } from '../../client/same.ts';
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

/** A row whose payee is another one: its prints, and when somebody else did that. */
export interface Redirected extends ReturnType<typeof payeePrints> {
  elsewhere: number | undefined;
}

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
  const before = kept?.now ?? kept?.spelt ?? given;
  const routes = accountNames(loadedCorridor(type), { ...before, ...details });
  const names = [
    ...new Set([...routes, ...Object.keys({ ...before, ...details }).filter((name) => isNameOfPayee(name))]),
  ];
  const differing = (from: Details, to: Details, all: readonly string[]): string[] =>
    all.filter((name) => sameMember(name, from[name], to[name]) === 'other');
  // What the first record has beyond what was asked, the service filled in.
  const others = differing(
    before,
    details,
    kept === undefined ? names.filter((name) => isThere(before[name])) : names,
  );
  const whole = Object.fromEntries(
    names.flatMap((name) => (isWhole(details[name]) ? [[name, details[name]]] : [])),
  );
  if (others.length === 0) {
    if (kept !== undefined || routes.some((name) => isThere(given[name]) && !isWhole(details[name])))
      return undefined;
    const isSpelt = names.some((name) => isThere(whole[name]) && whole[name] !== given[name]);
    return { stands: JSON.stringify({ at, ...(isSpelt && { spelt: whole }) } satisfies Standing) };
  }
  if (by === undefined) return 'unexplained';
  const taken = { ...before, ...whole };
  const now = differing(kept?.spelt ?? given, taken, names).length > 0 ? taken : undefined;
  const isOurs = by.edit !== undefined && by.edit !== kept?.edit;
  const isMoved = others.some((name) => routes.includes(name));
  const elsewhere = isOurs ? undefined : isMoved ? by.at : kept?.elsewhere;
  const edit = isOurs ? by.edit : kept?.edit;
  return {
    stands: JSON.stringify({ at, spelt: kept?.spelt, now, edit, elsewhere } satisfies Standing),
    redirected: {
      ...payeePrints(type, routes, now ?? given, [asked.requested_amount, asked.requested_currency]),
      elsewhere,
    },
  };
}
