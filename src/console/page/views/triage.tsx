import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { About, AnswerOf, TroubledRow } from '../../wire.ts';
import { ActDialog } from '../act.tsx';
import { go } from '../address.ts';
import { call } from '../call.ts';
import { Download } from '../download.tsx';
import { bind } from '../keys.ts';
import { useFollowing, useLoaded } from '../loaded.ts';
import { Newer, Notes, Small, Time } from '../parts.tsx';
import { Period, type Times } from '../period.tsx';
import { columns, Payouts } from '../rows.tsx';
import { View } from '../view.tsx';

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
export function Triage({ about, since, until }: { about: About } & Times) {
  const asked = { since, until };
  const of = JSON.stringify(asked);
  const { now, again } = useLoaded(() => call('triage', asked), of);
  const newer = useSignal<AnswerOf<'triage'> | null>(null);
  const isFailing = useSignal(false);
  const { data } = now.value;
  const show = (): void => {
    if (newer.value !== null) now.value = { data: newer.value, problem: undefined, isLoading: false };
    newer.value = null;
  };
  useFollowing(of, LOOK_MS, async (isOver) => {
    try {
      const found = await call('triage', asked);
      if (isOver()) return;
      newer.value = found;
      isFailing.value = false;
    } catch {
      isFailing.value = true;
    }
  });
  useLayoutEffect(() => {
    newer.value = null;
    return bind({ r: () => void again() });
  }, [of]);
  const changes = data !== undefined && newer.value !== null ? changesIn(data.rows, newer.value.rows) : 0;
  return (
    <View
      title="Triage"
      heading="Payouts that need somebody"
      now={now.value}
      loading="Asking the service"
      unknown="It is not known just now which payouts need somebody."
      before={
        <>
          <Period {...asked} onChange={(times) => go({ view: 'triage', ...times })} />
          <p role="status">
            {data !== undefined && (
              <>
                as of <Time at={changes === 0 ? (newer.value?.readAt ?? data.readAt) : data.readAt} />
              </>
            )}{' '}
            {isFailing.value && (
              <strong class="bad">It could not be read again: what is shown is older.</strong>
            )}
          </p>
          <Newer count={changes} onShow={show} />
        </>
      }
    >
      {(read) => <Board data={read} about={about} isWhole={since + until === ''} onDone={again} />}
    </View>
  );
}

function changesIn(shown: readonly TroubledRow[], newer: readonly TroubledRow[]): number {
  const before = new Map(shown.map(({ id, digest }) => [id, digest]));
  const after = new Map(newer.map(({ id, digest }) => [id, digest]));
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id) !== after.get(id)).length;
}

interface OfBoard {
  data: AnswerOf<'triage'>;
  about: About;
  isWhole: boolean;
  onDone: () => Promise<void>;
}

function Board({ data: { rows, notes }, about, isWhole, onDone }: OfBoard) {
  const together = useSignal<readonly TroubledRow[] | null>(null);
  const begin = (group: readonly TroubledRow[] | null): void => {
    together.value = group;
  };
  if (rows.length === 0) return <p>No payout {isWhole ? '' : 'of this time '}needs anybody.</p>;
  const headings = [...new Set(rows.map(({ heading }) => heading))];
  return (
    <>
      <Notes of={notes} />
      {headings.map((heading) => {
        const own = rows.filter((row) => row.heading === heading);
        return (
          <section key={heading}>
            <h2>{`${heading.charAt(0).toUpperCase()}${heading.slice(1)}`}</h2>
            <Payouts label={heading} rows={own} shown={SHOWN} />
            {about.canWrite &&
              alikeIn(own).map(([first, ...more]) => (
                <p key={first.id}>
                  <Small onClick={() => begin([first, ...more])}>
                    Cancel these {more.length + 1}… (
                    {[first.state.word, first.reason].filter(Boolean).join(', ')})
                  </Small>
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
            begin(null);
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
function alikeIn(rows: readonly TroubledRow[]): [TroubledRow, ...TroubledRow[]][] {
  const groups = new Map<string, [TroubledRow, ...TroubledRow[]]>();
  for (const row of rows.filter(({ can }) => can.includes('cancel'))) {
    const key = JSON.stringify([row.state.word, row.reason]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].filter(({ length }) => length > 1 && length <= MOST_TOGETHER);
}
