import { useEffect } from 'preact/hooks';
import type { Run as Shown } from '../../wire/runs.ts';
import type { AnswerOf } from '../../wire.ts';
import { call } from '../call.ts';
import { useLoaded } from '../loaded.ts';
import { Command, Loading, Problem, State, Their, Time, To, WithTimes } from '../parts.tsx';
import { titleOf } from './search.tsx';

/** A run that is being paid is looked at so often. */
const LOOK_MS = 3_000;

/** Pay runs of this account, newest first. */
export function Runs() {
  const { now } = useLoaded(() => call('runs', {}), 'runs');
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
      {data?.notes.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
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
export function Run({ name }: { name: string }) {
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
      {data !== undefined && <Standing data={data} />}
    </section>
  );
}

const Standing = ({ data }: { data: Shown }) => (
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
        <h2>In the terminal</h2>
        <p class="quiet">A run is approved, paid and held there: a signature is given where its key is.</p>
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
