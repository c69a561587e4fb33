/** An audit: two runs without a fault, then cases as long as it may, then what was found, each by the shortest case that shows it. */
import type { Effect } from '../core/effect.ts';
import type { AuditBasis, Audited, AuditOptions } from './asked.ts';
import { bagOf, wishedOf } from './payments.ts';
import { atRandom, type KnownWrite, pairs, singles, waysFor } from './plan.ts';
import { type CaseRun, runCase } from './run-case.ts';
import { Tally } from './tally.ts';
import { keyOf, type Unstable, unstableOf, type WriteSent } from './writes.ts';

export type AuditEnd =
  | { kind: 'audited'; audited: Audited }
  /** With the last lines that the program printed. */
  | { kind: 'nothing_audited'; why: string; hint?: string; printed: string };

export async function audit(options: AuditOptions): Promise<AuditEnd> {
  const began = options.clock.now();
  const basis = await withoutFault(options);
  if ('why' in basis) return { kind: 'nothing_audited', ...basis };
  const tally = new Tally(options, basis);
  if (options.replay !== undefined) await tally.run(options.replay);
  else await runAll(options, basis, tally, began);
  if (tally.isIdle)
    return {
      kind: 'nothing_audited',
      why:
        tally.broken ??
        'the program never sent what the cases wait for: a case is of the program, the flags and the seed with which it was found',
      printed: '',
    };
  return { kind: 'audited', audited: await tally.end(began) };
}

async function withoutFault(
  options: AuditOptions,
): Promise<AuditBasis | { why: string; hint?: string; printed: string }> {
  const runs: CaseRun[] = [];
  for (const nth of [1, 2]) {
    const run = await runCase({ ...options, case: [], unstable: new Map(), seed: `${options.seed} ${nth}` });
    const why = whyNoBasis(run, nth);
    if (why !== undefined) return { why, printed: run.printed };
    runs.push(run);
  }
  const [one, other] = runs as [CaseRun, CaseRun];
  const unstable = unstableOf(writesOf(one), writesOf(other));
  const wished = wishedOf(one.payments, other.payments, options.same);
  if (wished === undefined)
    return {
      why: `its first run, without any fault, paid ${paidWords(one)}; its second paid ${paidWords(other)}: nothing can be compared`,
      hint: 'it must pay the same each time; a program that sends again after a short wait may do so on a slow machine: let it wait longer',
      printed: '',
    };
  const writes = knownWrites(writesOf(one), unstable);
  return { one, wished, unstable, writes, hasWebhooks: one.deliveries.length > 0 };
}

/** `2 × NGN::Bank EUR`, by corridor. */
const paidWords = ({ payments }: CaseRun): string =>
  [...bagOf(payments, [])].map(([corridor, count]) => `${count} × ${corridor}`).join(', ') || 'nothing';

function whyNoBasis(run: CaseRun, nth: number): string | undefined {
  const which = nth === 1 ? 'its first run' : 'its second run';
  if (run.broken !== undefined) return run.broken;
  const end = run.endings.at(-1);
  if (!end?.ok)
    return `${which}, without any fault, did not end with 0: ${end?.answer ?? 'it was not started'}`;
  if (writesOf(run).length === 0)
    return `${which} sent no write to the sandbox: does it take the service's address from REMIT_BASE_URL?`;
  return undefined;
}

const writesOf = ({ exchanges }: CaseRun): (WriteSent & { effect: Effect })[] =>
  exchanges.flatMap(({ operation, effect, body }) =>
    operation === undefined || effect === 'read' ? [] : [{ operation, effect, body }],
  );

function knownWrites(
  sent: ReturnType<typeof writesOf>,
  unstable: Unstable,
): (KnownWrite & { operation: string })[] {
  const seen = new Map<string, number>();
  return sent.map(({ effect, ...one }) => {
    const write = keyOf(one, unstable);
    const nth = (seen.get(write) ?? 0) + 1;
    seen.set(write, nth);
    return { write, nth, operation: one.operation, isWeighty: effect !== 'write' };
  });
}

async function runAll(options: AuditOptions, basis: AuditBasis, tally: Tally, began: number): Promise<void> {
  const ways = waysFor({ kills: options.kills, webhooks: basis.hasWebhooks }, options.skip);
  const occasions = { writes: basis.writes, ways };
  const systematic = [...singles(occasions), ...pairs(occasions)];
  const isOver = (until: number | undefined): boolean =>
    options.signal.aborted ||
    (options.most !== undefined && tally.begun >= options.most) ||
    (until !== undefined && options.clock.now() - began >= until);
  const queue = (function* () {
    for (const [at, one] of systematic.entries()) {
      if (isOver(options.budgetMs)) {
        tally.leave(systematic.length - at);
        return;
      }
      yield one;
    }
    if (options.forMs === undefined && options.most === undefined) return;
    for (const one of atRandom(occasions, options.seed)) {
      if (isOver(options.forMs) || isOver(options.budgetMs)) return;
      yield one;
    }
  })();
  const work = async (): Promise<void> => {
    for (const one of queue) await tally.run(one);
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
}
