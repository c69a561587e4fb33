/**
 * Details that cannot be right, looked at before anything is sent. A name that the type does not know is refused. An account
 * that looks wrong is a note against a sandbox; a user is asked; without a terminal it is refused, unless the user said
 * that it is meant (decision 0013). The number itself is not repeated.
 */
import { type accountFaults, faultWords } from '../contract/corridors/accounts.ts';
import { faultPaths, type WrongDetails, wrongWords } from '../contract/corridors/wrong-details.ts';
import { type Hint, hint } from '../core/next.ts';
import { interrupted, type Problem, refuse } from '../core/problem.ts';
import type { Desk } from './desk.ts';
import type { Confirmer } from './gate.ts';

export interface Guard {
  confirmer: Confirmer;
  /** It was said that accounts are meant as they are written. */
  asWritten: boolean;
}

/**
 * True where an account looks wrong and the caller means it: a command that repeats this needs the flag.
 * @throws Problem (usage) where something is wrong, and there is no user to ask
 * @throws Problem (interrupted) where the user said no
 */
export async function guardDetails(
  desk: Desk,
  { confirmer, asWritten }: Guard,
  wrong: WrongDetails | undefined,
  hint?: Hint,
): Promise<boolean> {
  if (wrong === undefined) return false;
  if (wrong.code === 'unknown_detail') throw refusal(wrong, hint);
  if (asWritten) return true;
  const account = await desk.connection();
  const words = `${wrong.what}: ${wrong.faults.map((one) => `${one.name} ${one.words}`).join('; ')}`;
  if (account.environment === 'sandbox') {
    desk.hear({ says: `${words}. It is sent all the same, since this is a sandbox.`, as: 'warning' });
    return false;
  }
  if (!confirmer.isAttended || confirmer.stance(account).kind !== 'asks') throw refusal(wrong, hint);
  if (!(await confirmer.confirm({ about: 'wrong_account', said: words }))) throw interrupted();
  return true;
}

/** Checks names alone: accounts are checked before or later. @throws Problem (usage) */
export function refuseUnknown(wrong: WrongDetails | undefined): void {
  if (wrong?.code === 'unknown_detail') throw refusal(wrong);
}

const refusal = (wrong: WrongDetails, hint?: Hint): Problem =>
  refuse('usage', wrong.code, wrongWords(wrong), {
    fields: faultPaths(wrong).map(({ path, words }) => ({ path, words: [words] })),
    hint: hint ?? hintFor(wrong),
    note: 'nothing was sent',
  });

const MEANT = hint`if it is meant as it is written: ${{ give: 'account_as_written' }}`;

function hintFor({ code, of, what, known }: WrongDetails): Hint {
  if (code === 'unknown_detail') return known.length === 0 ? 'it takes none' : `it knows ${known.join(', ')}`;
  return of === 'payin'
    ? hint`correct it and run it again; ${MEANT}`
    : hint`correct it and run it again; what it asks for: ${{ do: 'show_corridor', type: what }}; ${MEANT}`;
}

/** An account that is only asked about. @throws Problem as `guardDetails` does */
export function guardFaults(
  desk: Desk,
  guard: Guard,
  faults: ReturnType<typeof accountFaults>,
  what: string,
): Promise<boolean> {
  const wrong = faults.map(({ name, fault }) => ({ name, words: faultWords(fault) }));
  const details: WrongDetails = {
    code: 'wrong_account',
    of: 'payout',
    what,
    at: '',
    faults: wrong,
    known: [],
  };
  return guardDetails(
    desk,
    guard,
    faults.length === 0 ? undefined : details,
    hint`correct it and run it again; ${MEANT}`,
  );
}
