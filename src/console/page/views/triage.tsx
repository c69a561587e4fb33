import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { About, AnswerOf, TroubledRow } from '../../wire.ts';
import { ActDialog } from '../act.tsx';
import { call } from '../call.ts';
import { Download } from '../download.tsx';
import { bind } from '../keys.ts';
import { useLoaded } from '../loaded.ts';
import { Loading, Newer, Notes, Problem, Time } from '../parts.tsx';
import { columns, Rows } from '../rows.tsx';
import { titleOf } from './search.tsx';

/** The board looks again so often by itself. What changed waits until somebody asks for it. */
const LOOK_MS = 60_000;

const SHOWN = [
  columns.to,
  columns.amount,
  columns.state,
  { head: 'Reason', cell: (row: TroubledRow) => row.reason },
  { head: 'Age', cell: (row: TroubledRow) => row.age },
  { head: 'Automatic refund', cell: (row: TroubledRow) => row.refund },
  columns.from,
  columns.reference,
  columns.account,
];

/** Payouts that need somebody: by who must act, the nearest deadline first. */
export function Triage({ about }: { about: About }) {
  const { now, again } = useLoaded(() => call('triage', {}), 'triage');
  const newer = useSignal<AnswerOf<'triage'> | null>(null);
  const isFailing = useSignal(false);
  const { data, problem, isLoading } = now.value;
  const show = (): void => {
    if (newer.value !== null) now.value = { data: newer.value, problem: undefined, isLoading: false };
    newer.value = null;
  };
  useEffect(() => {
    document.title = titleOf('Triage');
    const timer = setInterval(async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        newer.value = await call('triage', {});
        isFailing.value = false;
      } catch {
        isFailing.value = true;
      }
    }, LOOK_MS);
    const unbind = bind('r', () => void again());
    return () => {
      clearInterval(timer);
      unbind();
    };
  }, []);
  const changes = data !== undefined && newer.value !== null ? changesIn(data.rows, newer.value.rows) : 0;
  return (
    <section aria-labelledby="triage" aria-busy={isLoading}>
      <h1 id="triage">Payouts that need somebody</h1>
      <p role="status" class="asof">
        {data !== undefined && (
          <>
            as of <Time at={changes === 0 ? (newer.value?.readAt ?? data.readAt) : data.readAt} />
          </>
        )}{' '}
        {isFailing.value && <strong class="bad">It could not be read again: what is shown is older.</strong>}
      </p>
      <Newer count={changes} onShow={show} />
      {problem !== undefined && (
        <Problem problem={problem}>
          {data === undefined ? (
            <p>It is not known just now which payouts need somebody.</p>
          ) : (
            <p>What is below is older.</p>
          )}
        </Problem>
      )}
      {data === undefined && isLoading && <Loading what="Asking the service" />}
      {data !== undefined && <Board data={data} about={about} onDone={again} />}
    </section>
  );
}

function changesIn(shown: readonly TroubledRow[], newer: readonly TroubledRow[]): number {
  const before = new Map(shown.map(({ id, digest }) => [id, digest]));
  const after = new Map(newer.map(({ id, digest }) => [id, digest]));
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).length;
}

function Board({
  data: { rows, notes },
  about,
  onDone,
}: {
  data: AnswerOf<'triage'>;
  about: About;
  onDone: () => Promise<void>;
}) {
  const together = useSignal<TroubledRow[] | null>(null);
  if (rows.length === 0) return <p>No payout needs anybody.</p>;
  const headings = [...new Set(rows.map(({ heading }) => heading))];
  return (
    <>
      <Notes of={notes} />
      {headings.map((heading) => {
        const own = rows.filter((row) => row.heading === heading);
        return (
          <section key={heading}>
            <h2>{`${heading.charAt(0).toUpperCase()}${heading.slice(1)}`}</h2>
            <Rows label={heading} rows={own} shown={SHOWN} />
            {about.canWrite &&
              alikeIn(own).map((group) => (
                <p key={group[0]?.id}>
                  <button
                    type="button"
                    class="small"
                    onClick={() => {
                      together.value = group;
                    }}
                  >
                    Cancel these {group.length}… ({group[0]?.state.word}
                    {group[0]?.reason ? `, ${group[0].reason}` : ''})
                  </button>
                </p>
              ))}
          </section>
        );
      })}
      <p>
        <Download rows={rows} what="triage" />
      </p>
      {together.value !== null && (
        <ActDialog
          title={`Cancel ${together.value.length} payouts`}
          act="cancel"
          of={together.value}
          onClose={(changed) => {
            together.value = null;
            if (changed) void onDone();
          }}
        />
      )}
    </>
  );
}

/** The most that one dialog can show row by row. */
const MOST_TOGETHER = 100;

/** Rows of one state and one reason that can all be cancelled at once. */
function alikeIn(rows: readonly TroubledRow[]): TroubledRow[][] {
  const groups = new Map<string, TroubledRow[]>();
  for (const row of rows.filter(({ can }) => can.includes('cancel'))) {
    const key = JSON.stringify([row.state.word, row.reason]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].filter(({ length }) => length > 1 && length <= MOST_TOGETHER);
}
