/** Judges each case as it ends, and keeps no more of it than is told. */
import type { AuditBasis, Audited, AuditOptions } from './asked.ts';
import { type AuditCase, caseText } from './case.ts';
import { Habits } from './habits.ts';
import { type AuditFinding, type CaseVerdict, classifyCase, isSameFinding, labelOf } from './judge.ts';
import { type Way, wayInfo } from './loss-modes.ts';
import { CaseReach } from './plan.ts';
import { type CaseRun, runCase } from './run-case.ts';
import { type ShownRequest, shownOf } from './shown.ts';
import { keyOf, type Unstable } from './writes.ts';

/**
 * Shows whether the program believed a webhook whose signature is wrong. An answer of 2xx proves nothing: many programs take everything and drop what does
 * not verify. So the act counts: what the program does with true webhooks, does with forged ones too, and does not without any (decision 0107).
 */
interface Comparison {
  /** A run without a fault. */
  signed: CaseRun;
  /** The case `webhook-missigned`. */
  forged: CaseRun;
  /** The case `webhook-never`, more than once: what the program does by chance is no act. */
  without: readonly CaseRun[];
  unstable: Unstable;
}

interface Belief {
  /** Operations, and `ended with 0`. */
  acts: readonly string[];
  /** The program read more of the service than without any webhook: what it did may follow from that. */
  looked: boolean;
}

export const tookForged = ({ deliveries }: CaseRun): boolean =>
  deliveries.some(({ isForged, status = 0 }) => isForged && status >= 200 && status < 300);

export function beliefOf({ signed, forged, without, unstable }: Comparison): Belief {
  const [true_, spoilt] = [actsIn(signed, unstable), actsIn(forged, unstable)];
  const chance = without.map((run) => actsIn(run, unstable));
  const acts = [...spoilt].filter(
    ([act, count]) =>
      Math.min(count, true_.get(act) ?? 0) > Math.max(...chance.map((bag) => bag.get(act) ?? 0)),
  );
  return {
    acts: [...new Set(acts.map(([act]) => act.replace(/ [0-9a-f]{6}$/, '')))],
    looked: [...readsIn(forged)].some(([operation, count]) =>
      without.some((run) => count > (readsIn(run).get(operation) ?? 0)),
    ),
  };
}

/** The acts of its first start: a later one looks at what the first one left. */
const ofFirstStart = ({ exchanges }: CaseRun) => exchanges.filter(({ start }) => start === 1);

function actsIn(run: CaseRun, unstable: Unstable): Map<string, number> {
  const acts = new Map<string, number>();
  const add = (act: string): void => {
    acts.set(act, (acts.get(act) ?? 0) + 1);
  };
  for (const { operation, effect, body, done = 500 } of ofFirstStart(run))
    if (operation !== undefined && effect !== 'read' && done < 300)
      add(`${operation} ${keyOf({ operation, body }, unstable)}`);
  if (run.endings[0]?.ok) add('ended with 0');
  return acts;
}

function readsIn(run: CaseRun): Map<string, number> {
  const reads = new Map<string, number>();
  for (const { operation, effect } of ofFirstStart(run))
    if (operation !== undefined && effect === 'read') reads.set(operation, (reads.get(operation) ?? 0) + 1);
  return reads;
}

