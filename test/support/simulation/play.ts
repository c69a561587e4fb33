/** A run from its seed: every operation, the auditor after each, and the end. When it fails, the shortest prefix that still does. */
import { faultNames } from '../../../src/contract/controls/faults.ts';
import { Book } from './book.ts';
import { Broken } from './broken.ts';
import type { Bug } from './bugs.ts';
import { isMoney, type Operation, operations } from './operations.ts';
import { openStage, type Stage } from './stage.ts';
import { kinds, statesOf } from './tables.ts';
import { perform } from './workload.ts';

const TWO_DAYS_MS = 2 * 86_400_000;

export interface Report {
  seed: number | string;
  operations: number;
  /** Of all operations, 0 to 1. */
  money: number;
  fired: Record<string, number>;
  reached: Record<string, string[]>;
  missed: Record<string, string[]>;
  transactions: number;
}

export interface Problem {
  /** From 1; one past the last is the end itself. */
  at: number;
  error: Error;
}

export interface Run {
  seed: number | string;
  bug?: Bug | undefined;
}

export async function play(list: readonly Operation[], run: Run): Promise<Report | Problem> {
  const stage = await openStage(run.seed, run.bug);
  const book = new Book((id) => stage.auditor.model.stateOf(id));
  let at = 0;
  try {
    for (const operation of list) {
      at += 1;
      await perform(stage, book, operation);
      await stage.auditor.check();
    }
    at += 1;
    await conclude(stage);
    return reportOf(list, run, stage);
  } catch (error) {
    return { at, error: error as Error };
  } finally {
    await stage.close();
  }
}

async function conclude({ weather, sandbox, auditor }: Stage): Promise<void> {
  await weather.clear();
  await sandbox.advance(TWO_DAYS_MS);
  auditor.everythingMayHaveChanged();
  await auditor.conclude();
}

export const isFailure = (result: Report | Problem): result is Problem => 'error' in result;

/**
 * The shortest prefix that still fails, its own end included: back from the failure in steps that double, then by halves between
 * the last that passed and the first that failed. Each try plays from the beginning.
 */
export async function shrink(list: readonly Operation[], failure: Problem, run: Run): Promise<Operation[]> {
  const stillFails = async (length: number) => isFailure(await play(list.slice(0, length), run));
  let fails = Math.min(failure.at, list.length);
  let passes = fails - 1;
  for (let step = 1; passes > 0 && (await stillFails(passes)); step *= 2) {
    fails = passes;
    passes = Math.max(0, passes - 2 * step);
  }
  while (fails - passes > 1) {
    const middle = Math.floor((passes + fails) / 2);
    if (await stillFails(middle)) fails = middle;
    else passes = middle;
  }
  return list.slice(0, fails);
}

/** Plays a seed, and throws with all that it takes to play it again. */
export async function simulate(seed: number | string, count: number): Promise<Report> {
  const list = operations(seed, count);
  const result = await play(list, { seed });
  if (!isFailure(result)) return result;
  const prefix = await shrink(list, result, { seed });
  throw new Error(problemText(seed, count, result, prefix), { cause: result.error });
}

export function problemText(
  seed: number | string,
  count: number,
  { at, error }: Problem,
  prefix: Operation[],
): string {
  const tail = prefix.slice(-12).map((operation, index) => {
    const number = prefix.length - Math.min(12, prefix.length) + index + 1;
    return `  ${number}. ${operationText(operation)}`;
  });
  return [
    `seed ${seed}, operation ${at} of ${count}: ${error.message}`,
    `the shortest prefix that still fails has ${prefix.length} operations; its last:`,
    ...tail,
    `again: REMIT_SEED=${seed} REMIT_OPERATIONS=${prefix.length} npx vitest run test/simulation/workload.test.ts`,
  ].join('\n');
}

/** What it says, without what its kind does not use. */
function operationText({ kind, partner, pick, payees, fund, word, ms, arm, network }: Operation): string {
  const to = payees.map(({ type, amount, currency, details }) => {
    const number = details.bank_account ?? details.phone_number ?? '';
    return `${amount} ${currency} to ${type} ${number}`;
  });
  const parts = [
    word,
    fund ? 'on' : '',
    ms ? `${ms} ms` : '',
    ...to,
    arm ? `fault ${arm.fault} x ${arm.times}` : '',
  ];
  if (network) parts.push(`network, request ${network.request}: ${network.fault}`);
  return [`${partner}: ${kind}`, `pick ${pick.toFixed(3)}`, ...parts.filter((part) => part !== '')].join(
    ', ',
  );
}

export const invariantOf = (error: unknown): string => (error instanceof Broken ? error.invariant : 'none');

function reportOf(list: readonly Operation[], { seed }: Run, { auditor, weather }: Stage): Report {
  const { reached } = auditor.model;
  const statesWhere = (keep: (seen: boolean) => boolean) =>
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        statesOf(kind).filter((state) => keep(reached.get(kind)?.has(state) ?? false)),
      ]),
    );
  return {
    seed,
    operations: list.length,
    money: list.filter(isMoney).length / list.length,
    fired: weather.fired(),
    reached: statesWhere((seen) => seen),
    missed: statesWhere((seen) => !seen),
    transactions: auditor.model.size,
  };
}

export function reportText(report: Report): string {
  const { seed, operations: count, money, fired, reached, missed, transactions } = report;
  const faults = faultNames.map((name) => `${name} ${fired[name]}`).join(', ');
  const states = Object.entries(reached).map(([kind, states]) => {
    const never = missed[kind] ?? [];
    return `  ${kind}: ${states.length} states${never.length > 0 ? `, never ${never.join(', ')}` : ''}`;
  });
  return [
    `seed ${seed}: ${count} operations, ${Math.round(money * 100)} % of them money, ${transactions} transactions`,
    `  faults fired: ${faults}`,
    ...states,
  ].join('\n');
}
