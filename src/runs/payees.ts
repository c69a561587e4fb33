/**
 * Changed accounts are how payrolls are robbed. A plan compares whom it pays with what was paid before, in earlier runs and in the books: a
 * payee who was last paid at another account, and an account at which another payee was paid. They are in the digest, they stand before
 * everything else, and the user gives their number before the plan is kept; another person gives it again before approval.
 */

import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isPaidOut } from '../contract/states/money.ts';
import { counted, thousands } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { escapeLine } from '../core/escape.ts';
import { hint } from '../core/next.ts';
import { interrupted, refuse } from '../core/problem.ts';
import { booksOf, type Desk, type KnownBooks } from '../payments/desk.ts';
import type { Confirmer } from '../payments/gate.ts';
import { problemOf } from '../payments/problem-of.ts';
import type { MaskLevel } from '../payments/words/mask.ts';
import { type KnownPayee, knownBy, knownIn, shownPayee } from './payee.ts';
import { changedRows, type Plan, type PlannedPayees, planOf } from './plan-text.ts';
import type { ChangedPayee, PayRow, PayRun, PayRuns, RunAccount, RunDraft } from './store/port.ts';

/** Lines that are shown of one kind. */
const SHOWN = 20;

/** @param id the draft's, whose rows can be read by it */
export async function comparePayees(
  desk: Desk,
  payruns: PayRuns,
  { draft, id }: { draft: RunDraft; id: string },
): Promise<PlannedPayees> {
  const { changed, first, above } = await draft.payees();
  const books = await booksToAsk(desk);
  let known = 0;
  if (books !== undefined)
    for (const { n, key } of first.named) {
      const row = await payruns.row(id, key);
      const payee = row && (await knownIn(row));
      const found = payee && (await inBooks(books, payee));
      if (found === undefined) continue;
      known += 1;
      if (found !== 'same') changed.push({ n, key, ...found });
    }
  return {
    changed: changed.sort((a, b) => a.n - b.n),
    first: first.rows - known,
    above: above.rows,
    aboveRows: above.named.slice(0, SHOWN).map(({ key }) => key),
    unasked: books === undefined ? 0 : first.rows - first.named.length,
  };
}

/** Books whose names are hashed cannot be compared with names. Those that cannot be read stop nothing, and are reported. */
async function booksToAsk(desk: Desk): Promise<KnownBooks | undefined> {
  try {
    const opened = await booksOf(desk);
    return opened?.hider === undefined ? opened?.books : undefined;
  } catch (error) {
    desk.hear({
      says: `The books could not be asked who was paid before: ${problemOf(error).facts.message}`,
      as: 'note',
    });
    return undefined;
  }
}

/** Payments of the books that are looked at for one name, and for one account. */
const LOOKED_AT = 50;

async function inBooks(
  books: KnownBooks,
  payee: KnownPayee,
): Promise<'same' | Omit<ChangedPayee, 'n' | 'key'> | undefined> {
  const paid = async (text: string): Promise<{ id: string; known: KnownPayee }[]> => {
    if (text.length < 3) return [];
    const entries = await books.find([[text]], { limit: LOOKED_AT });
    const recipients = entries.flatMap(({ id, body }) =>
      ((JSON.parse(body) as Transaction).recipients ?? []).map((recipient) => ({ id, recipient })),
    );
    return Promise.all(
      recipients
        .filter(({ recipient: { state } }) => isPaidOut(state))
        .map(async ({ id, recipient }) => ({ id, known: await knownOf(recipient) })),
    );
  };
  const [byName, byAccount] = [
    (await paid(payee.name)).filter(({ known }) => known.name === payee.name),
    (await paid(payee.find)).filter(({ known }) => known.account === payee.account),
  ];
  if (byAccount.some(({ known }) => known.name === payee.name)) return 'same';
  const accounts = new Set(byName.map(({ known }) => known.account));
  const [was] = accounts.size === 1 ? byName : [];
  const [other] = byAccount;
  if (was === undefined && other === undefined) return undefined;
  return {
    ...(was && { by: 'person' as const, was: { run: BOOKS, key: was.id } }),
    ...(other && { isOthers: true, other: { run: BOOKS, key: other.id } }),
  };
}

/** Stands where the name of a run would stand, for a payment that the books have; no run has such a name. */
const BOOKS = '(books)';

const knownOf = ({ payout_method: method }: Recipient): Promise<KnownPayee> =>
  knownBy(method?.type ?? '', (method?.details ?? {}) as Record<string, unknown>);

/** A run, or a draft, on its account. */
interface Placed {
  id: string;
  account: Pick<RunAccount, 'baseUrl'>;
}

/** Each changed payee with the account of now and the one of before, by their ends; then how many are new or get far more. */
export async function payeeLines(desk: Desk, payruns: PayRuns, run: Placed, plan: Plan): Promise<string[]> {
  const { payees } = plan;
  if (payees === undefined) return [];
  const { changed, first, above, aboveRows, unasked } = payees;
  const lines: string[] = [];
  for (const one of changed.slice(0, SHOWN))
    lines.push(changeLine(await shownChange(desk, payruns, { run, one })));
  const more = changed.length - lines.length;
  return [
    ...(changed.length === 0 ? [] : [`LOOK AT ${changedWords(changed.length).toUpperCase()}:`]),
    ...lines,
    ...(more > 0 ? [`and ${thousands(more)} more`] : []),
    ...(first > 0
      ? [`${counted(first, 'payee')} ${first === 1 ? 'was' : 'were'} paid in no earlier run here`]
      : []),
    ...(above > 0
      ? [
          `${counted(above, 'row')} ${above === 1 ? 'is' : 'are'} more than three times what is usual for the account: ${aboveRows.join(', ')}${above > aboveRows.length ? ', …' : ''}`,
        ]
      : []),
    ...(unasked > 0
      ? [`${thousands(unasked)} of them were not looked for in the books: there are too many`]
      : []),
  ];
}

