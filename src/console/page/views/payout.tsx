import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Moment } from '../../wire/parts.ts';
import type { About, Payout as Shown } from '../../wire.ts';
import { ActDialog } from '../act.tsx';
import { call } from '../call.ts';
import { bind } from '../keys.ts';
import { useLoaded } from '../loaded.ts';
import {
  Command,
  Copy,
  Loading,
  Notes,
  Problem,
  State,
  sentence,
  Their,
  Time,
  To,
  WithTimes,
} from '../parts.tsx';
import { columns, Rows } from '../rows.tsx';
import { Correct } from './correct.tsx';
import { Proofs } from './proofs.tsx';
import { titleOf } from './search.tsx';

type Act = Shown['can'][number]['act'];
const TITLES: Readonly<Record<Act, string>> = {
  edit: 'Correct the details',
  cancel: 'Cancel the payout',
  request_cancel: 'Ask the provider to cancel',
};
const KEYS: Readonly<Record<Act, string>> = { edit: 'e', cancel: 'c', request_cancel: 'c' };

/** An answer of the provider is looked for so often. */
const LOOK_MS = 5_000;

/** All that a caller may ask about one payout, and what can be done. */
export function Payout({ id, about }: { id: string; about: About }) {
  const { now, again } = useLoaded(() => call('payout', { id }), id);
  const acting = useSignal<Act | null>(null);
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Payout');
  }, [id]);
  useFollowing(data?.isAwaiting === true && acting.value === null, again);
  if (data === undefined)
    return (
      <section aria-busy={isLoading}>
        <h1>Payout</h1>
        {problem === undefined ? (
          <Loading what="Asking the service how it stands" />
        ) : (
          <Problem problem={problem} />
        )}
      </section>
    );
  const isEdit = acting.value === 'edit';
  return (
    <section aria-labelledby="payout" aria-busy={isLoading}>
      <h1 id="payout">
        <span class="amount">{data.row.amount}</span> to <Their text={data.row.to} />
      </h1>
      <p>
        <State state={data.row.state} /> <span class="quiet">{data.because}</span>{' '}
        {about.hasControls && <To to={{ view: 'sandbox', of: id }}>In the sandbox</To>}
      </p>
      {problem !== undefined && (
        <Problem problem={problem}>
          <p>What is below is older.</p>
        </Problem>
      )}
      <Halves data={data} about={about} acting={acting} />
      <More data={data} />
      {acting.value !== null && (
        <ActDialog
          key={acting.value}
          title={TITLES[acting.value]}
          act={acting.value}
          of={[data.row]}
          {...(isEdit ? { form: (send) => <Correct details={data.details} onSend={send} /> } : {})}
          onClose={(changed) => {
            acting.value = null;
            if (changed) void again();
          }}
        />
      )}
    </section>
  );
}

/** Looks again by itself while an answer is awaited, and somebody sees the page. */
function useFollowing(isOn: boolean, again: () => Promise<void>): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

const Halves = ({ data, about, acting }: Acting) => (
  <div class="two">
    <div>
      <Tell text={data.tell} />
      {data.pickup !== null && <Pickup pickup={data.pickup} />}
      <Facts data={data} />
    </div>
    <div>
      <Acts data={data} about={about} acting={acting} />
      <Life id={data.row.id} of={data.row.digest} />
    </div>
  </div>
);

const Tell = ({ text }: { text: string }) => (
  <div class="tell">
    <h2>Tell the customer</h2>
    <p>
      <Their text={text} />
    </p>
    <Copy text={text} what="the sentences for the customer" />
  </div>
);

const Pickup = ({ pickup: { code, where } }: { pickup: NonNullable<Shown['pickup']> }) => (
  <div class="pickup">
    <h2>Cash</h2>
    {code === null ? (
      <p>There is no pick-up code yet.</p>
    ) : (
      <p>
        Pick-up code <strong class="code">{code}</strong> <Copy text={code} what="the pick-up code" />
      </p>
    )}
    {where !== null && <p class="quiet">{where}</p>}
  </div>
);

