/** Rules, decisions and both sides of a comparison, from its flags. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bytesOfFile } from '../../../frame/flags/text-file.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Decisions, readDecisions } from '../../reconcile/decisions.ts';
import type { ReconcileRequest } from '../../reconcile/reconcile.ts';
import type { Rules } from '../../reconcile/rules.ts';
import { keptRecords, listedRecords } from '../../reconcile/service.ts';
import type { ComparisonFlags } from '../flags/reconcile.ts';

type Bytes = (file: string) => AsyncIterable<Uint8Array>;

/** @param mayBeNew the file is made by the first suggestion that is accepted */
export async function rulesIn(
  { process }: Context,
  rules: string | undefined,
  {
    mayBeNew = false,
    bytesOf = (file) => bytesOfFile(process, file),
  }: { mayBeNew?: boolean; bytesOf?: Bytes },
): Promise<Rules | undefined> {
  if (rules === undefined) return undefined;
  if (mayBeNew && !existsSync(resolve(process.cwd, rules))) return undefined;
  const { readRules } = await import('../../reconcile/rules.ts');
  return readRules(bytesOf(rules), rules);
}

/** The word of the rules about a difference counts before that of a table. */
export async function decisionsIn(
  { process }: Context,
  table: string | undefined,
  rules: Rules | undefined,
  bytesOf: Bytes = (file) => bytesOfFile(process, file),
): Promise<Decisions> {
  const decisions: Decisions = table === undefined ? new Map() : await readDecisions(bytesOf(table), table);
  for (const { id, what, why, who, when } of rules?.decisions ?? [])
    decisions.set(id, { decision: what, note: why, by: who, on: when });
  return decisions;
}

export async function reconcileRequest(
  context: Context,
  options: ComparisonFlags,
  rules: Rules | undefined,
  bytesOf: Bytes = (file) => bytesOfFile(context.process, file),
): Promise<Omit<ReconcileRequest, 'month'>> {
  const { reportedRecords } = await import('../../reconcile/reports.ts');
  const fromBooks: typeof listedRecords = (desk, span, progress) => keptRecords(desk, span, progress);
  const records = { service: listedRecords, books: fromBooks, reports: reportedRecords };
  const { file, statements, service, sums, days } = options;
  const { map, columns: use, decimalComma, currency, payments, dayOrder } = options;
  return {
    ledger: { name: file, bytes: bytesOf(file), map, use, decimalComma, currency, payments, dayOrder },
    service: service && {
      ...service,
      records: (span, progress) => records[service.from](context, span, progress),
    },
    statements: statements.map((name) => ({ name, bytes: bytesOf(name) })),
    ...{ sums, days, rules },
  };
}
