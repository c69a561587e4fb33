/** The report as a record: what was not tried comes first, and nothing in it says that a program is safe. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../../core/clock.ts';
import { runToEnd } from '../../frame/run-to-end.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { auditShape } from '../../sandbox/cli/shapes.ts';
import type { Audited, ReportedFinding } from '../asked.ts';
import { caseText } from '../case.ts';
import { habitNames } from '../habits.ts';
import { findingKinds } from '../judge.ts';
import type { Program } from '../run-case.ts';
import type { ShownRequest } from '../shown.ts';

export type AuditReport = DataOf<typeof auditShape>;

export interface ReportFacts {
  audited: Audited;
  program: Program;
  seed: string;
  /** The version of this program. */
  remit: string;
  at: number;
  /** The command that plays one case again. */
  replay: (caseText: string) => string;
}

export async function auditReport({
  audited,
  program,
  seed,
  remit,
  at,
  replay,
}: ReportFacts): Promise<AuditReport> {
  const { counts, found, habits, wished, notTried, unstable } = audited;
  const cases = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    // A case that met nothing shows nothing.
    verdict: verdictOf(found, cases - counts.not_met),
    not_tried: [...notTried],
    cases,
    as_wished: counts.as_wished,
    said_failed: counts.said_failed,
    gave_up: counts.gave_up,
    not_met: counts.not_met,
    wished: wished.payments,
    left_out: [...wished.left, ...unstable],
    findings: found.map((one) => ({
      ...{ kind: one.kind, says: findingKinds[one.kind], payment: one.payment, count: one.count },
      ...{ cases: one.cases, ways: [...one.ways], case: caseText(one.shortest) },
      replay: replay(caseText(one.shortest)),
      requests: one.requests.map(requestOf),
    })),
    habits: habits.map(({ name, did, of }) => ({ name, says: habitNames[name], did, of })),
    program: { command: program.command.join(' '), ...(await sourceOf(program)) },
    ...{ seed, remit, at: isoTime(at), took_ms: audited.tookMs, program_ms: audited.programMs },
    signature: null,
  };
}

function verdictOf(found: readonly ReportedFinding[], cases: number): string {
  if (found.length === 0) return `no finding in ${cases} ${cases === 1 ? 'case' : 'cases'}`;
  const twice = found.filter(({ kind }) => kind === 'paid_twice').length;
  const rest = found.length - twice;
  return [
    ...(twice > 0
      ? [`${twice} ${twice === 1 ? 'payment is' : 'payments are'} paid more often than wished`]
      : []),
    ...(rest > 0 ? [`${rest} other ${rest === 1 ? 'finding' : 'findings'}`] : []),
  ].join(', ');
}

const requestOf = ({ at, start, request, way, done, told }: ShownRequest) => ({
  ...{ ms: at, start, request, way: way ?? null, done: done ?? null, told },
});

const LOCKS = [
  ...[
    'package-lock.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'bun.lock',
    'uv.lock',
    'poetry.lock',
    'requirements.txt',
  ],
  ...['composer.lock', 'go.sum', 'Cargo.lock', 'Gemfile.lock', 'gradle.lockfile'],
];

/** Tells which code it was, as far as its folder says. */
async function sourceOf({ cwd, env }: Program) {
  const lock = LOCKS.find((name) => existsSync(join(cwd, name)));
  const git = (words: readonly string[]) => printedBy(['git', ...words], cwd, env);
  const commit = (await git(['rev-parse', 'HEAD']))?.trim() ?? null;
  const changed = commit === null ? undefined : await git(['status', '--porcelain']);
  return {
    commit,
    is_dirty: changed === undefined ? null : changed.trim() !== '',
    lock_file: lock ?? null,
    lock_sha256:
      lock === undefined
        ? null
        : createHash('sha256')
            .update(readFileSync(join(cwd, lock)))
            .digest('hex'),
  };
}

async function printedBy(
  command: readonly string[],
  cwd: string,
  env: Program['env'],
): Promise<string | undefined> {
  let printed = '';
  const onOutput = (text: string): void => {
    printed += text;
  };
  const { ok } = await runToEnd({ command, cwd, env, input: '', timeoutMs: 10_000, onOutput });
  return ok ? printed : undefined;
}
