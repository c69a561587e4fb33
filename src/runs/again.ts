/**
 * The same rows again, under another name: a file that was renamed, or exported twice, pays everybody twice. Who is paid the same every week
 * or month is paid after so many days; sooner than that the user must confirm it. The days are the service's: a clock of
 * this machine may be anywhere.
 */
import { hint } from '../core/next.ts';
import { type Problem, refuse } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { REPEAT_DAYS } from '../profiles/schema.ts';
import { planOf } from './plan-text.ts';
import type { PayRuns, RepeatedIn } from './store/port.ts';

const DAY_MS = 24 * 3_600_000;

interface Draft {
  name: string;
  rows: number;
  /** The time that it is now, by the service; undefined where it does not say. */
  at: number | undefined;
  /** Runs that its rows were paid in, or may be. */
  runs: readonly RepeatedIn[];
  /** Runs that are to be paid again. */
  allowed: readonly string[];
  /** One row in another run is enough to ask. */
  isEach?: boolean;
}

/** @throws Problem (check) where more than half of the rows are those of a run that was planned a few days before */
export async function refuseRepeat(desk: Desk, payruns: PayRuns, draft: Draft): Promise<void> {
  const { baseUrl, limits } = await desk.connection();
  const { name, at, rows, allowed, isEach = false } = draft;
  const alike = draft.runs.filter(
    ({ run, rows: same }) => (isEach || same * 2 > rows) && !allowed.includes(run),
  );
  if (alike.length === 0) return;
  const named = async (run: string) =>
    (await payruns.find(baseUrl, run)).find((candidate) => candidate.name === run);
  // It is no new run: it is answered as it stands.
  if ((await named(name)) !== undefined) return;
  const days = limits.repeat_days ?? REPEAT_DAYS;
  for (const { run, rows: same } of alike) {
    const earlier = await named(run);
    if (earlier === undefined) continue;
    const before = planOf(earlier).at ?? earlier.createdAt;
    // Where the service does not say what day it is, it may be the same one.
    if (at === undefined || at - before < days * DAY_MS)
      throw tooSoon({ run, same, rows, days, age: at === undefined ? undefined : at - before });
  }
}

interface Soon {
  run: string;
  same: number;
  rows: number;
  days: number;
  age: number | undefined;
}

function tooSoon({ run, same, rows, days, age }: Soon): Problem {
  const which = rows === 1 ? 'the one row pays' : `${same} of ${rows} rows pay`;
  const when = age === undefined ? '' : `, ${daysBefore(age)}`;
  return refuse(
    'check',
    'run_repeated',
    `${which} the same account the same amount as the run "${run}"${when}: rows that are paid again sooner than after ${days} days may be the same file`,
    {
      hint: hint`if they are to be paid again: ${{ give: 'repeat', value: run }}`,
      note: 'nothing was kept, and nothing was sent',
    },
  );
}

function daysBefore(ageMs: number): string {
  const days = Math.floor(ageMs / DAY_MS);
  if (days < 1) return 'which was planned less than a day before';
  return `which was planned ${days === 1 ? 'a day' : `${days} days`} before`;
}
