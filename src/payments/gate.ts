/**
 * Production is loud (docs/rules.md 6, decision 0003). Every write passes here before anything is sent: it says where it goes and what it
 * moves, refuses sandbox-only calls elsewhere and what the profile does not allow, and in production wants a user's yes.
 * With a user at the terminal it asks on a sandbox too, so that practice teaches the right reflex. It gives a WritePermit, which every write needs.
 */

import { keyLast4 } from '../core/account.ts';
import type { Effect } from '../core/effect.ts';
import { escapeLine } from '../core/escape.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { configProblem, interrupted, usage } from '../core/problem.ts';
import type { Connection } from '../profiles/connection.ts';
import { isJournalTemporary } from '../profiles/paths.ts';
import type { Confirmation } from './confirmation.ts';
import { countForDay, dayRefusal } from './day-ceiling.ts';
import { type Desk, tell } from './desk.ts';
import { type Amount, refuseByLimits } from './limits.ts';
import { type AccountWord, onAccount } from './words/questions.ts';

/** A step is something that is about to be done. */
export interface WriteStep {
  effect: Effect;
  sandboxOnly?: boolean | undefined;
  /** The lines that say what is about to happen, amounts included: `pay 12.50 EUR to Ada Obi (NGN::Bank)`. */
  what: readonly string[];
  /** The warnings to look at again before the answer, worded so that they are seen. */
  warnings?: readonly string[] | undefined;
  /** The last question, with the amount in it: `Pay 12.50 EUR from the LIVE balance?`. Made of the first line where it is left out. */
  question?: ((account: AccountWord) => string) | undefined;
  /** More lines, that cost a look: asked for only once nothing stands in the way. */
  look?: ((confirmer: Confirmer) => Promise<readonly string[]>) | undefined;
  /**
   * Asked again behind a person's answer: a question may stand for hours, and what was true when it was asked need not be. @throws Problem
   * where the answer was to something else; then nothing is sent
   */
  again?: (() => Promise<void>) | undefined;
  /** The word that a person types in production, in place of a `y`. */
  confirm: Confirmation;
  /**
   * The amounts that leave, in the currency that is paid in, for the profile's `max_amount` and `max_per_day`. Absent where a
   * call names no new amount (a correction, a cancel); an amount that cannot be known is null, and refused
   * where there are limits.
   */
  amounts?: readonly Amount[] | undefined;
  /**
   * The word that a person types, whatever was approved before, where nothing is sent and a person's word
   * alone decides about money; without a terminal it is given before, on a sandbox too, and with a full
   * id.
   */
  word?: string | undefined;
  /** False when the thing was found by a short id or a guess: without a terminal, production wants a full one. */
  explicitId?: boolean;
}

export type Confirmable =
  /** Money is moved, or something is cancelled or deleted. */
  | { about: 'proceed'; said: string; confirm?: Confirmation | undefined }
  /** The word is typed. */
  | { about: 'word'; said: string; word: string }
  /** The same payment was made before: a second one? */
  | { about: 'second_payment'; said: string; confirm?: Confirmation | undefined }
  /** An account looks wrong by itself: use it all the same? */
  | { about: 'wrong_account'; said: string }
  /** The bank does not know the account: use it all the same? */
  | { about: 'unknown_account'; said: string }
  /** The bank says that the account belongs to another person: use it anyway? */
  | { about: 'other_holder'; said: string };
// Where there is a `confirm`, a person types what it names: a `y` is not enough. What is only asked about an account is asked
// before that, and decides nothing alone.

/** How a front end answers for what is to be written in production. */
export type Stance =
  /** The user approved it before, naming this account. */
  | { kind: 'approved' }
  | { kind: 'asks' }
  /** No user to ask; `missing` says how it could have been approved. */
  | { kind: 'nobody'; missing: Hint };

/** Tells who answers for a write: a person who is asked, or flags that were given beforehand. */
export interface Confirmer {
  /** True where a person looks on. */
  isAttended: boolean;
  /** True where a person has just answered questions, and looks at the answers before anything is sent. */
  wantsToLook?: boolean;
  /** Asked before anything costly is looked up. @throws Problem (usage) where a flag names another account */
  stance(account: Connection): Stance;
  /** Asked only of a user at a terminal. */
  confirm(question: Confirmable): Promise<boolean>;
}

/** A face that never asks uses this one: it writes on a sandbox, and never in production. */
export const noConfirmer: Confirmer = {
  isAttended: false,
  stance: () => ({ kind: 'nobody', missing: 'ask where somebody can answer' }),
  confirm: async () => false,
};

/** The private member makes the class nominal: nothing but this file can make one, and nothing else passes for one. */
class Permit {
  readonly #made = true;
  constructor(
    readonly account: Pick<Connection, 'baseUrl' | 'name'>,
    readonly effect: Effect,
    readonly confirmer: Confirmer,
    /** The word to type to a question that is asked later; undefined on a sandbox. */
    readonly confirm: Confirmation | undefined,
    /** The id under which its amounts are counted for the day; undefined where the profile has no ceiling by day. */
    readonly countId: string | undefined,
  ) {}
  static isOne(value: unknown): value is Permit {
    return typeof value === 'object' && value !== null && #made in value;
  }
}
export type WritePermit = Permit;

