/** The accounts of a journal, as the partner's own file names them: one for each role, or one for each role and currency. */
import { usage } from '../../core/problem.ts';
import { type JournalEntry, ROLES, type Role } from './entries.ts';

/** `Assets:Remit:{currency}`, or a name for each currency. */
type Named = string | Readonly<Record<string, string>>;

export interface Accounts {
  /** Names the file in messages. */
  file: string;
  roles: Readonly<Partial<Record<Role, Named>>>;
}

/** @param content of the file, an object of texts and objects. @throws Problem (usage) naming everything that is wrong in it */
export function readAccounts(content: Readonly<Record<string, unknown>>, file: string): Accounts {
  const wrong: string[] = [];
  const roles: Partial<Record<Role, Named>> = {};
  for (const [name, value] of Object.entries(content)) {
    const role = ROLES.find((one) => one === name);
    if (role === undefined) wrong.push(`"${name}" is no role`);
    else if (isText(value)) roles[role] = String(value);
    else if (isByCurrency(value)) roles[role] = value;
    else wrong.push(`${name} is no name of an account`);
  }
  if (wrong.length > 0)
    throw usage(`${file}: ${wrong.join('; ')}`, `the roles are ${ROLES.join(', ')}; see docs/journal.md`);
  return { file, roles };
}

const isText = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

const isByCurrency = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([currency, name]) => /^[A-Z]{3,4}$/.test(currency) && isText(name));

/** Undefined where the file names none. */
export function accountForRole({ roles }: Accounts, role: Role, currency: string): string | undefined {
  const named = roles[role];
  if (named === undefined) return undefined;
  if (typeof named === 'string') return named.replaceAll('{currency}', currency);
  const own = named[currency];
  return own === undefined ? undefined : String(own);
}

/** Tells which names a program takes for an account, and how it says so. */
export interface NameRule {
  fits: RegExp;
  words: string;
}

/** True where every role has a name for every currency, and all of them fit: then no entry can lack an account. */
export const hasEveryAccount = ({ roles }: Accounts, { fits }: NameRule): boolean =>
  ROLES.every((role) => {
    const named = roles[role];
    return typeof named === 'string' && fits.test(named.replaceAll('{currency}', 'EUR'));
  });

/** The accounts of the entries, by their role and currency. */
export class UsedAccounts {
  readonly #pairs = new Map<string, { role: Role; currency: string }>();

  /** True where any entry had a leg. */
  get some(): boolean {
    return this.#pairs.size > 0;
  }

  note(legs: JournalEntry['legs']): void {
    for (const { role, currency } of legs) {
      const pair = `${role} ${currency}`;
      if (!this.#pairs.has(pair)) this.#pairs.set(pair, { role, currency });
    }
  }

  /** Sorted by name. @throws Problem (usage) naming every role and currency without an account, and every name that does not fit */
  names(accounts: Accounts, { fits, words }: NameRule): { name: string; currency: string }[] {
    const missing: string[] = [];
    const names: { name: string; currency: string }[] = [];
    const unfit = new Set<string>();
    for (const { role, currency } of this.#pairs.values()) {
      const name = accountForRole(accounts, role, currency);
      if (name === undefined) missing.push(`${role} (${currency})`);
      else if (fits.test(name)) names.push({ name, currency });
      else unfit.add(name);
    }
    if (missing.length > 0)
      throw usage(
        `${accounts.file} names no account for ${missing.sort().join(', ')}`,
        'add it, such as `margin: Expenses:Margin:{currency}`; see docs/journal.md',
      );
    if (unfit.size > 0) throw usage(`${[...unfit].sort().join(', ')}: no account of this program`, words);
    const key = (one: { name: string; currency: string }): string => `${one.name} ${one.currency}`;
    return names.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}
