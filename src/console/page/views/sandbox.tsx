/** A sandbox of this machine: its clock, its ledger, its faults, and the story of any id in it. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { parseDuration } from '../../../core/clock.ts';
import type { Arrangement, SandboxState } from '../../wire/sandbox.ts';
import type { About } from '../../wire.ts';
import { call } from '../call.ts';
import { Card, Choice, Field, type Fields } from '../card.tsx';
import { bind } from '../keys.ts';
import { useAsked, useLoaded } from '../loaded.ts';
import { Command, Lines, Moments, Problem, Small, Their, Time } from '../parts.tsx';
import { View } from '../view.tsx';

/** Sends one arrangement to the sandbox, and looks at it again. */
type Arrange = (asked: Arrangement) => Promise<void>;

export function Sandbox({ about, of }: { about: About; of: string }) {
  const { now, again } = useLoaded(() => call('sandbox', {}), 'sandbox');
  const { answer, problem, ask } = useAsked('arrange');
  useLayoutEffect(() => bind({ r: () => void again() }), []);
  const arrange: Arrange = async (asked) => {
    await ask(asked);
    await again();
  };
  const { canWrite } = about;
  return (
    <View
      title="Sandbox"
      now={now.value}
      loading="Asking the sandbox"
      before={
        <>
          <p class="quiet">
            No money here is real. Time, faults and the provider’s answers are yours to set.
          </p>
          <Problem problem={problem.value} />
          <p role="status">{answer.value?.said}</p>
        </>
      }
    >
      {(data) => (
        <div class="cards">
          <Clock data={data} arrange={arrange} canWrite={canWrite} />
          <Outcome data={data} arrange={arrange} canWrite={canWrite} of={of} />
          <Money data={data} arrange={arrange} canWrite={canWrite} />
          <Faults data={data} arrange={arrange} canWrite={canWrite} />
          <Explain data={data} of={of} />
          <Scenario data={data} />
        </div>
      )}
    </View>
  );
}

interface Part {
  data: SandboxState;
  arrange: Arrange;
  canWrite: boolean;
}

function Clock({ data, arrange, canWrite }: Part) {
  const wrong = useSignal(false);
  const advance = async ({ by = '' }: Fields): Promise<void> => {
    const ms = parseDuration(by);
    wrong.value = ms === null;
    if (ms !== null)
      await arrange({ control: 'sandbox.clock.advance', body: { advance_ms: Math.round(ms) } });
  };
  const isRunning = data.mode === 'running';
  return (
    <Card
      title="Clock"
      command={data.commands.move}
      submit={canWrite && 'Move on'}
      onSubmit={advance}
      form={<Field name="by" label="by" value="61m" size={6} />}
    >
      {wrong.value && <p role="alert">That is no duration: such as 90s, 61m, 25h, 2d.</p>}
      <p>
        It is <Time at={data.now} />, and time {isRunning ? 'runs' : 'stands still'}.{' '}
        {canWrite && (
          <Small
            onClick={() => arrange({ control: `sandbox.clock.${isRunning ? 'stop' : 'run'}`, body: {} })}
          >
            {isRunning ? 'Stop it' : 'Let it run'}
          </Small>
        )}
      </p>
      <Command text={isRunning ? data.commands.stop : data.commands.start} />
      <p class="quiet">
        {data.due === null ? (
          'Nothing is due.'
        ) : (
          <>
            Next due: <Time at={data.due} />
          </>
        )}
      </p>
      <Lines of={data.states} />
      {canWrite && (
        <Small onClick={() => arrange({ control: 'sandbox.seed', body: {} })}>Make sample payments</Small>
      )}
      <Command text={data.commands.seed} />
    </Card>
  );
}

