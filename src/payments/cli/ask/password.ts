/** The password of a PostgreSQL that is nowhere else: asked for on a terminal, once for each address. */
import type { AskPassword } from '../../shared-store.ts';
import type { Context } from '../context.ts';

const answered = new WeakMap<Context, Map<string, Promise<string>>>();

/** Undefined without a user to ask. */
export function passwordAsker(context: Context): AskPassword | undefined {
  if (!context.interactive) return undefined;
  const known = answered.get(context) ?? new Map<string, Promise<string>>();
  answered.set(context, known);
  const ask = async (where: string): Promise<string> => {
    const { askSecret } = await import('../../../frame/terminal/prompt.ts');
    return askSecret(context, `Password for ${where} (Enter for none)`);
  };
  return (where) => {
    const answer = known.get(where) ?? ask(where);
    known.set(where, answer);
    return answer;
  };
}
