import { openRequests } from '../../desk/payments/open-requests.ts';
import type { Call } from '../call.ts';
import type { AnswerOf } from '../wire.ts';

/** Requests of this machine that are not over. */
export async function requests({ desk, spell, text }: Call): Promise<AnswerOf<'requests'>> {
  const { rows, notes } = await openRequests(desk);
  return {
    rows: rows.map(({ next, ...row }) => ({ ...row, command: spell(next) })),
    notes: notes.map(text),
  };
}
