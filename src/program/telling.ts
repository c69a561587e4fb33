/** Tells a loss: the result of a write could not be written. */
import { refuse } from '../core/problem.ts';
import { type ExitCode, exitCodes } from '../frame/exit-codes.ts';
import { reportProblem } from '../frame/output/report.ts';
import type { Context } from '../payments/cli/context.ts';
import { tellJournal } from '../payments/cli/telling.ts';

/** The result could not be written: what it was about is told where errors go. What was done is done, so the code stays. */
export async function tellLoss(
  context: Context,
  lost: Error,
  { exit, json, made }: { exit: ExitCode; json: boolean; made?: string | undefined },
): Promise<ExitCode> {
  const { process, toTell } = context;
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
  await reportProblem(failure, process, { json, debug: false });
  if (applied.length > 0 && (await process.streams.errWritten())) await tellJournal(context);
  return exit === exitCodes.ok ? exitCodes.failed : exit;
}

/** No journal knows such a write, so its id is all that can be told. */
const writtenAs = (id: string | undefined) =>
  id === undefined ? {} : { outcome: 'applied' as const, note: id };
