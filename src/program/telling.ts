/**
 * A result that nobody was told is not over (docs/rules.md 2, decision 0007). Its intent counts as told once the output was
 * taken, and not before: a process that dies in between leaves it untold, and the same command again is answered with what
 * stands.
 */

import { refuse } from '../core/problem.ts';
import { type ExitCode, exitCodes } from '../frame/exit-codes.ts';
import { reportProblem } from '../frame/output/report.ts';
import type { Context } from '../payments/cli/context.ts';

export async function tellJournal(context: Context): Promise<void> {
  const { intents } = await context.store();
  for (const { intentId } of context.toTell) {
    try {
      await intents.told(intentId);
    } catch (error) {
      // It was told all the same. The same again is answered with what stands, which pays nobody twice.
      if (context.globals.debug !== 'off')
        context.say(
          `remit: the journal could not note that you saw this result: ${(error as Error).message}`,
        );
    }
  }
}

/** The result could not be written: what it was about is told where errors go. What was done is done, so the code stays. */
export async function tellLoss(
  context: Context,
  lost: Error,
  { exit, json, made }: { exit: ExitCode; json: boolean; made?: string | undefined },
): Promise<ExitCode> {
  const { world, toTell } = context;
  const applied = toTell.map(({ intentId, id, externalId }) => ({
    intent: intentId,
    id,
    external_id: externalId,
  }));
  const [first] = applied;
  const failure = refuse(
    'internal',
    'result_not_written',
    `the result could not be written: ${lost.message}`,
    {
      ...(first === undefined
        ? writtenAs(made)
        : {
            outcome: 'applied',
            note: [...new Set(applied.map(({ id, external_id }) => id ?? external_id))].join(', '),
            hint: `remit history show ${first.intent.slice(0, 8)}`,
            applied,
          }),
    },
  );
  await reportProblem(failure, world, { json, debug: false });
  if (applied.length > 0 && (await world.streams.errWritten())) await tellJournal(context);
  return exit === exitCodes.ok ? exitCodes.failed : exit;
}

/** No journal knows such a write, so its id is all that can be told. */
const writtenAs = (id: string | undefined) =>
  id === undefined ? {} : { outcome: 'applied' as const, note: id };
