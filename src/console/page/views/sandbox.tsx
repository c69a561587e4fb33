/** A sandbox of this machine: its clock, its ledger, its faults, and the story of any id in it. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { parseDuration } from '../../../core/clock.ts';
import type { Arrangement, SandboxPanel } from '../../wire/sandbox.ts';
import type { About } from '../../wire.ts';
import { Card, type Fields } from '../card.tsx';
import { bind } from '../keys.ts';
import { useAsked, useLoaded } from '../loaded.ts';
import { CommandText, Lines, Moments, ProblemBox, Small, Their, Time } from '../parts.tsx';
import { PageView, Read } from '../view.tsx';

export function SandboxView({ about: { canWrite }, of }: { about: About; of: string }) {
  const { now, again } = useLoaded('sandbox', {});
  const arranged = useAsked('arrange');
  useLayoutEffect(() => bind({ r: () => void again() }), []);
  const arrange: Part['arrange'] = async (control, body = {}, id) => {
    await arranged.ask({ control, body, id });
    await again();
  };
  const before = (
    <>
      <p class="quiet">No money here is real. Time, faults and the provider’s answers are yours to set.</p>
      <ProblemBox problem={arranged.now.value.problem} />
      <p role="status">{arranged.now.value.data?.said}</p>
    </>
  );
  return (
    <PageView title="Sandbox" now={now.value} loading="Asking the sandbox" before={before}>
      {(data) => (
        <div class="cards">
          {PARTS.map((Part, index) => (
            <Part key={index} data={data} arrange={arrange} canWrite={canWrite} of={of} />
          ))}
        </div>
      )}
    </PageView>
  );
}

interface Part {
  data: SandboxPanel;
  /** Sends one arrangement to the sandbox, and looks at it again. */
  arrange(control: Arrangement['control'], body?: Arrangement['body'], id?: string): Promise<void>;
  canWrite: boolean;
  /** The id of the payment or payout that the user came from; empty where there is none. */
  of: string;
}

const DURATION = { pattern: '(\\d+(\\.\\d+)?(ms|s|m|h|d|w|y))+|\\d+', title: 'such as 90s, 61m, 25h, 2d' };
const COUNT = { pattern: '\\d{1,6}', title: 'digits' };

function Clock({ data, arrange, canWrite }: Part) {
  const advance = async ({ by = '' }: Fields): Promise<void> =>
    arrange('sandbox.clock.advance', { advance_ms: Math.round(parseDuration(by) ?? 0) });
  const isRunning = data.mode === 'running';
  return (
    <Card
      title="Clock"
      command={data.commands.move_clock}
      submit={canWrite && 'Move on'}
      fields={[{ name: 'by', label: 'by', value: '61m', size: 6, form: DURATION }]}
      onSubmit={advance}
    >
      <p>
        It is <Time at={data.now} />, and time {isRunning ? 'runs' : 'stands still'}.{' '}
        {canWrite && (
          <Small onClick={() => arrange(`sandbox.clock.${isRunning ? 'stop' : 'run'}`)}>
            {isRunning ? 'Stop it' : 'Let it run'}
          </Small>
        )}
      </p>
      <CommandText text={isRunning ? data.commands.stop_clock : data.commands.run_clock} />
      <p class="quiet">
        {data.due === null ? 'Nothing is due.' : 'Next due: '}
        <Time at={data.due} />
      </p>
      <Lines of={data.states} />
      {canWrite && <Small onClick={() => arrange('sandbox.seed')}>Make sample payments</Small>}
      <CommandText text={data.commands.seed_sandbox} />
    </Card>
  );
}

/** The field that takes a payment or a payout. */
const ofAny = (of: string) => ({
  name: 'id',
  label: 'payment or payout',
  value: of,
  hint: 'id or reference',
});

