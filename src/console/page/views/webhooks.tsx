/** Deliveries as they come in, the newest first. Nothing moves while somebody is in the list. */
import { type Signal, useSignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { ToldDelivery } from '../../../payments/shapes/told.ts';
import { MOST_DELIVERIES } from '../../wire/webhooks.ts';
import type { About, AnswerOf } from '../../wire.ts';
import { Card } from '../card.tsx';
import { useAsked, useLive, useLoaded } from '../loaded.ts';
import { CommandText, Lines, Newer, Small, State, Their, Time } from '../parts.tsx';
import { Name, type PageColumn, RowsTable, theirCell } from '../rows.tsx';
import { PageView, Read } from '../view.tsx';

/** Rows that are drawn at first, and with each press of the button below them. */
const DRAWN = 200;

const AGAIN = 'It is tried again. What is below is what came until then.';

export function Webhooks({ about }: { about: About }) {
  const rows = useSignal<readonly ToldDelivery[]>([]);
  const waiting = useSignal<readonly ToldDelivery[]>([]);
  const told = useSignal<AnswerOf<'deliveries'> | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const show = (): void => {
    rows.value = merged(rows.value, waiting.value);
    waiting.value = [];
  };
  const after = useRef('');
  const silent = useLive(
    'deliveries',
    () => ({ after: after.current }),
    (data) => {
      after.current = data.after;
      const known = new Map(rows.value.map((row) => [row.id, row]));
      const other = data.rows.filter((row) => !isSame(known.get(row.id), row));
      waiting.value = merged(waiting.value, other);
      // What stands above the list would move it, where it became longer.
      const isFree = !isHeld(list.current);
      if (isFree || told.value === undefined) told.value = data;
      if (isFree) show();
    },
  );
  const { value: data } = told;
  const { value: problem } = silent;
  const now = { data, problem, isLoading: data === undefined && problem === undefined };
  return (
    <>
      <PageView title="Webhooks" now={now} loading="Reading the inbox" unknown={AGAIN} older={AGAIN}>
        {(read) => <Told told={read} count={rows.value.length} />}
      </PageView>
      <Newer count={waiting.value.length} onShow={show} />
      <div ref={list}>{rows.value.length > 0 && <List rows={rows} />}</div>
      {about.canWrite && (
        <div class="cards">
          <Compare />
          <TestEvent />
        </div>
      )}
    </>
  );
}

const Told = ({ told, count }: { told: AnswerOf<'deliveries'>; count: number }) =>
  told.begin === null ? (
    <p>
      {count === 0
        ? 'No delivery came yet.'
        : `${count === MOST_DELIVERIES ? 'The newest ' : ''}${count} deliveries.`}{' '}
      {told.backlog.waiting > 0 && <>Waiting for the handler: {told.backlog.waiting}. </>}
      {told.backlog.deadLetters > 0 && (
        <strong class="bad">Given up, since the handler never took them: {told.backlog.deadLetters}.</strong>
      )}
    </p>
  ) : (
    <>
      <p>
        No listener ran on this machine yet, so there is no inbox. This takes in webhooks and verifies them:
      </p>
      <CommandText text={told.begin} />
    </>
  );

const SHOWN: readonly PageColumn<ToldDelivery>[] = [
  { head: 'Received', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'Event',
    cell: ({ id, event, marks }) => (
      <>
        <Name to={{ view: 'webhook', id }} text={event ?? 'not known'} />{' '}
        {marks !== '' && <span class="quiet">{marks}</span>}
      </>
    ),
  },
  { head: 'Verdict', cell: ({ state }) => <State state={state} /> },
  { head: 'Tries', cell: ({ tries }) => (tries === 0 ? null : tries) },
  { head: 'Answer', cell: ({ answer }) => theirCell(answer) },
  { head: 'Object', cell: ({ object }) => <span class="quiet">{object}</span> },
];

function List({ rows }: { rows: Signal<readonly ToldDelivery[]> }) {
  const [most, draw] = useState(DRAWN);
  return (
    <>
      <RowsTable label="Deliveries" rows={rows.value.slice(0, most)} shown={SHOWN} keyOf={({ id }) => id} />
      {rows.value.length > most && <Small onClick={() => draw(most + DRAWN)}>Show {DRAWN} older</Small>}
    </>
  );
}

const isSame = (a: ToldDelivery | undefined, b: ToldDelivery): boolean =>
  a !== undefined && a.state.word === b.state.word && a.tries === b.tries;

/** Newest first, each once, as it was told last; the newest `MOST_DELIVERIES` of them. */
function merged(before: readonly ToldDelivery[], told: readonly ToldDelivery[]): readonly ToldDelivery[] {
  if (told.length === 0) return before;
  const changed = new Map(told.map((row) => [row.id, row]));
  const kept = before.map((row) => {
    const other = changed.get(row.id);
    changed.delete(row.id);
    return other ?? row;
  });
  // Ids of one moment are in the order of their deliveries.
  const isLater = (a: ToldDelivery, b: ToldDelivery): boolean => a.at + a.id > b.at + b.id;
  return [...changed.values(), ...kept].sort((a, b) => (isLater(a, b) ? -1 : 1)).slice(0, MOST_DELIVERIES);
}

/** Somebody points at a row, has the focus in the list, or has marked something in it. */
function isHeld(list: HTMLElement | null): boolean {
  if (list === null) return false;
  const marked = getSelection();
  return (
    list.matches(':hover') ||
    list.contains(document.activeElement) ||
    (marked !== null && !marked.isCollapsed && list.contains(marked.anchorNode))
  );
}

/** Asks the service which deliveries it made, and keeps those that never came. */
function Compare() {
  const { now, ask } = useAsked('compare');
  return (
    <Card title="Gaps" submit="Compare with the service’s log" onSubmit={() => ask({})}>
      <Read now={now.value}>
        {({ said, missed }) => (
          <div role="status">
            <p>{said}</p>
            <Lines of={missed} />
          </div>
        )}
      </Read>
      <p class="quiet">A delivery that was missed is fetched from there, and waits for the listener.</p>
    </Card>
  );
}

function TestEvent() {
  const { now, ask } = useAsked('test');
  return (
    <Card
      title="Test event"
      submit="Send"
      fields={[
        { name: 'to', label: 'handler on this machine', value: 'http://127.0.0.1:3000/hooks', size: 30 },
        { name: 'event', label: 'event', value: 'recipient.error' },
      ]}
      onSubmit={({ to = '', event = '' }) => ask({ to, event })}
    >
      <Read now={now.value}>{({ said }) => <p role="status">{said}</p>}</Read>
      <p class="quiet">It is made up, and signed with the test key of this machine.</p>
    </Card>
  );
}

export function Webhook({ id, about }: { id: string; about: About }) {
  const { now, again } = useLoaded('delivery', { id });
  const heading = now.value.data?.row.event ?? 'Delivery';
  return (
    <PageView title="Delivery" heading={heading} now={now.value} loading="Reading the inbox">
      {({ row, canReplay, command, lines, headers, body }) => (
        <>
          <p>
            <State state={row.state} /> <Time at={row.at} /> <span class="quiet">{row.marks}</span>
          </p>
          {row.answer !== null && (
            <p>
              <Their text={row.answer} /> {row.tries > 0 && <span class="quiet">at try {row.tries}</span>}
            </p>
          )}
          {canReplay && about.canWrite && <Replay id={id} onDone={again} />}
          <CommandText text={command} />
          <Lines of={lines} />
          <h2>Headers</h2>
          <Lines of={headers} />
          <h2>Body</h2>
          <pre>{body}</pre>
        </>
      )}
    </PageView>
  );
}

function Replay({ id, onDone }: { id: string; onDone: () => unknown }) {
  const { now, ask } = useAsked('replay');
  return (
    <p>
      <button type="button" onClick={() => void ask({ id }).then(onDone)}>
        Hand it on again
      </button>{' '}
      <span role="status">{now.value.data?.said ?? now.value.problem?.message}</span>
    </p>
  );
}
