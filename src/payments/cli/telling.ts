/**
 * A result that was not told is not over (docs/rules.md 2, decision 0007). Its intent counts as told once the output was
 * taken, and not before: a process that dies in between leaves it untold, and the same command again is answered with what
 * stands.
 */
import type { Context } from './context.ts';

export async function tellJournal(context: Context): Promise<void> {
  const { intents } = await context.store();
  for (const { intentId } of context.toTell) {
    try {
      await intents.told(intentId);
    } catch (error) {
      // It was told all the same. The same again is answered with what stands: no second payment.
      if (context.globals.debug !== 'off')
        context.say(
          `remit: the journal could not note that you saw this result: ${(error as Error).message}`,
        );
    }
  }
}
