import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AnswerOf, Month as Made } from '../../wire.ts';
import { call } from '../call.ts';
import { type Loaded, useLoaded } from '../loaded.ts';
import { Command, Loading, Problem, State, Their, Time, To, WithTimes } from '../parts.tsx';
import { Plot } from '../plot.tsx';
import { Sync, titleOf } from './search.tsx';

/** A month of the books: the balances, one statement with its proof, payouts by corridor, and what is in flight. */
export function Month({ month, currency }: { month?: string | undefined; currency?: string | undefined }) {
  const read = useSignal(0);
  const asked = { month: month ?? null, currency: currency ?? null };
  const { now, again } = useLoaded(() => call('month', asked), JSON.stringify(asked));
  const { data, problem, isLoading } = now.value;
  const made = data?.made ?? undefined;
  useEffect(() => {
    document.title = titleOf('Month');
  }, []);
  const sync = (
    <Sync
      hasBooks={data === undefined || made !== undefined}
      onDone={async () => {
        read.value += 1;
        await again();
      }}
    />
  );
  return (
    <section aria-labelledby="month" aria-busy={isLoading}>
      <h1 id="month">Month {made?.month ?? month}</h1>
      {problem !== undefined && (
        <Problem problem={problem}>{made !== undefined && <p>What is below is older.</p>}</Problem>
      )}
      {data === undefined && isLoading && <Loading what="Reading the books" />}
      {data?.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {made !== undefined && (
        <>
          <nav aria-label="Months">
            <To to={{ view: 'month', month: made.before, currency }}>← {made.before}</To>
            {made.after !== null && (
              <To to={{ view: 'month', month: made.after, currency }}>{made.after} →</To>
            )}
          </nav>
          <Synced at={made.syncedAt} />
        </>
      )}
      {!(data === undefined && isLoading) && sync}
      {made !== undefined && (
        <>
          <Balances made={made} />
          {made.statement !== null && <Statement of={made.statement} />}
          <Summary month={made.month} key={`s ${made.month} ${read.value}`} />
          <InFlight month={made.month} key={`f ${made.month} ${read.value}`} />
          <h2>Reconciliation</h2>
          <p>
            Open differences are found against your ledger, which this machine does not keep: in the terminal.
          </p>
          <Command text={made.reconcile} />
        </>
      )}
    </section>
  );
}

const Synced = ({ at }: { at: string }) => (
  <p class="quiet">
    Books synced at <Time at={at} />
  </p>
);

const Notes = ({ notes }: { notes: readonly string[] }) => (
  <>
    {notes.map((note) => (
      <p class="quiet" key={note}>
        <WithTimes text={note} />
      </p>
    ))}
  </>
);

type Cell = ComponentChildren;
/** Columns whose name begins with `>` stand at the right. */
const Table = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly Cell[][];
}) => (
  <table aria-label={label}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" class={head.startsWith('>') ? 'right' : undefined}>
            {head.replace('>', '')}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        <tr key={row}>
          {cells.map((cell, at) => (
            <td
              key={heads[at]}
              class={heads[at]?.startsWith('>') ? 'right amount' : undefined}
              data-head={heads[at]?.replace('>', '')}
            >
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const Balances = ({ made }: { made: Made }) => (
  <>
    <h2>Balances</h2>
    {made.balances.length === 0 ? (
      <p>No balance stood or moved in this month.</p>
    ) : (
      <Table
        label="Balances"
        heads={['Currency', '>Opening', '>Closing', '>Movements']}
        rows={made.balances.map(({ currency, opening, closing, movements }) => [
          <To to={{ view: 'month', month: made.month, currency }} class="name">
            <span aria-current={currency === made.statement?.currency ? 'true' : undefined}>{currency}</span>
          </To>,
          opening,
          closing,
          movements,
        ])}
      />
    )}
  </>
);

const Statement = ({ of }: { of: NonNullable<Made['statement']> }) => (
  <>
    {of.days.length > 0 && (
      <>
        <h2>{of.currency} over time</h2>
        <Plot as="steps" points={of.days} label={`Balance in ${of.currency} at the end of each day`} />
        <details>
          <summary>The same figures as a table</summary>
          <Table
            label={`Balance in ${of.currency} by day`}
            heads={['Day', '>Balance at its end']}
            rows={of.days.map(({ label, text }) => [label, text])}
          />
        </details>
      </>
    )}
    <h2>Statement of {of.currency}</h2>
    <p>
      <State state={of.proved} />
    </p>
    <dl class="proof">
      {of.proof.map(({ label, text }) => (
        <>
          <dt>{label}</dt>
          <dd class="amount">{text}</dd>
        </>
      ))}
    </dl>
    <Table
      label={`Statement of ${of.currency}`}
      heads={['Time', 'Kind', 'To', 'Reference', '>Amount', '>Balance']}
      rows={of.lines.map((line) => [
        <Time at={line.at} />,
        line.kind,
        <Whom line={line} />,
        line.reference === null ? null : <Their text={line.reference} />,
        line.amount,
        line.balance,
      ])}
    />
    {of.more !== null && <p class="quiet">{of.more}</p>}
    <Notes notes={of.notes} />
    <Command text={of.command} />
  </>
);

/** A debit may pay several: then the search by its payment shows them. */
function Whom({
  line: { name, payout, payment },
}: {
  line: NonNullable<Made['statement']>['lines'][number];
}) {
  if (payment === null) return null;
  return (
    <To
      to={payout === null ? { view: 'search', words: payment } : { view: 'payout', id: payout }}
      class="name"
    >
      <Their text={name || payment.slice(0, 8)} />
    </To>
  );
}

/** A part that is counted by itself: how old it is, or why it is not there. */
function Part<Data extends AnswerOf<'inFlight'> | AnswerOf<'summary'>>({
  title,
  loaded: { data, problem, isLoading },
  children,
}: {
  title: string;
  loaded: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}) {
  return (
    <section aria-label={title} aria-busy={isLoading}>
      <h2>{title}</h2>
      {problem !== undefined && <Problem problem={problem} />}
      {data === undefined && isLoading && <Loading what="Counting payouts" />}
      {data !== undefined && (
        <>
          {data.rows.length === 0 ? <p>{data.none}</p> : children(data)}
          <Synced at={data.syncedAt} />
          <Notes notes={data.notes} />
          <Command text={data.command} />
        </>
      )}
    </section>
  );
}

function Summary({ month }: { month: string }) {
  const { now } = useLoaded(() => call('summary', { month }), month);
  return (
    <Part title="Payouts by corridor" loaded={now.value}>
      {({ plot, rows }) => (
        <>
          <Plot as="bars" points={plot} label="Payouts by corridor" />
          <Table
            label="Payouts by corridor"
            heads={[
              'Corridor',
              '>Payouts',
              '>Paid',
              '>Refused',
              '>Cost',
              '>Refunded',
              '>Arrived',
              '>First try',
              '>Median time',
            ]}
            rows={rows.map((row) => [
              <>
                {row.group}
                {row.direction === 'payout' ? '' : ` (${row.direction})`}
              </>,
              row.payouts,
              row.paid,
              row.refused,
              row.cost,
              row.refunded,
              row.arrived,
              row.firstTry,
              row.median,
            ])}
          />
        </>
      )}
    </Part>
  );
}

function InFlight({ month }: { month: string }) {
  const { now } = useLoaded(() => call('inFlight', { month }), month);
  const day = now.value.data?.day;
  return (
    <Part title={day === undefined ? 'In flight' : `In flight at the end of ${day}`} loaded={now.value}>
      {({ rows }) => (
        <Table
          label="In flight"
          heads={['Kind', 'From', 'Age', 'Oldest', '>Payouts', '>Amount']}
          rows={rows.map((row) => [
            row.kind,
            row.source,
            row.age,
            <Time at={row.oldest} />,
            row.payouts,
            row.amount,
          ])}
        />
      )}
    </Part>
  );
}