export class Tally {
  begun = 0;
  readonly #options: AuditOptions;
  readonly #basis: AuditBasis;
  readonly #habits = new Habits();
  readonly #counts = { as_wished: 0, said_failed: 0, gave_up: 0, finding: 0, not_met: 0 };
  readonly #reach = new CaseReach();
  readonly #found: (AuditFinding & {
    label: string;
    cases: number;
    ways: Set<Way>;
    shortest: AuditCase;
    requests: readonly ShownRequest[];
  })[] = [];
  /** The program answered 2xx to a webhook with a wrong signature. */
  #tookForged = false;
  /** Why a case could not begin or end as it should, the first that was so. */
  #broken: string | undefined;
  #notBegun = 0;
  #left = 0;
  #passedOver = 0;
  #programMs = 0;

  constructor(options: AuditOptions, basis: AuditBasis) {
    this.#options = options;
    this.#basis = basis;
  }

  leave(count: number): void {
    this.#left = count;
  }

  /** Why no case could begin; absent where one did. */
  get broken(): string | undefined {
    return this.#notBegun === this.begun ? this.#broken : undefined;
  }

  /** True where cases were tried, and none of them met the program. */
  get isIdle(): boolean {
    const { not_met: unmet, ...met } = this.#counts;
    return unmet > 0 && Object.values(met).every((count) => count === 0);
  }

  async run(given: AuditCase): Promise<void> {
    if (this.#reach.isHopeless(given)) {
      this.#passedOver += 1;
      return;
    }
    this.begun += 1;
    const count = this.begun;
    const { run, verdict } = await this.#judged(given);
    if (this.#options.signal.aborted) return;
    if (run.broken !== undefined) this.#broken ??= run.broken;
    if (run.endings.length === 0) this.#notBegun += 1;
    this.#habits.hear(run);
    this.#counts[verdict.ended] += 1;
    this.#reach.learn(given, run.isMet);
    for (const finding of verdict.findings) await this.#keep(given, run, finding);
    this.#options.onCase?.(verdict, count);
  }

  async #judged(given: AuditCase): Promise<{ run: CaseRun; verdict: CaseVerdict }> {
    const { unstable, wished } = this.#basis;
    const seed = `${this.#options.seed} ${caseText(given)}`;
    const run = await runCase({ ...this.#options, case: given, unstable, seed });
    for (const { ms } of run.endings) this.#programMs += ms;
    const verdict = classifyCase(run, { wished, mustPay: this.#options.mustPay });
    const belief = await this.#believed(run);
    return belief === undefined
      ? { run, verdict }
      : { run, verdict: { ...verdict, findings: [...verdict.findings, belief], ended: 'finding' } };
  }

  /** Runs the program twice more, without any webhook, where it took forged ones and nothing else is in the way. */
  async #believed(forged: CaseRun): Promise<AuditFinding | undefined> {
    const isAlone = forged.case.length === 1 && forged.case[0]?.way === 'webhook-missigned';
    if (!isAlone || !tookForged(forged)) return undefined;
    this.#tookForged = true;
    if (this.#options.skip.includes('webhook-never')) return undefined;
    const { one: signed, unstable } = this.#basis;
    const without: CaseRun[] = [];
    for (const nth of [1, 2]) {
      const seed = `${this.#options.seed} without ${nth}`;
      const run = await runCase({
        ...this.#options,
        case: [{ way: 'webhook-never', nth: 1 }],
        unstable,
        seed,
      });
      for (const { ms } of run.endings) this.#programMs += ms;
      without.push(run);
    }
    if (this.#options.signal.aborted) return undefined;
    const { acts, looked } = beliefOf({ signed, forged, without, unstable });
    if (acts.length === 0) return undefined;
    this.#habits.hearActed(looked);
    return looked ? undefined : { kind: 'believed_forgery', payment: acts.join(', '), count: acts.length };
  }

  async #keep(given: AuditCase, run: CaseRun, finding: AuditFinding): Promise<void> {
    const known = this.#found.find((one) => isSameFinding(one, finding));
    if (known !== undefined) {
      known.cases += 1;
      if (given.length === 1) for (const { way } of given) known.ways.add(way);
      return;
    }
    const { wished, one } = this.#basis;
    const label = labelOf(finding.payment, [...one.payments, ...run.payments], wished.by);
    const entry = {
      ...finding,
      label,
      cases: 1,
      ways: new Set(given.map(({ way }) => way)),
      shortest: given,
      requests: shownOf(run),
    };
    this.#found.push(entry);
    Object.assign(entry, await this.#shrunk(given, run, finding));
  }

  /** Leaves out one fault after the other, as long as the same is found. */
  async #shrunk(
    given: AuditCase,
    run: CaseRun,
    finding: AuditFinding,
  ): Promise<{ shortest: AuditCase; requests: readonly ShownRequest[] }> {
    let best = { shortest: given, requests: shownOf(run) };
    for (
      let at = 0;
      at < best.shortest.length && best.shortest.length > 1 && !this.#options.signal.aborted;
    ) {
      const fewer = best.shortest.filter((_, place) => place !== at);
      const judged = await this.#judged(fewer);
      if (judged.verdict.findings.some((one) => isSameFinding(one, finding)))
        best = { shortest: fewer, requests: shownOf(judged.run) };
      else at += 1;
    }
    return best;
  }

  async end(began: number): Promise<Audited> {
    const { wished, writes, unstable, one } = this.#basis;
    return {
      wished: {
        payments: [...wished.gone].map(
          ([key, count]) => `${count} × ${labelOf(key, one.payments, wished.by)}`,
        ),
        left: [
          ...wished.left.map((member) => `${member} of a payment`),
          ...[...wished.leftDetails].flatMap(([corridor, names]) =>
            [...names].map((name) => `${name} of a payee (${corridor})`),
          ),
        ],
        isByCount: wished.by.length === 0,
      },
      writes,
      unstable: [...unstable].flatMap(([operation, paths]) =>
        [...paths].map((path) => `${operation} ${path}`),
      ),
      counts: { ...this.#counts },
      found: this.#found.map(({ kind, label, count, cases, ways, shortest, requests }) => ({
        ...{ kind, payment: label, count, cases, ways: [...ways], shortest, requests },
      })),
      habits: this.#habits.list(),
      notTried: this.#notTried(),
      tookMs: this.#options.clock.now() - began,
      programMs: this.#programMs,
    };
  }

  #notTried(): string[] {
    const { kills, skip, replay, signal } = this.#options;
    const left: string[] = [];
    if (replay !== undefined) return ['all but one case: this is a replay'];
    if (signal.aborted) left.push('what was left when it was interrupted');
    if (this.#options.program.attached)
      left.push('a restart of the service: it was attached to, and not started here');
    else if (!kills) left.push('the program killed and started again: it was not asked for');
    if (!this.#basis.hasWebhooks) left.push('webhooks: no endpoint of the program was known');
    if (this.#tookForged && skip.includes('webhook-never'))
      left.push('what it does with a webhook that nobody signed: that is compared with webhook-never');
    for (const way of skip) left.push(`${way}, ${wayInfo(way).summary}: left out by whoever asked`);
    if (this.#left > 0) left.push(`${this.#left} cases that were planned: it ended before them`);
    if (this.#notBegun > 0)
      left.push(`${this.#notBegun} of the cases, in which the program was not started: ${this.#broken}`);
    const unmet = this.#counts.not_met - this.#notBegun;
    if (unmet > 0)
      left.push(`${unmet} cases whose fault had no occasion: the program never sent what it waits for`);
    if (this.#passedOver > 0)
      left.push(`${this.#passedOver} cases that wait for the same: they were passed over`);
    if (this.#basis.wished.by.length === 0)
      left.push('who was paid: nothing but the number of payments is the same in two runs');
    return left;
  }
}
