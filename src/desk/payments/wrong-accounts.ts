/** The refusal of details that nobody should be paid by, in words, before anything is sent. The number itself is not repeated. */

import { type accountFaults, faultWords } from '../../contract/corridors/accounts.ts';
import { faultPaths, type WrongDetails, wrongWords } from '../../contract/corridors/wrong-details.ts';
import { type Said, said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';

/** @throws Problem (usage) where there is something wrong */
export function refuseWrong(wrong: WrongDetails | undefined, hint?: Said): void {
  if (wrong === undefined) return;
  throw new Problem({
    category: 'usage',
    code: wrong.code,
    message: wrongWords(wrong),
    fields: faultPaths(wrong).map(({ path, words }) => ({ path, words: [words] })),
    hint: hint ?? hintFor(wrong),
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}

const AGAIN = 'correct it and run it again';

function hintFor({ code, of, what, known }: WrongDetails): Said {
  if (code === 'unknown_detail') return known.length === 0 ? 'it takes none' : `it knows ${known.join(', ')}`;
  return of === 'payin' ? AGAIN : said`${AGAIN}; what it asks for: ${{ do: 'show_corridor', type: what }}`;
}

/** For an account that is only asked about. @throws Problem (usage) where there is a fault */
export function refuseFaults(faults: ReturnType<typeof accountFaults>, what: string): void {
  if (faults.length === 0) return;
  const wrong = faults.map(({ name, fault }) => ({ name, words: faultWords(fault) }));
  refuseWrong({ code: 'wrong_account', of: 'payout', what, at: '', faults: wrong, known: [] }, AGAIN);
}
