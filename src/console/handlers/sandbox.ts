/** The controls of a sandbox of ours, as `remit sandbox` has them: no money is real, and each answer is read again from the sandbox. */

import { faultInfo, faultNames } from '../../contract/controls/faults.ts';
import { type ControlId, payoutOutcomes } from '../../contract/controls/index.ts';
import { counted } from '../../core/amount-words.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound } from '../../core/problem.ts';
import { findTransaction } from '../../payments/lookup/transaction.ts';
import { control } from '../../sandbox/cli/control.ts';
import { changeWords, recordStory, sandboxOutput } from '../../sandbox/cli/sandbox-output.ts';
import type { Call } from '../call.ts';
import { type Arrangement, CONTROLS, type SandboxPanel, STEPS } from '../wire/sandbox.ts';
import type { AnswerOf } from '../wire.ts';

export async function sandbox({ desk, renderHint }: Call): Promise<SandboxPanel> {
  const { shippedScenarios } = await import('../../sandbox/scenario/shipped.ts');
  const told = await sandboxOutput(desk);
  return {
    ...told,
    commands: Object.fromEntries(
      STEPS.map((step) => [step, renderHint({ do: step })]),
    ) as SandboxPanel['commands'],
    armed: told.armed.map((one) => ({ ...one, command: renderHint({ do: 'disarm_fault', id: one.id }) })),
    faults: faultNames.map((name) => ({ label: name, text: faultInfo(name).summary })),
    outcomes: [...payoutOutcomes],
    scenarios: Object.keys(shippedScenarios),
  };
}

/** @throws Problem (not_found) */
export async function explain({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'explain'>> {
  const story = await recordStory(desk, id);
  return {
    title: `${story.object} ${story.id} is ${story.state}`,
    changes: story.changes.map((one) => ({ at: one.at, by: 'service', ...changeWords(one) })),
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
  return { said: made > 0 ? `${counted(made, 'sample payment')} were made.` : CONTROLS[name] };
}
