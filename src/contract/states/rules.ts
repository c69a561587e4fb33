/** Every rule that moves something, by its short id: what a recorded change refers to. */
import { byWord } from '../../core/by-word.ts';
import { payinMethodMoves, payinMethodStarts } from './payin-method.ts';
import { recipientMoves, recipientStarts } from './recipient-moves.ts';
import { senderMoves, senderStarts } from './sender.ts';
import type { Basis } from './state.ts';
import { transactionMoves, transactionStarts } from './transaction-moves.ts';

export interface RuleInfo {
  rule: string;
  basis: Basis;
  says: string;
  /** `recipient: error -> success`, one for each row. */
  moves: string[];
}

const tables: Readonly<Record<string, readonly Row[]>> = byWord({
  sender: [...senderStarts, ...senderMoves],
  transaction: [...transactionStarts, ...transactionMoves],
  recipient: [...recipientStarts, ...recipientMoves],
  'payin method': [...payinMethodStarts, ...payinMethodMoves],
});

type Row = Pick<RuleInfo, 'rule' | 'basis' | 'says'> & { to: string; from?: string };

export const stateRules: ReadonlyMap<string, RuleInfo> = collect();

function collect(): Map<string, RuleInfo> {
  const rules = new Map<string, RuleInfo>();
  for (const [what, rows] of Object.entries(tables)) {
    for (const { rule, basis, says, from, to } of rows) {
      const known = rules.get(rule) ?? { rule, basis, says, moves: [] };
      known.moves.push(`${what}: ${from ?? 'new'} -> ${to}`);
      rules.set(rule, known);
    }
  }
  return rules;
}
