/** A pay run as a plan of an agent. */
import type { RecipientWrite } from '../../contract/resources/transaction.ts';
import { dayLines } from '../../payments/day-ceiling.ts';
import type { Desk } from '../../payments/desk.ts';
import type { Similar } from '../../payments/recent-payments.ts';
import { accountOf } from '../../profiles/connection.ts';
import { ofPlan, paidAlike } from '../prepared/alike.ts';
import { timeOfAnswers } from '../prepared/plan-status.ts';
import { keep, otherPlans, type PreparedAs } from '../prepared/prepare.ts';
import { alikeTexts, type Wish } from '../prepared/wish.ts';
import { createPrepared } from '../store/prepared.ts';

/** Ends the planning of a run: its draft goes, so that nobody finds the run and pays it. */
export class AlikeFound extends Error {
  constructor(readonly earlier: readonly Similar[]) {
    super('an earlier payment or plan may be the same');
  }
}

/** @throws AlikeFound for plans of other wishes that pay the same */
export async function refuseLikePlans(
  desk: Desk,
  recipients: readonly RecipientWrite[],
  names: readonly string[],
): Promise<void> {
  const [account, store] = await Promise.all([desk.connection().then(accountOf), desk.store()]);
  const wish: Wish = { kind: 'run', runId: '', name: '', digest: '' };
  const alike = await store.part(createPrepared).like(alikeTexts(account, wish, recipients));
  const others = otherPlans(alike, await timeOfAnswers(desk), names);
  if (others.length > 0) throw new AlikeFound(others.map(ofPlan));
}

export interface RunAbout {
  by: string;
  summary: string;
  lines: readonly string[];
  /** Ids of payments and plans that an agent declared this run not to be. */
  notTheSameAs: readonly string[];
  recipients: readonly RecipientWrite[];
  /** It was planned before: what came since is compared again. */
  stood: boolean;
}

/** A run stands in its own store, planned: the plan names it. */
export async function prepareRun(
  desk: Desk,
  { id, name, digest }: { id: string; name: string; digest: string },
  { stood, lines, ...about }: RunAbout,
): Promise<PreparedAs> {
  const wish: Wish = { kind: 'run', runId: id, name, digest };
  const { earlier } = stood ? await paidAlike(desk, wish, about.notTheSameAs) : { earlier: [] };
  if (earlier.length > 0) return { kind: 'alike', earlier };
  return keep(desk, wish, { ...about, lines: [...(await dayLines(desk)), ...lines] });
}