const changedWords = (rows: number): string => `${counted(rows, 'changed payee')}`;

/** A changed payee as the user judges it: the account of now beside those of before, by their ends. */
export interface ShownChange {
  /** Another one where the payee, or the payment that it is compared with, is another. */
  id: string;
  n: number;
  key: string;
  now: string;
  /** A label with its value: `last paid: …`. */
  before: string[];
}

export async function shownChange(
  desk: Desk,
  payruns: PayRuns,
  { run, one }: { run: Placed; one: ChangedPayee },
): Promise<ShownChange> {
  const { n, key, was, other } = one;
  const row = await payruns.row(run.id, key);
  const now = row === undefined ? 'is not there any more' : words(row, desk.mask);
  const before = async (place: ChangedPayee['was']): Promise<string> => {
    if (place === undefined) return '';
    if (place.run === BOOKS) return `payment ${place.key}`;
    const [earlier] = await payruns.find(run.account.baseUrl, place.run);
    const its = earlier && (await payruns.row(earlier.id, place.key));
    if (its === undefined || its.body === '')
      return `an account that is forgotten (${place.key} of ${place.run})`;
    // Masked, two accounts may read alike: then no change would be seen.
    const isAlike =
      place === one.was && row !== undefined && accountWords(its, desk) === accountWords(row, desk);
    const at = its.stands?.elsewhere;
    const how =
      at !== undefined
        ? `, CHANGED ELSEWHERE, seen at ${isoTime(at)}`
        : isAlike
          ? ', ANOTHER ACCOUNT WITH THE SAME END'
          : '';
    return `${words(its, desk.mask)}${how} (${place.key} of ${place.run})`;
  };
  return {
    id: [key, was?.run, was?.key, other?.run, other?.key].join(' '),
    ...{ n, key, now },
    before: [
      ...(one.by === undefined ? [] : [`last paid: ${await before(was)}`]),
      ...(one.isOthers ? [`the account was paid as: ${await before(other)}`] : []),
      ...(row?.holder === undefined ? [] : [holderWords(row.holder.name, isoTime(row.holder.at))]),
    ],
  };
}

const changeLine = ({ n, key, now, before }: ShownChange): string =>
  `row ${n} (${key}): ${now}; ${before.join('; ')}`;

const accountWords = (row: PayRow, { mask }: Desk): string | null => shownPayee(row, mask).account;

/** `Ada Obi, 044 ••••6789`. */
function words(row: PayRow, mask: MaskLevel): string {
  const { name, account } = shownPayee(row, mask);
  return [name, account].filter((part) => part !== null).join(', ');
}

const HOLDERS: Readonly<Record<NonNullable<PayRow['holder']>['name'], string>> = {
  match: 'the bank has this name',
  close: 'the bank has a name that is close',
  other: 'THE BANK HAS ANOTHER NAME',
  cannot_tell: 'the bank cannot tell the name',
};
export const holderWords = (name: keyof typeof HOLDERS, at: string | null): string =>
  `${HOLDERS[name]}${at === null ? '' : ` (asked ${at.slice(0, 10)})`}`;

/** Shown before everything else. */
export function showPayees(desk: Desk, lines: readonly string[]): void {
  for (const line of lines) desk.hear({ says: `  ${escapeLine(line)}`, as: 'warning' });
}

/** The same for a run as it is kept. */
export const showPayeesOf = async (desk: Desk, payruns: PayRuns, run: PayRun): Promise<void> =>
  showPayees(desk, await payeeLines(desk, payruns, run, planOf(run)));

/**
 * Takes the user's word for the changed payees, by their number: a terminal asks for it.
 * @throws Problem (check) where another number is given, or none without a terminal; (interrupted) for a no
 */
export async function acceptChanged(
  plan: Pick<Plan, 'payees'>,
  { given, confirmer }: { given: number | undefined; confirmer: Confirmer },
): Promise<void> {
  const rows = changedRows(plan);
  if (given === rows || (rows === 0 && given === undefined)) return;
  const are = `${counted(rows, 'payee')} ${rows === 1 ? 'is' : 'are'} not as before`;
  if (given === undefined && confirmer.isAttended) {
    const question = `${are}. Ask each of them by a way that you know from before, and not by the one that the change came by.`;
    if (await confirmer.confirm({ about: 'word', said: question, word: String(rows) })) return;
    throw interrupted();
  }
  throw refuse(
    'check',
    'payees_changed',
    rows === 0
      ? `no payee is changed, and you said ${given}`
      : `${are}${given === undefined ? '' : `, and you said ${given}`}`,
    {
      hint:
        rows === 0
          ? 'leave the number out'
          : hint`ask each of them; where all are right: ${{ give: 'accept_changed', value: String(rows) }}`,
      fields: (plan.payees?.changed ?? []).slice(0, SHOWN).map(({ key, by }) => ({
        path: key,
        words: [
          by === undefined
            ? 'has an account at which somebody else was paid'
            : 'was paid at another account before',
        ],
      })),
      note: 'nothing was changed, and nothing was sent',
    },
  );
}
