/** The controls of a sandbox of ours, as `remit sandbox` has them: no money is real, and each answer is read again from the sandbox. */

import { faultInfo, faultNames } from '../../contract/controls/faults.ts';
import { type ControlId, payoutOutcomes } from '../../contract/controls/index.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound } from '../../core/problem.ts';
import { findTransaction } from '../../desk/lookup/transaction.ts';
import { control } from '../../desk/sandbox/control.ts';
import { counted } from '../../desk/words/amount.ts';
import { spoken } from '../../desk/words/questions.ts';
import type { Call } from '../call.ts';
import type { Arrangement, SandboxState } from '../wire/sandbox.ts';
import type { AnswerOf } from '../wire.ts';

interface State {
  clock: { now: string; mode: SandboxState['mode'] };
  next_due: string | null;
  balances: Record<string, string>;
  ledger: Record<string, Record<string, string>>;
  states: Record<string, Record<string, number>>;
  settings: Record<string, unknown>;
}
interface Faults {
  armed: { id: string; fault: string; left: string | number; fired: number; [scope: string]: unknown }[];
  fired: { at: string; fault: string; what?: string | null }[];
}

/** The last faults that happened. */
const MOST_FIRED = 50;

export async function sandbox({ desk, spell }: Call): Promise<SandboxState> {
  const { shippedScenarios } = await import('../../sandbox/scenario/shipped.ts');
  const state = await control<State>(desk, 'sandbox.state');
  const { armed, fired } = await control<Faults>(desk, 'sandbox.faults.list');
  return {
    commands: commandsOf(spell),
    now: state.clock.now,
    mode: state.clock.mode,
    due: state.next_due,
    balances: amountsIn(state.balances),
    ledger: Object.entries(state.ledger).map(([label, amounts]) => ({
      label,
      text:
        amountsIn(amounts)
          .map(({ text }) => text)
          .join(', ') || 'none',
    })),
    states: Object.entries(state.states).map(([label, counts]) => ({
      label,
      text:
        Object.entries(counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', ') || 'none',
    })),
    settings: Object.entries(state.settings).map(([label, value]) => ({ label, text: String(value) })),
    armed: armed.map(({ id, fault, left, operation, corridor, event, webhook }) => ({
      id,
      command: spell({ do: 'disarm_fault', id }),
      text: `${fault} for ${operation ?? corridor ?? event ?? webhook ?? 'all'}: ${left === 'always' ? 'always' : `${left} more`}`,
    })),
    fired: fired
      .slice(-MOST_FIRED)
      .reverse()
      .map(({ at, fault, what }) => ({ at, by: 'service', text: fault, note: what ?? null })),
    faults: faultNames.map((name) => ({ name, summary: faultInfo(name).summary })),
    outcomes: [...payoutOutcomes],
    scenarios: Object.keys(shippedScenarios),
  };
}

const commandsOf = (spell: Call['spell']): SandboxState['commands'] => ({
  move: spell({ do: 'move_clock' }),
  start: spell({ do: 'run_clock' }),
  stop: spell({ do: 'stop_clock' }),
  seed: spell({ do: 'seed_sandbox' }),
  credit: spell({ do: 'credit_balance' }),
  answer: spell({ do: 'answer_payout' }),
  arm: spell({ do: 'arm_fault' }),
  explain: spell({ do: 'explain_state' }),
  play: spell({ do: 'play_scenario' }),
});

const amountsIn = (amounts: Readonly<Record<string, string>>): { label: string; text: string }[] =>
  Object.entries(amounts).map(([currency, amount]) => ({
    label: currency,
    text: spoken(amount, currency),
  }));

interface Story {
  id: string;
  object: string;
  state: string;
  changes: {
    at: string;
    object: string;
    from: string | null;
    to: string;
    basis: string;
    says: string;
    note?: string;
  }[];
}

/** @throws Problem (not_found) */
export async function explain({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'explain'>> {
  const story = await control<Story>(desk, 'sandbox.explain', { id });
  return {
    title: `${story.object} ${story.id} is ${story.state}`,
    changes: story.changes.map(({ at, object, from, to, basis, says, note }) => ({
      at,
      by: 'service',
      text: `${object}: ${from === null ? '' : `${from} → `}${to}`,
      note: [`${says} (${basis === 'assumed' ? 'the sandbox assumes this rule' : basis})`, note]
        .filter(Boolean)
        .join(' · '),
    })),
  };
}

/** Plays a scenario that comes with remit, in memory: neither this sandbox nor the service hears of it. */
export async function play(_: Call, { name }: { name: string }): Promise<AnswerOf<'play'>> {
  const { shippedScenarios } = await import('../../sandbox/scenario/shipped.ts');
  const { playScenario } = await import('../../sandbox/scenario/play.ts');
  if (!Object.hasOwn(shippedScenarios, name)) throw notFound(`there is no scenario "${name}"`);
  const { done, failed } = await playScenario(shippedScenarios[name]?.text ?? '');
  return {
    title: shippedScenarios[name]?.title ?? '',
    steps: done.map(({ step }) => step),
    failed:
      failed === null
        ? null
        : `line ${failed.line} does not hold: ${failed.step} (${failed.expected} is expected, and ${failed.found} found)`,
  };
}

export async function arrange({ desk }: Call, asked: Arrangement): Promise<AnswerOf<'arrange'>> {
  const { control: name, body } = asked;
  const isOfPayment = name === 'sandbox.payouts.answer' && asked.id !== undefined && !isUuid(asked.id);
  const id = isOfPayment
    ? ((await findTransaction(desk, asked.id ?? '', 'read')).transaction.id ?? '')
    : asked.id;
  const answer = await control<unknown>(desk, name satisfies ControlId, {
    ...(id === undefined ? {} : { id }),
    body,
  });
  const made = name === 'sandbox.seed' && Array.isArray(answer) ? answer.length : 0;
  return { said: made > 0 ? `${counted(made, 'sample payment')} were made.` : SAID[name] };
}

const SAID: Readonly<Record<Arrangement['control'], string>> = {
  'sandbox.clock.advance': 'The clock has moved, and everything that was due on the way has happened.',
  'sandbox.clock.run': 'Time runs.',
  'sandbox.clock.stop': 'Time stands still.',
  'sandbox.seed': 'Sample payments were made.',
  'sandbox.balances.credit': 'The money came in.',
  'sandbox.payouts.answer':
    'The provider answers that: at once where the payout is pending, else at its next try.',
  'sandbox.faults.arm': 'The fault is armed.',
  'sandbox.faults.disarm': 'The fault is no longer armed.',
};
