import { useRef, useState } from 'preact/hooks';
import type { MonthPart, QuestionOf } from '../../wire.ts';
import { useLoaded } from '../loaded.ts';
import { CommandText, Lines, Notes, State, Time, To } from '../parts.tsx';
import { Plot } from '../plot.tsx';
import { Table } from '../rows.tsx';
import { Read, useTitle } from '../view.tsx';
import { Reconcile } from './reconcile.tsx';
import { Sync } from './sync.tsx';

export function MonthView({ month, currency }: { month: string | undefined; currency: string | undefined }) {
  const [read, setRead] = useState(0);
  const hadBooks = useRef(false);
  const asked = { month: month ?? null, currency: currency ?? null };
  const { now, again } = useLoaded('month', asked);
  const { data, isLoading } = now.value;
  const made = data?.made ?? undefined;
  if (data !== undefined) hadBooks.current = made !== undefined;
  // These are of the month alone, and stay where another currency is read.
  const counted = hadBooks.current ? (made?.month ?? month) : undefined;
  useTitle('Month');
  const synced = async (): Promise<void> => {
    setRead(read + 1);
    await again();
  };
  const [balances, ...others] = (made?.parts ?? []).map((part) => (
    <Part part={part} month={made?.month} key={part.title} />
  ));
  const reconcile = others.pop();
  return (
    <section class="month" aria-labelledby="month" aria-busy={isLoading}>
      <h1 id="month">Month {made?.month ?? month}</h1>
      <Read now={now.value} loading="Reading the books">
        {({ notes, made }) => (
          <>
            <Notes of={notes} class="" />
            {made !== null && (
              <nav class="row" aria-label="Months">
                <To to={{ view: 'month', month: made.before, currency }}>← {made.before}</To>
                {made.after && <To to={{ view: 'month', month: made.after, currency }}>{made.after} →</To>}
              </nav>
            )}
          </>
        )}
      </Read>
      {(data !== undefined || !isLoading) && <Sync hasBooks={data?.made !== null} onDone={synced} />}
      <div class="two plotted">
        {balances}
        {others[0]}
      </div>
      {others[1]}
      {counted !== undefined &&
        (['corridors', 'in_flight'] as const).map((of) => (
          <Counts asked={{ of, month: counted }} key={`${of} ${counted} ${read}`} />
        ))}
      {reconcile}
      {made !== undefined && <Reconcile month={made.month} key={made.month} />}
    </section>
  );
}

/** A part that takes longer, since it reads every payment. */
function Counts({ asked }: { asked: QuestionOf<'counts'> }) {
  const { now } = useLoaded('counts', asked);
  return (
    <div aria-busy={now.value.isLoading}>
      <Read now={now.value} loading="Counting payouts">
        {(part) => <Part part={part} month={asked.month} />}
      </Read>
    </div>
  );
}

/** The lines of a whole month are many: they stand open where they are few. */
const FEW = 12;

const Part = ({ part, month }: { part: MonthPart; month: string | undefined }) => (
  <div>
    <h2>{part.title}</h2>
    {part.proved !== null && <State state={part.proved} />}
    {part.proof.length > 0 && <Lines class="proof" of={part.proof} />}
    {part.plot !== null && <Plot plot={part.plot} />}
    {part.rows.length === 0 ? (
      <p>{part.none}</p>
    ) : part.folded === null ? (
      <Table label={part.title} of={part} month={month} />
    ) : (
      <details open={part.plot === null && part.rows.length <= FEW}>
        <summary>{part.folded}</summary>
        <Table label={part.title} of={part} month={month} />
      </details>
    )}
    {part.syncedAt !== null && (
      <p class="quiet">
        Books synced at <Time at={part.syncedAt} />
      </p>
    )}
    <Notes of={part.notes} />
    {part.command !== null && <CommandText text={part.command} />}
  </div>
);
