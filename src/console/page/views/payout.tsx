import { useLayoutEffect, useState } from 'preact/hooks';
import { MOST_LETTERS } from '../../wire/acts.ts';
import type { About, PayoutRow, Payout as Told } from '../../wire.ts';
import { type Send, useActing } from '../act.tsx';
import { type Fields, FormField, PageForm } from '../card.tsx';
import { save } from '../download.tsx';
import { bind } from '../keys.ts';
import { useAsked, useFollowing, useLoaded } from '../loaded.ts';
import {
  CommandText,
  Copy,
  Lines,
  Loading,
  Moments,
  Notes,
  Small,
  State,
  sentence,
  Their,
  To,
} from '../parts.tsx';
import { columns, type PageColumn, Payouts } from '../rows.tsx';
import { PageView, Read } from '../view.tsx';

type Act = Told['can'][number]['act'];
const TITLES: Readonly<Record<Act, string>> = {
  edit: 'Correct the details',
  cancel: 'Cancel the payout',
  request_cancel: 'Ask the provider to cancel',
};
const KEYS: Readonly<Record<Act, string>> = { edit: 'e', cancel: 'c', request_cancel: 'c' };

/** An answer of the provider is looked for so often. */
const LOOK_MS = 5_000;

export function PayoutView({ id, about }: { id: string; about: About }) {
  const { now, again } = useLoaded('payout', { id });
  const { begin, dialog } = useActing(again);
  const { data } = now.value;
  useFollowing(data?.isAwaiting === true && dialog === null ? id : undefined, LOOK_MS, again);
  return (
    <>
      <PageView
        title="Payout"
        heading={
          data && (
            <>
              <span class="amount">{data.row.amount}</span> to <Their text={data.row.to} />
            </>
          )
        }
        now={now.value}
        loading="Asking the service how it stands"
      >
        {(shown) => <Shown data={shown} about={about} begin={begin} />}
      </PageView>
      {dialog}
    </>
  );
}

interface Acting {
  data: Told;
  about: About;
  begin: ReturnType<typeof useActing>['begin'];
}

const Shown = ({ data, about, begin }: Acting) => (
  <>
    <p>
      <State state={data.row.state} /> <span class="quiet">{data.because}</span>{' '}
      {about.hasControls && <To to={{ view: 'sandbox', of: data.row.id }}>In the sandbox</To>}
    </p>
    <div class="two">
      <div>
        <Tell text={data.tell} />
        {data.pickup !== null && <Pickup pickup={data.pickup} />}
        <Lines of={data.lines} />
      </div>
      <div>
        <Acts data={data} about={about} begin={begin} />
        <Life id={data.row.id} key={data.row.digest} />
      </div>
    </div>
    <Others title="The payment’s other recipients" rows={data.others} last={columns.account} />
    <Others title="To the same account in these days" rows={data.alike ?? []} last={columns.at} />
    <p class="quiet">The same in the terminal:</p>
    <CommandText text={data.command} />
  </>
);

const Tell = ({ text }: { text: string }) => (
  <div class="card tell">
    <h2>Tell the customer</h2>
    <p>
      <Their text={text} />
    </p>
    <Copy text={text} what="the sentences for the customer" />
  </div>
);