const Outcome = ({ data, arrange, canWrite, of }: Part) => (
  <Card
    title="The provider’s answer"
    command={data.commands.answer_payout}
    submit={canWrite && 'Set it'}
    fields={[ofAny(of), { name: 'outcome', label: 'answer', of: data.outcomes }]}
    onSubmit={({ id, outcome = '' }) => arrange('sandbox.payouts.answer', { outcome }, id)}
  >
    <p class="quiet">A payout that is pending hears it at once, another one at its next try.</p>
  </Card>
);

const Money = ({ data, arrange, canWrite }: Part) => (
  <Card
    title="Balances and ledger"
    command={data.commands.credit_balance}
    submit={canWrite && 'Top up'}
    fields={[
      { name: 'amount', label: 'amount', value: '1000', size: 10 },
      { name: 'currency', label: 'currency', of: data.balances.map(({ label }) => label) },
    ]}
    onSubmit={({ currency, amount = '' }) => arrange('sandbox.balances.credit', { amount }, currency)}
  >
    <Lines of={data.balances} />
    <Folded title="Books of the ledger" of={data.ledger} />
    <Folded title="Settings" of={data.settings} />
  </Card>
);

const Folded = ({ title, of }: { title: string; of: SandboxPanel['ledger'] }) => (
  <details>
    <summary>{title}</summary>
    <Lines of={of} />
  </details>
);

const Faults = ({ data, arrange, canWrite }: Part) => (
  <Card
    title="Faults"
    command={data.commands.arm_fault}
    submit={canWrite && 'Arm'}
    fields={[
      { name: 'fault', label: 'fault', of: data.faults.map(({ label }) => label) },
      { name: 'times', label: 'times', value: '1', size: 3, form: COUNT },
    ]}
    onSubmit={({ fault = '', times }) => arrange('sandbox.faults.arm', { fault, times: Number(times) })}
  >
    {data.armed.length === 0 && <p>No fault is armed.</p>}
    {data.armed.map(({ id, text, command }) => (
      <div key={id}>
        {text}{' '}
        {canWrite && (
          <Small aria-label={`Disarm ${text}`} onClick={() => arrange('sandbox.faults.disarm', {}, id)}>
            Disarm
          </Small>
        )}
        <CommandText text={command} />
      </div>
    ))}
    {data.fired.length > 0 && <Moments of={data.fired} />}
    <Folded title="Each fault, and what it does" of={data.faults} />
  </Card>
);

function Explain({ data, of }: Part) {
  const { now, ask } = useAsked('explain');
  useEffect(() => {
    if (of !== '') void ask({ id: of });
  }, [of]);
  return (
    <Card
      title="Why it is so"
      command={data.commands.explain_state}
      submit="Explain"
      fields={[ofAny(of)]}
      onSubmit={({ id = '' }) => ask({ id })}
    >
      <Read now={now.value}>
        {({ title, changes }) => (
          <>
            <p>
              <Their text={title} />
            </p>
            <Moments of={changes} />
          </>
        )}
      </Read>
    </Card>
  );
}

function Scenario({ data }: Part) {
  const { now, ask } = useAsked('play');
  return (
    <Card
      title="Scenario"
      command={data.commands.play_scenario}
      submit="Run"
      fields={[{ name: 'name', label: 'scenario', of: data.scenarios }]}
      onSubmit={({ name = '' }) => ask({ name })}
    >
      <p class="quiet">It runs in a sandbox of its own, and changes nothing here.</p>
      <Read now={now.value}>
        {({ title, steps, failed }) => (
          <div role="status">
            <p>{title}</p>
            <ol>
              {steps.map((step) => (
                <li key={step}>
                  <code>{step}</code>
                </li>
              ))}
            </ol>
            <p>
              <strong>{failed ?? `${steps.length} steps hold, and the books balance.`}</strong>
            </p>
          </div>
        )}
      </Read>
    </Card>
  );
}

const PARTS = [Clock, Outcome, Money, Faults, Explain, Scenario];