/**
 * The only maker of a WritePermit.
 * @throws Problem (usage) where it is not allowed or has no user to ask, Problem (interrupted) where the user declined
 */
export async function authorizeWrite(
  desk: Desk,
  step: WriteStep,
  confirmer: Confirmer,
): Promise<WritePermit> {
  const account = await desk.connection();
  desk.hear({ says: accountLine(account), as: 'aside' });
  if (step.sandboxOnly && account.environment !== 'sandbox') {
    throw usage(
      'this call exists in a sandbox only, and this profile is production',
      hint`choose a sandbox profile with ${{ give: 'profile' }}`,
    );
  }
  for (const line of step.what) tell(desk, `  ${escapeLine(line)}`);
  for (const line of step.warnings ?? []) desk.hear({ says: `  ${escapeLine(line)}`, as: 'warning' });
  refuseLostJournal(desk, account);
  refuseByLimits(account, step.amounts ?? []);
  const refusal = await dayRefusal(desk, account, step.amounts ?? []);
  if (refusal !== undefined) throw refusal;
  const asks = mustAsk(account, step, confirmer);
  for (const line of (await step.look?.(confirmer)) ?? []) tell(desk, `  ${escapeLine(line)}`);
  const confirm = account.environment === 'production' ? step.confirm : undefined;
  if (asks) {
    const said = questionOf(step, account.environment === 'production' ? 'LIVE' : 'sandbox');
    const { word } = step;
    const question: Confirmable =
      word === undefined ? { about: 'proceed', said, confirm } : { about: 'word', said, word };
    if (!(await confirmer.confirm(question))) throw interrupted();
    await step.again?.();
  }
  // After the yes, and before a permit exists: nothing is sent that is not counted.
  const countId = await countForDay(desk, account, step.amounts ?? []);
  return new Permit(account, step.effect, confirmer, confirm, countId);
}

/** `sandbox · local · key …3f2a`: shown before every write. */
export const accountLine = (account: Connection): string =>
  `${account.environment} · ${account.name} · key …${keyLast4(account.credentials.key)}`;

/** The effects that are allowed with a permit for `effect`. */
const COVERS: Readonly<Record<Effect, readonly Effect[]>> = {
  read: [],
  write: ['write'],
  destructive: ['write', 'destructive'],
  money: ['write', 'destructive', 'money'],
};

/** Every write begins here: the gate let it through, for this account, and for as much as it does. */
export async function checkPass(desk: Desk, permit: WritePermit, effect: Effect): Promise<void> {
  invariant(Permit.isOne(permit), 'a write is made with a pass of the gate');
  invariant(COVERS[permit.effect].includes(effect), `a pass for ${permit.effect} does not cover ${effect}`);
  const { may = 'money' } = desk;
  invariant(
    COVERS[may].includes(effect),
    `the command says that it does no more than "${may}" at the service, so nothing of effect "${effect}" begins`,
  );
  const { baseUrl, name } = await desk.connection();
  invariant(
    permit.account.baseUrl === baseUrl && permit.account.name === name,
    'a pass is used for the account that it was made for',
  );
}

function questionOf({ question, what }: WriteStep, account: AccountWord): string {
  if (question !== undefined) return question(account);
  const [first = 'do this'] = what;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}, ${onAccount(account)}?`;
}

/** @throws Problem (usage) without a user to ask */
function mustAsk(account: Connection, step: WriteStep, confirmer: Confirmer): boolean {
  const isWeighty = step.effect === 'money' || step.effect === 'destructive';
  if (step.sandboxOnly || (!isWeighty && !confirmer.wantsToLook)) return false;
  const stance = confirmer.stance(account);
  if (stance.kind === 'asks' || (step.word !== undefined && confirmer.isAttended)) return true;
  if (account.environment !== 'production' && step.word === undefined) return false;
  if (stance.kind === 'nobody')
    throw usage(
      step.word === undefined
        ? 'this moves money, cancels or deletes in production, and nobody is there to ask'
        : 'this decides about money by your word, and nobody is there to ask',
      stance.missing,
    );
  if (step.explicitId === false && !confirmer.isAttended)
    throw usage('where nobody looks on, a full id or an external id is needed');
  return false;
}

/** A temporary folder is emptied, and with it what remit knows of payments whose outcome is unknown. @throws Problem (config) */
function refuseLostJournal(desk: Desk, { environment }: Connection): void {
  if (!isJournalTemporary(desk.machine.env)) return;
  const where = hint`name a folder that stays with ${{ set: 'config_dir' }}`;
  if (environment === 'production')
    throw configProblem(
      'journal_is_temporary',
      'no home folder is known, so the journal would lie in a temporary folder, and be lost',
      where,
    );
  desk.hear({
    says: hint`No home folder is known: the journal lies in a temporary folder. To keep it, ${where}.`,
    as: 'aside',
  });
}