const Facts = ({ data }: { data: Shown }) => (
  <dl>
    <dt>who must act</dt>
    <dd>{data.who}</dd>
    {data.refundAt !== null && (
      <>
        <dt>automatic refund</dt>
        <dd>
          <Time at={data.refundAt} /> <span class="quiet">at the earliest, if it is still unpaid</span>
        </dd>
      </>
    )}
    {data.lines
      .filter(({ label }) => label !== 'automatic refund' || data.refundAt === null)
      .map(({ label, text }, index) => (
        <>
          <dt key={`${label}${index}`}>{label}</dt>
          <dd>
            <WithTimes text={text} />
          </dd>
        </>
      ))}
  </dl>
);

interface Acting {
  data: Shown;
  about: About;
  acting: Signal<Act | null>;
}

function Acts({ data, about, acting }: Acting) {
  useEffect(() => {
    if (!about.canWrite) return undefined;
    const unbind = data.can.map(({ act }) =>
      bind(KEYS[act], () => {
        acting.value = act;
      }),
    );
    return () => {
      for (const one of unbind) one();
    };
  }, [data.can.map(({ act }) => act).join(), about.canWrite]);
  return (
    <div class="acts">
      <h2>What can be done</h2>
      {data.can.length === 0 && (
        <p>
          Nothing can be done from here.{' '}
          {data.isAwaiting ? 'The answer is awaited; this page looks by itself.' : ''}
        </p>
      )}
      <ul>
        {data.can.map(({ act, command }) => (
          <li key={act}>
            {about.canWrite && (
              <button
                type="button"
                onClick={() => {
                  acting.value = act;
                }}
              >
                {TITLES[act]}… <kbd>{KEYS[act]}</kbd>
              </button>
            )}
            <Command text={command} />
          </li>
        ))}
      </ul>
      {data.can.length > 0 && about.whyNot !== null && <p class="quiet">{sentence(about.whyNot)}</p>}
      {data.proofs !== null && <Proofs key={data.row.id} id={data.row.id} command={data.proofs} />}
      <details>
        <summary>Hand over to the operator</summary>
        <pre translate={false}>{data.handOver}</pre>
        <Copy text={data.handOver} what="the text for the operator" />
      </details>
    </div>
  );
}

/** The life of the payout. Read apart: the logs of the service take longer than the payout itself. */
function Life({ id, of }: { id: string; of: string }) {
  const { now } = useLoaded(() => call('timeline', { id }), `${id} ${of}`);
  const { data, problem } = now.value;
  return (
    <div class="life">
      <h2>What happened</h2>
      {data === undefined && problem === undefined && <Loading what="Reading the logs of the service" />}
      {problem !== undefined && <Problem problem={problem} />}
      {data !== undefined && (
        <ol>
          {data.moments.map((one, index) => (
            <MomentLine key={index} one={one} />
          ))}
        </ol>
      )}
      <Notes of={data?.notes} />
    </div>
  );
}

const MomentLine = ({ one: { at, by, text, note } }: { one: Moment }) => (
  <li class={by}>
    <Time at={at} />
    <span>
      <Their text={text} />
      {note !== null && (
        <span class="quiet">
          {' '}
          <Their text={note} />
        </span>
      )}
    </span>
  </li>
);

const OTHERS = [columns.to, columns.amount, columns.state, columns.account];
const ALIKE = [columns.to, columns.amount, columns.state, columns.at];

const More = ({ data }: { data: Shown }) => (
  <>
    {data.others.length > 0 && (
      <>
        <h2>The payment’s other recipients</h2>
        <Rows label="The payment’s other recipients" rows={data.others} shown={OTHERS} />
      </>
    )}
    {data.alike !== null && data.alike.length > 0 && (
      <>
        <h2>To the same account in these days</h2>
        <Rows label="To the same account in these days" rows={data.alike} shown={ALIKE} />
      </>
    )}
    <p class="quiet">The same in the terminal:</p>
    <Command text={data.command} />
  </>
);
