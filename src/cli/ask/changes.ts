/** After questions the answers are confirmed once; flags were meant as they were typed. In production the gate has asked. */
import { interrupted } from '../../core/problem.ts';
import type { Context } from '../context.ts';

export async function confirmChange(context: Context, wasAsked: boolean): Promise<void> {
  const { environment } = await context.connection();
  if (!wasAsked || context.globals.yes || environment === 'production') return;
  const { askConfirm } = await import('../terminal/prompt.ts');
  if (!(await askConfirm(context, 'Send this change?', true))) throw interrupted();
}
