/** The refusal of accounts that nobody could be paid by, before anything is sent. The number itself is not repeated. */

import { type accountFaults, faultWords } from '../../contract/corridors/accounts.ts';
import type { Said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';

interface Place {
  /** `NGN::Bank`, or a flow of a collection. */
  what: string;
  /** Where the details are in the request; empty at its top. */
  path: string;
  hint?: Said;
}

/** @throws Problem (usage) where there is a fault */
export function refuseFaults(faults: ReturnType<typeof accountFaults>, { what, path, hint }: Place): void {
  if (faults.length === 0) return;
  throw new Problem({
    category: 'usage',
    code: 'wrong_account',
    message: `${what} does not take this ${faults.map(({ name }) => name).join(' and this ')}`,
    fields: faults.map(({ name, fault }) => ({
      path: path === '' ? name : `${path}.${name}`,
      words: [faultWords(fault)],
    })),
    hint: hint ?? 'correct it and run it again',
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}
