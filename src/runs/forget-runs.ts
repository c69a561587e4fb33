/** Tells which runs are to be forgotten, and what is said of each and of the bytes that are left. */

import { counted } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Category } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import type { Confirmer } from '../payments/gate.ts';
import { instantOf, type When } from '../payments/lists/period.ts';
import { findRun } from './find-run.ts';
import {
  candidateOf,
  candidatesBefore,
  type ForgetTerms,
  type ForgettableRun,
  forgetCandidates,
  isEnded,
  refuseUnended,
} from './forget.ts';
import { type ShownForgetting, shownForgetting } from './shown.ts';
import type { BytesLeft, PayRuns } from './store/port.ts';

export interface ForgetWish extends ForgetTerms {
  /** One that is named must be over; of those before a day the others are left, and said. */
  which: { run: string } | { before: When };
}

export interface Forgetting {
  runs: ShownForgetting[];
  /** `pending` where bytes of them are left in the file. */
  ending: Category | 'done';
  notes: Hint[];
}

export async function wouldForget(desk: Desk, payruns: PayRuns, wish: ForgetWish): Promise<Forgetting> {
  return unchanged(await candidatesOf(desk, payruns, wish), 'dry run: nothing was changed');
}

export async function forgetRuns(
  desk: Desk,
  payruns: PayRuns,
  { which, conflicts, confirmer }: ForgetWish & { confirmer: Confirmer },
): Promise<Forgetting> {
  const found = await candidatesOf(desk, payruns, { which, conflicts });
  const candidates = found.filter((one) => isEnded(one) && one.run.forgotten?.isOwed !== false);
  if (candidates.length === 0) return unchanged(found, 'nothing was changed');
  const bytes = await forgetCandidates(desk, payruns, { candidates, conflicts, confirmer });
  const { baseUrl } = await desk.connection();
  const shown = found.map(async (one) => {
    const [run = one.run] = await payruns.find(baseUrl, one.run.id);
    return shownForgetting({ ...one, run }, isEnded(one) ? 'forgotten' : 'not over');
  });
  return {
    runs: await Promise.all(shown),
    ending: bytes === 'in_use' || bytes === 'no_room' ? 'pending' : 'done',
    notes: notesOf(candidates, bytes),
  };
}

const unchanged = (found: readonly ForgettableRun[], note: string): Forgetting => ({
  runs: found.map((one) => shownForgetting(one, isEnded(one) ? 'would be forgotten' : 'not over')),
  ending: 'done',
  notes: [note],
});

async function candidatesOf(
  desk: Desk,
  payruns: PayRuns,
  { which, conflicts }: ForgetWish,
): Promise<ForgettableRun[]> {
  if ('before' in which) {
    const before = instantOf(which.before, { now: await payruns.now(), zone: 'UTC', toEnd: false });
    return candidatesBefore(desk, payruns, { before, conflicts });
  }
  const run = await findRun(desk, payruns, which.run, 'forget');
  const candidate = await candidateOf(payruns, run, { conflicts });
  refuseUnended(candidate);
  return [candidate];
}

function notesOf(candidates: readonly ForgettableRun[], bytes: BytesLeft): Hint[] {
  const [first] = candidates;
  const name = first?.run.name ?? '';
  const done = `The names and accounts of ${counted(candidates.length, 'run')} were forgotten`;
  switch (bytes) {
    case 'gone':
      return [`${done}: no byte of them is left in the store's file.`];
    case 'of_server':
      return [`${done}. The database keeps bytes of them in its log and its backups for a while.`];
    case 'in_use':
      return [
        hint`${done}, but bytes of them are left in the store's file, which another process uses. Once it does not: ${{ do: 'forget_run', name }}`,
      ];
    case 'no_room':
      return [
        hint`${done}, but bytes of them are left in the store's file: the disk has no room to write it anew. Make room, then ${{ do: 'forget_run', name }}`,
      ];
  }
}
