import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RunAct, Run as Shown } from '../../wire/runs.ts';
import type { About, AnswerOf } from '../../wire.ts';
import { ActDialog } from '../act.tsx';
import { call } from '../call.ts';
import { useLoaded } from '../loaded.ts';
import { Command, Loading, Notes, Problem, State, sentence, Their, Time, To, WithTimes } from '../parts.tsx';
import { PlanFile } from './plan.tsx';
import { titleOf } from './search.tsx';

/** A run that is being paid is looked at so often. */
const LOOK_MS = 3_000;

/** Pay runs of this account, newest first. */
export function Runs({ about }: { about: About }) {
  const { now, again } = useLoaded(() => call('runs', {}), 'runs');
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Pay runs');
  }, []);
  return (
    <section aria-labelledby="runs" aria-busy={isLoading}>
      <h1 id="runs">Pay runs</h1>
      {problem !== undefined && <Problem problem={problem} />}
      {data === undefined && isLoading && <Loading what="Reading the store of runs" />}
      {data?.rows.length === 0 && <p>No pay run was planned with this account.</p>}
      {data !== undefined && data.rows.length > 0 && <List rows={data.rows} />}
      <Notes of={data?.notes} />
      {about.canWrite && <PlanFile about={about} onPlanned={() => void again()} />}
    </section>
  );
}

const List = ({ rows }: { rows: AnswerOf<'runs'>['rows'] }) => (
  <table aria-label="Pay runs">
    <thead>
      <tr>
        {['Run', 'Rows', 'State', 'Created', 'Approved by', 'On hold by'].map((head) => (
          <th key={head} scope="col" class={head === 'Rows' ? 'right' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((one) => (
        <tr key={one.id}>
          <td>
            <To to={{ view: 'run', name: one.name }} class="name">
              <Their text={one.name} />
            </To>
          </td>
          <td class="right amount">{one.rows}</td>
          <td>{one.status}</td>
          <td>
            <Time at={one.at} />
          </td>
          <td>{one.approved ?? 'nobody yet'}</td>
          <td>{one.held}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** One run: where it stands, what it comes to, and the rows that need somebody. */
export function Run({ name, about }: { name: string; about: About }) {
  const acting = useSignal<RunAct | null>(null);
  const { now, again } = useLoaded(() => call('run', { id: name }), name);
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Pay run');
  }, [name]);
  useEffect(() => {
    if (data?.isUnderWay !== true) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [data?.isUnderWay]);
  return (
    <section aria-labelledby="run" aria-busy={isLoading}>
      <h1 id="run">
        Pay run <Their text={name} />
      </h1>
      {problem !== undefined && (
        <Problem problem={problem}>{data !== undefined && <p>What is below is older.</p>}</Problem>
      )}
      {data === undefined && isLoading && <Loading what="Reading the store of runs" />}
      {data !== undefined && (
        <Standing
          data={data}
          onAct={
            about.canWrite
              ? (act) => {
                  acting.value = act;
                }
              : undefined
          }
        />
      )}
      {data !== undefined && acting.value !== null && (
        <ActDialog
          key={acting.value}
          title={`${ACTS[acting.value].title} ${name}`}
          act={acting.value}
          of={[{ id: name, digest: data.digest }]}
          {...(ACTS[acting.value].asks === undefined ? {} : { form: reasonFor(acting.value, about) })}
          onClose={() => {
            acting.value = null;
            void again();
          }}
        />
      )}
    </section>
  );
}

const ACTS: Readonly<Record<RunAct, { title: string; asks?: string }>> = {
  approve: { title: 'Approve' },
  reject: { title: 'Reject', asks: 'Why it is rejected' },
  hold: { title: 'Hold', asks: 'Why it is held' },
  release: { title: 'Release' },
  settle_run: { title: 'Settle' },
};

/** The reason, which everybody sees who looks at the run. */
const reasonFor = (act: RunAct, about: About) => (send: (details: Record<string, string>) => void) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      send({ because: String(new FormData(event.currentTarget).get('because') ?? '') });
    }}
  >
    <label>
      {ACTS[act].asks}
      <input name="because" required minLength={3} maxLength={500} autoComplete="off" />
    </label>
    <p class="buttons">
      <button type="submit" class="act">
        {ACTS[act].title} in {about.profile}
      </button>
    </p>
  </form>
);

const Standing = ({ data, onAct }: { data: Shown; onAct: ((act: RunAct) => void) | undefined }) => (
  <>
    <p>
      <State state={{ word: data.status, look: data.look }} />
    </p>
    <progress max={data.of} value={data.done} aria-label="Rows that were sent">
      {data.done} of {data.of}
    </progress>
    {data.notes.map((note) => (
      <p key={note}>{note}</p>
    ))}
    <div class="two">
      <dl>
        {data.lines.map(({ label, text }) => (
          <>
            <dt>{label}</dt>
            <dd>
              <WithTimes text={text} />
            </dd>
          </>
        ))}
      </dl>
      <div class="acts">
        {onAct !== undefined && data.can.length > 0 && (
          <p class="buttons">
            {data.can.map((act) => (
              <button type="button" key={act} onClick={() => onAct(act)}>
                {ACTS[act].title}…
              </button>
            ))}
          </p>
        )}
        {data.whyNotHere !== null && <p>{sentence(data.whyNotHere)}</p>}
        <h2>In the terminal</h2>
        <p class="quiet">A run is paid there.</p>
        {data.commands.map(({ label, text }) => (
          <>
            <p key={label}>{label}</p>
            <Command text={text} />
          </>
        ))}
      </div>
    </div>
    {data.rows.length > 0 && <Needing rows={data.rows} />}
    {data.more !== null && <p class="quiet">{data.more}</p>}
  </>
);

const Needing = ({ rows }: { rows: Shown['rows'] }) => (
  <>
    <h2>Rows that need somebody</h2>
    <table aria-label="Rows that need somebody">
      <thead>
        <tr>
          {['Row', 'Key', 'To', 'Account', 'Amount', 'State', 'Why', 'Who must act'].map((head) => (
            <th key={head} scope="col" class={head === 'Amount' ? 'right' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.n}>
            <td>{row.n}</td>
            <td>
              <Their text={row.key} />
            </td>
            <td>
              {row.recipient === null ? (
                <Their text={row.name ?? ''} />
              ) : (
                <To to={{ view: 'payout', id: row.recipient }} class="name">
                  <Their text={row.name ?? row.recipient} />
                </To>
              )}
            </td>
            <td>
              <Their text={row.account ?? ''} />
            </td>
            <td class="right">
              <span class="amount">{row.amount}</span>
            </td>
            <td>{row.state}</td>
            <td>
              <Their text={row.why ?? ''} />
            </td>
            <td>{row.who}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);
