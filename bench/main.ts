/** Runs the figures that were asked for, or all, and prints a table of what was measured beside what is asked. */
import type { Figure, Place } from './support/figure.ts';
import { machine } from './support/processor.ts';

const figures: Record<string, () => Promise<(place: Place) => Promise<Figure[]>>> = {
  'start-up': async () => (await import('./figures/start-up.ts')).startUp,
  client: async () => (await import('./figures/client.ts')).clientLoop,
  sandbox: async () => (await import('./figures/sandbox.ts')).sandboxRate,
  lists: async () => (await import('./figures/lists.ts')).lists,
  pages: async () => (await import('./figures/pages.ts')).pages,
  blocks: async () => (await import('./figures/blocks.ts')).blocks,
  room: async () => (await import('./figures/room.ts')).room,
  'long-list': async () => (await import('./figures/long-list.ts')).longList,
  formats: async () => (await import('./figures/formats.ts')).formats,
  triage: async () => (await import('./figures/triage.ts')).triage,
  intake: async () => (await import('./figures/intake.ts')).intake,
  admin: async () => (await import('./figures/admin.ts')).admin,
  audit: async () => (await import('./figures/audit.ts')).audit,
  mcp: async () => (await import('./figures/mcp.ts')).mcp,
  log: async () => (await import('./figures/log.ts')).logging,
  'slow-senders': async () => (await import('./figures/slow-senders.ts')).slowSenders,
  verify: async () => (await import('./figures/verify.ts')).verifying,
  received: async () => (await import('./figures/received.ts')).received,
  history: async () => (await import('./figures/history.ts')).history,
  journal: async () => (await import('./figures/journal.ts')).journalRate,
  'payruns-check': async () => (await import('./figures/payruns-check.ts')).payrunsCheck,
  'payruns-payees': async () => (await import('./figures/payruns-payees.ts')).payrunsPayees,
  'payruns-pay': async () => (await import('./figures/payruns-pay.ts')).payrunsPay,
  'payruns-workers': async () => (await import('./figures/payruns-workers.ts')).payrunsWorkers,
  'payruns-status': async () => (await import('./figures/payruns-status.ts')).payrunsStatus,
  reconcile: async () => (await import('./figures/reconcile.ts')).reconciling,
  statement: async () => (await import('./figures/statement.ts')).statements,
  books: async () => (await import('./figures/books.ts')).booksFigures,
  console: async () => (await import('./figures/console.ts')).consoleFigures,
  clock: async () => (await import('./figures/clock.ts')).clockMoves,
};

/** The exit code: 0 when every figure is met, 1 when one is missed, 2 for a name that there is not. */
export async function main(args: readonly string[], at: Omit<Place, 'quick'>): Promise<number> {
  const quick = args.includes('--quick');
  const named = args.filter((arg) => arg !== '--quick');
  const unknown = named.filter((name) => !Object.hasOwn(figures, name));
  if (unknown.length > 0) {
    process.stderr.write(
      `there is no figure ${unknown.join(', ')}: choose ${Object.keys(figures).join(', ')}\n`,
    );
    return 2;
  }
  const measured: Figure[] = [];
  for (const [name, load] of Object.entries(figures)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const run = await load();
    measured.push(...(await run({ ...at, quick })));
  }
  printTable(measured);
  process.stdout.write(`${machine()}${quick ? '; QUICK: fewer rounds, less warm-up: no record' : ''}\n`);
  return measured.every((figure) => figure.ok !== false) ? 0 : 1;
}

function printTable(measured: readonly Figure[]): void {
  const rows = measured.map(({ name, value, asked, ok, facts }) => [
    name,
    value,
    asked,
    ok === null ? '' : ok ? 'ok' : 'MISSED',
    facts,
  ]);
  const table = [['figure', 'measured', 'asked', 'ok', 'from'], ...rows];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((row) => row[i]?.length ?? 0)));
  for (const row of table) {
    const cells = row.map((cell, i) => cell.padEnd(widths[i] ?? 0));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
