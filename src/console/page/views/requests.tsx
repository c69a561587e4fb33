import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { About, Request } from '../../wire.ts';
import { ActDialog } from '../act.tsx';
import { call } from '../call.ts';
import { useLoaded } from '../loaded.ts';
import { Command, Loading, Notes, Problem, State, Their, Time, To } from '../parts.tsx';
import { titleOf } from './search.tsx';

/** Requests of this machine that are not over. */
export function Requests({ about }: { about: About }) {
  const { now, again } = useLoaded(() => call('requests', {}), 'requests');
  const settling = useSignal<Request | null>(null);
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('My requests');
  }, []);
  return (
    <section aria-labelledby="requests" aria-busy={isLoading}>
      <h1 id="requests">My requests</h1>
      <p class="quiet">
        What was asked for from this machine and is not over: outcomes that nobody knows, cancels and
        corrections that wait for their answer, pay runs that wait for approval.
      </p>
      {problem !== undefined && <Problem problem={problem} />}
      {data === undefined && isLoading && <Loading what="Reading the journal" />}
      {data?.rows.length === 0 && <p>Everything that was asked for from here is answered.</p>}
      <ul class="requests">
        {data?.rows.map((one) => (
          <li key={one.id}>
            <p>
              <State state={one.state} />{' '}
              <strong>
                <Their text={one.summary} />
              </strong>
            </p>
            <p class="quiet">
              <Time at={one.at} /> {one.who} {one.note !== null && <Their text={one.note} />}
            </p>
            <p class="buttons">
              {one.recipient !== null && (
                <To to={{ view: 'payout', id: one.recipient }}>Look at the payout</To>
              )}
              {one.run !== null && <To to={{ view: 'run', name: one.run }}>Look at the run</To>}
              {one.canSettle && about.canWrite && (
                <button
                  type="button"
                  class="small"
                  onClick={() => {
                    settling.value = one;
                  }}
                >
                  Settle…
                </button>
              )}
            </p>
            <Command text={one.command} />
          </li>
        ))}
      </ul>
      <Notes of={data?.notes} />
      {settling.value !== null && (
        <ActDialog
          title="Find out what came of it"
          act="settle"
          of={[{ id: settling.value.id, digest: '' }]}
          onClose={() => {
            settling.value = null;
            void again();
          }}
        />
      )}
    </section>
  );
}
