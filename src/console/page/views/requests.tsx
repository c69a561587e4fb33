import type { About, Request } from '../../wire.ts';
import { useActing } from '../act.tsx';
import { useLoaded } from '../loaded.ts';
import { CommandText, Notes, Small, State, Their, Time, To } from '../parts.tsx';
import { PageView } from '../view.tsx';

const BEFORE = (
  <p class="quiet">
    What was asked for from this machine and is not over: outcomes that nobody knows, cancels and corrections
    that wait for their answer, pay runs that wait for approval.
  </p>
);

export function Requests({ about }: { about: About }) {
  const { now, again } = useLoaded('requests', {});
  const { begin, dialog } = useActing(again);
  const settle = ({ id }: Request): void =>
    begin({ title: 'Find out what came of it', act: 'settle', of: [{ id, digest: '' }] });
  return (
    <>
      <PageView title="My requests" before={BEFORE} now={now.value} loading="Reading the journal">
        {({ rows, notes }) => (
          <>
            {rows.length === 0 && <p>Everything that was asked for from here is answered.</p>}
            <ul class="bare requests">
              {rows.map((one) => (
                <Line key={one.id} one={one} onSettle={one.canSettle && about.canWrite && settle} />
              ))}
            </ul>
            <Notes of={notes} />
          </>
        )}
      </PageView>
      {dialog}
    </>
  );
}

const Line = ({ one, onSettle }: { one: Request; onSettle: false | ((one: Request) => void) }) => (
  <li>
    <p>
      <State state={one.state} />{' '}
      <strong>
        <Their text={one.summary} />
      </strong>
    </p>
    <p class="quiet">
      <Time at={one.at} /> {one.who} {one.note !== null && <Their text={one.note} />}
    </p>
    <p class="row buttons">
      {one.recipient !== null && <To to={{ view: 'payout', id: one.recipient }}>Look at the payout</To>}
      {one.run !== null && <To to={{ view: 'run', id: one.run }}>Look at the run</To>}
      {onSettle && <Small onClick={() => onSettle(one)}>Settle…</Small>}
    </p>
    <CommandText text={one.command} />
  </li>
);
