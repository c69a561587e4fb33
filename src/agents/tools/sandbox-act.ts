/** One move of the sandbox, with the words for it. Each answer is the sandbox's own: it checks what it is given. */
import type { PayoutOutcome } from '../../contract/controls/index.ts';
import { parseDuration } from '../../core/clock.ts';
import { isUuid } from '../../core/ids.ts';
import { unsent } from '../../core/problem.ts';
import type { Desk } from '../../payments/desk.ts';
import { findTransaction } from '../../payments/lookup/transaction.ts';
import { control } from '../../sandbox/cli/control.ts';

export interface SandboxMove {
  act: 'advance' | 'credit' | 'seed' | 'answer';
  by?: string | undefined;
  currency?: string | undefined;
  amount?: string | undefined;
  id?: string | undefined;
  outcome?: PayoutOutcome | undefined;
}

export async function moveSandbox(desk: Desk, move: SandboxMove): Promise<string> {
  switch (move.act) {
    case 'advance':
      await control(desk, 'sandbox.clock.advance', {
        body: { advance_ms: parseDuration(needed(move, 'by')) },
      });
      return 'The clock has moved, and everything that was due on the way has happened.';
    case 'credit': {
      const body = { amount: needed(move, 'amount') };
      await control(desk, 'sandbox.balances.credit', { id: needed(move, 'currency').toUpperCase(), body });
      return 'The money came in.';
    }
    case 'seed':
      await control(desk, 'sandbox.seed', { body: {} });
      return 'Sample payments were made.';
    case 'answer': {
      const given = needed(move, 'id');
      const id = isUuid(given) ? given : ((await findTransaction(desk, given, 'read')).transaction.id ?? '');
      await control(desk, 'sandbox.payouts.answer', { id, body: { outcome: needed(move, 'outcome') } });
      return 'The provider answers that: at once where the payout is pending, else at its next try.';
    }
  }
}

function needed(move: SandboxMove, name: Exclude<keyof SandboxMove, 'act'>): string {
  const value = move[name];
  if (value === undefined) throw unsent('usage', 'missing', `${move.act} needs ${name}`);
  return value;
}
