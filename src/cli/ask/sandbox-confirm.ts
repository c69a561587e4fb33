/**
 * A command that replaces everything in a sandbox asks on a terminal, defaulting to No, and needs --yes
 * without one.
 */

import { interrupted, usage } from '../../core/problem.ts';
import type { Context } from '../context.ts';

export async function confirmSandbox(context: Context, question: string): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive) throw usage(`${question} without a terminal this needs --yes`);
  const { askConfirm } = await import('../terminal/prompt.ts');
  if (!(await askConfirm(context, question))) throw interrupted();
}
