/** Runs the cases one after the other against one endpoint. */
import type { ConformanceCase } from './cases.ts';
import type { Kit } from './kit.ts';

export interface ConformanceRow {
  case: string;
  result: 'pass' | 'fail' | 'advice';
  asks: string;
  source: string;
  saw: string;
}

/** `onRow` gets each as soon as it is known. */
export async function runSuite(
  cases: readonly ConformanceCase[],
  kit: Kit,
  { signal, onRow }: { signal: AbortSignal; onRow: (row: ConformanceRow) => void },
): Promise<ConformanceRow[]> {
  const rows: ConformanceRow[] = [];
  for (const each of cases) {
    if (signal.aborted) break;
    const { ok, saw } = await each.run(kit);
    const result = ok ? 'pass' : each.kind === 'must' ? 'fail' : 'advice';
    const row = { case: each.id, result, asks: each.asks, source: each.source, saw } as const;
    rows.push(row);
    onRow(row);
  }
  return rows;
}