const Outcome = ({ data, arrange, canWrite, of }: Part & { of: string }) => (
  <Card
    title="The provider’s answer"
    command={data.commands.answer}
    submit={canWrite && 'Set it'}
    form={
      <>
        <Field name="id" label="payment or payout" value={of} hint="id or reference" />
        <Choice name="outcome" label="answer" of={data.outcomes} />
      </>
    }
    onSubmit={({ id = '', outcome = '' }) =>
      arrange({ control: 'sandbox.payouts.answer', id, body: { outcome } })
    }
  >
    <p class="quiet">A payout that is pending hears it at once, another one at its next try.</p>
  </Card>
);

const Money = ({ data, arrange, canWrite }: Part) => (
  <Card
    title="Balances and ledger"
    command={data.commands.credit}
    submit={canWrite && 'Top up'}
    onSubmit={({ currency = '', amount = '' }) =>
      arrange({ control: 'sandbox.balances.credit', id: currency, body: { amount } })
    }
    form={
      <>
        <Field name="amount" label="amount" value="1000" size={10} />
        <Choice name="currency" label="currency" of={data.balances.map(({ label }) => label)} />
      </>
    }
  >
    <Lines of={data.balances} />
    <details>
      <summary>Books of the ledger</summary>
      <Lines of={data.ledger} />
    </details>
    <details>
      <summary>Settings</summary>
      <Lines of={data.settings} />
    </details>
  </Card>
);

const Faults = ({ data, arrange, canWrite }: Part) => (
  <Card
    title="Faults"
    command={data.commands.arm}
    submit={canWrite && 'Arm'}
    onSubmit={({ fault = '', times = '' }) =>
      arrange({ control: 'sandbox.faults.arm', body: { fault, times: Number(times) } })
    }
    form={
      <>
        <Choice name="fault" label="fault" of={data.faults.map(({ name }) => name)} />
        <Field name="times" label="times" value="1" size={3} isNumber />
      </>
    }
  >
    {data.armed.length === 0 && <p>No fault is armed.</p>}
    {data.armed.map(({ id, text, command }) => (
      <div key={id}>
        {text}{' '}
        {canWrite && (
          <Small
            aria-label={`Disarm ${text}`}
            onClick={() => arrange({ control: 'sandbox.faults.disarm', id, body: {} })}
          >
            Disarm
          </Small>
        )}
        <Command text={command} />
      </div>
    ))}
    {data.fired.length > 0 && <Moments of={data.fired} />}
    <details>
      <summary>Each fault, and what it does</summary>
      <Lines of={data.faults.map(({ name, summary }) => ({ label: name, text: summary }))} />
    </details>
  </Card>
);

/** The story of a payment or a payout: each change, and the rule that made it. */
function Explain({ data, of }: { data: SandboxState; of: string }) {
  const { answer, problem, ask } = useAsked('explain');
  useEffect(() => {
    if (of !== '') void ask({ id: of });
  }, [of]);
  return (
    <Card
      title="Why it is so"
      command={data.commands.explain}
      submit="Explain"
      form={<Field name="id" label="payment or payout" value={of} hint="id or reference" />}
      onSubmit={({ id = '' }) => ask({ id })}
    >
      <Problem problem={problem.value} />
      {answer.value !== null && (
        <>
          <p>
            <Their text={answer.value.title} />
          </p>
          <Moments of={answer.value.changes} />
        </>
      )}
    </Card>
  );
}

function Scenario({ data }: { data: SandboxState }) {
  const { answer, problem, ask } = useAsked('play');
  const { value: played } = answer;
  return (
    <Card
      title="Scenario"
      command={data.commands.play}
      submit="Run"
      onSubmit={({ name = '' }) => ask({ name })}
      form={<Choice name="name" label="scenario" of={data.scenarios} />}
    >
      <p class="quiet">It runs in a sandbox of its own, and changes nothing here.</p>
      <Problem problem={problem.value} />
      {played !== null && (
        <div role="status">
          <p>{played.title}</p>
          <ol>
            {played.steps.map((step) => (
              <li key={step}>
                <code>{step}</code>
              </li>
            ))}
          </ol>
          <p>
            <strong>{played.failed ?? `${played.steps.length} steps hold, and the books balance.`}</strong>
          </p>
        </div>
      )}
    </Card>
  );
}