const Pickup = ({ pickup: { code, where } }: { pickup: NonNullable<Told['pickup']> }) => (
  <div class="card">
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

function Acts({ data, about, begin: beginAct }: Acting) {
  const form = (send: Send) => <Correct details={data.details} onSend={send} />;
  const begin = (act: Act): void =>
    beginAct({ title: TITLES[act], act, of: [data.row], ...(act === 'edit' && { form }) });
  useLayoutEffect(() => {
    if (!about.canWrite) return undefined;
    return bind(Object.fromEntries(data.can.map(({ act }) => [KEYS[act], () => begin(act)])));
  }, [data, about.canWrite]);
  return (
    <div class="card">
      <h2>What can be done</h2>
      {data.can.length === 0 && (
        <p>
          Nothing can be done from here.{' '}
          {data.isAwaiting ? 'The answer is awaited; this page looks by itself.' : ''}
        </p>
      )}
      <ul class="bare">
        {data.can.map(({ act, command }) => (
          <li key={act}>
            {about.canWrite && (
              <button type="button" onClick={() => begin(act)}>
                {TITLES[act]}… <kbd>{KEYS[act]}</kbd>
              </button>
            )}
            <CommandText text={command} />
          </li>
        ))}
      </ul>
      {data.can.length > 0 && about.whyNot !== null && <p class="quiet">{sentence(about.whyNot)}</p>}
      {data.proofs !== null && <Proofs key={data.row.id} id={data.row.id} command={data.proofs} />}
      <details>
        <summary>Hand over to the operator</summary>
        <pre>{data.handOver}</pre>
        <Copy text={data.handOver} what="the text for the operator" />
      </details>
    </div>
  );
}

/** The life of the payout. Read apart: the logs of the service take longer than the payout itself. */
function Life({ id }: { id: string }) {
  const { now } = useLoaded('timeline', { id });
  return (
    <div>
      <h2>What happened</h2>
      <Read now={now.value} loading="Reading the logs of the service">
        {({ moments, notes }) => (
          <>
            <Moments of={moments} />
            <Notes of={notes} />
          </>
        )}
      </Read>
    </div>
  );
}

const Others = ({ title, rows, last }: { title: string; rows: PayoutRow[]; last: PageColumn<PayoutRow> }) =>
  rows.length > 0 && (
    <>
      <h2>{title}</h2>
      <Payouts label={title} rows={rows} shown={[columns.to, columns.amount, columns.state, last]} />
    </>
  );

type Detail = Told['details'][number];
const fieldOf = ({ name, label, shown, options }: Detail) => ({
  name,
  label: [
    `${label} `,
    <span class="quiet">
      now <Their text={shown || 'empty'} />
    </span>,
  ],
  of: options?.map(({ code, label }) => [code, `${label} (${code})`] as const),
  most: MOST_LETTERS,
  isOptional: true,
});

/** The details that may be wrong: what the failure is about at first, the others behind a click. Only what is written is sent. */
function Correct({ details, onSend }: { details: readonly Detail[]; onSend: Send }) {
  const named = details.filter(({ isNamed }) => isNamed);
  const [showsAll, showAll] = useState(named.length === 0);
  const [changes, setChanges] = useState<Fields>({});
  const change = (fields: Fields): void =>
    setChanges(Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')));
  return (
    <PageForm onFields={change} onSubmit={() => onSend(changes)}>
      <p class="quiet">Leave empty what stays as it is.</p>
      {(showsAll ? details : named).map((one) => (
        <FormField key={one.name} {...fieldOf(one)} />
      ))}
      <p class="row buttons">
        {!showsAll && <Small onClick={() => showAll(true)}>Other details too</Small>}
        <button type="submit" disabled={Object.keys(changes).length === 0}>
          Check it
        </button>
      </p>
    </PageForm>
  );
}

/** The files that prove it, fetched when the user asks. One is saved at once; of several, each when its button is pressed, as browsers want it. */
function Proofs({ id, command }: { id: string; command: string }) {
  const { now, ask } = useAsked('proofs');
  const fetch = async (): Promise<void> => {
    const [only, another] = (await ask({ id }))?.files ?? [];
    if (only?.base64 && another === undefined) save(only.name, only.type, only.base64);
  };
  return (
    <>
      <p>It did not arrive? The proof of payment, for the operator:</p>
      <p>
        <button type="button" onClick={fetch}>
          Download the proof of payment
        </button>
      </p>
      {now.value.isLoading && <Loading what="Fetching the files" />}
      <Read now={now.value}>
        {({ files, note }) => (
          <div role="status">
            {files.map(({ name, type, base64, why }, index) => (
              <p key={index}>
                {base64 === null ? (
                  <>
                    <Their text={name} /> was not fetched: <Their text={why ?? ''} />
                  </>
                ) : (
                  <Small onClick={() => save(name, type, base64)}>
                    Save <Their text={name} />
                  </Small>
                )}
              </p>
            ))}
            {note !== null && <p>{sentence(note)}</p>}
          </div>
        )}
      </Read>
      <CommandText text={command} />
    </>
  );
}
