import { useLayoutEffect, useState } from 'preact/hooks';
import { groupedBy } from '../../../core/grouped-by.ts';
import type { About, AnswerOf, TroubledRow } from '../../wire.ts';
import { useActing } from '../act.tsx';
import { go } from '../address.ts';
import { callServer } from '../call.ts';
import { Download } from '../download.tsx';
import { bind } from '../keys.ts';
import { useFollowing, useLoaded } from '../loaded.ts';
import { Newer, Notes, Small, Time } from '../parts.tsx';
import { PeriodChoice, type Times } from '../period.tsx';
import { columns, Payouts } from '../rows.tsx';
import { PageView } from '../view.tsx';

/** The board looks again so often by itself. What changed waits until the user asks for it. */
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

export function Triage({ about, since, until }: { about: About } & Times) {
  const asked = { since, until };
  const of = JSON.stringify(asked);
  const { now, again } = useLoaded('triage', asked);
  const [newer, setNewer] = useState<AnswerOf<'triage'> | null>(null);
  const [isFailing, setFailing] = useState(false);
  const { data } = now.value;
  const show = (): void => {
    if (newer !== null) now.value = { data: newer, problem: undefined, isLoading: false };
    setNewer(null);
  };
  useFollowing(of, LOOK_MS, async (isOver) => {
    try {
      const found = await callServer('triage', asked);
      if (isOver()) return;
      setNewer(found);
      setFailing(false);
    } catch {
      setFailing(true);
    }
  });
  useLayoutEffect(() => {
    setNewer(null);
    return bind({ r: () => void again() });
  }, [of]);
  const changes = data !== undefined && newer !== null ? changesIn(data.rows, newer.rows) : 0;
  return (
    <PageView
      title="Triage"
      heading="Payouts that need somebody"
      now={now.value}
      loading="Asking the service"
      unknown="It is not known just now which payouts need somebody."
      before={
        <>
          <PeriodChoice {...asked} onChange={(times) => go({ view: 'triage', ...times })} />
          <p role="status">
            {data !== undefined && (
              <>
                as of <Time at={changes === 0 ? (newer?.readAt ?? data.readAt) : data.readAt} />
              </>
            )}{' '}
            {isFailing && <strong class="bad">It could not be read again: what is shown is older.</strong>}
          </p>
          <Newer count={changes} onShow={show} />
        </>
      }
    >
      {(read) => <Board data={read} about={about} isWhole={since + until === ''} onDone={again} />}
    </PageView>
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
  onDone: () => unknown;
}

function Board({ data: { rows, notes }, about, isWhole, onDone }: OfBoard) {
  const { begin, dialog } = useActing(onDone);
  const cancel = (group: readonly TroubledRow[]): void =>
    begin({ title: `Cancel ${group.length} payouts`, act: 'cancel', of: group });
  if (rows.length === 0) return <p>No payout {isWhole ? '' : 'of this time '}needs anybody.</p>;
  return (
    <>
      <Notes of={notes} />
      {[...groupedBy(rows, ({ heading }) => heading)].map(([heading, own]) => (
        <section key={heading}>
          <h2>{`${heading.charAt(0).toUpperCase()}${heading.slice(1)}`}</h2>
          <Payouts label={heading} rows={own} shown={SHOWN} />
          {about.canWrite &&
            alikeIn(own).map(([alike, group]) => (
              <p key={alike}>
                <Small onClick={() => cancel(group)}>
                  Cancel these {group.length}… ({alike})
                </Small>
              </p>
            ))}
        </section>
      ))}
      <p>
        <Download rows={rows} what="triage" />
      </p>
      {dialog}
    </>
  );
}

/** The most that one dialog can show row by row. */
const MOST_TOGETHER = 100;

/** Rows of one state and one reason that can all be cancelled at once. */
function alikeIn(rows: readonly TroubledRow[]): [alike: string, rows: TroubledRow[]][] {
  const groups = groupedBy(
    rows.filter(({ can }) => can.includes('cancel')),
    ({ state, reason }) => [state.word, reason].filter(Boolean).join(', '),
  );
  return [...groups].filter(([, { length }]) => length > 1 && length <= MOST_TOGETHER);
}
