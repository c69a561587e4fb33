/** Deliveries as they come in, the newest first. Nothing moves while somebody is in the list. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Delivery, MOST_DELIVERIES } from '../../wire/webhooks.ts';
import type { About, AnswerOf, Failure } from '../../wire.ts';
import { call } from '../call.ts';
import { Card, Field } from '../card.tsx';
import { problemOf, useLive, useLoaded } from '../loaded.ts';
import { Command, Loading, Newer, Problem, State, Their, Time, To } from '../parts.tsx';
import { titleOf } from './search.tsx';

/** Rows that are drawn at first, and with each press of the button below them. */
const DRAWN = 200;

export function Webhooks({ about }: { about: About }) {
  const rows = useSignal<readonly Delivery[]>([]);
  const waiting = useSignal<readonly Delivery[]>([]);
  const told = useSignal<AnswerOf<'deliveries'> | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const show = (): void => {
    rows.value = merged(rows.value, waiting.value);
    waiting.value = [];
  };
  // The newest that this tab has: after a break the service is asked for those behind it.
  const newest = (): string => [waiting.value[0]?.id ?? '', rows.value[0]?.id ?? ''].sort().at(-1) ?? '';
  const silent = useLive(
    'deliveries',
    () => ({ after: newest() }),
    (data) => {
      const known = new Map(rows.value.map((row) => [row.id, row]));
      const other = data.rows.filter((row) => !isSame(known.get(row.id), row));
      waiting.value = merged(waiting.value, other);
      // What stands above the list would move it, where it became longer.
      const isFree = !isHeld(list.current);
      if (isFree || told.value === null) told.value = data;
      if (isFree) show();
    },
  );
  useEffect(() => {
    document.title = titleOf('Webhooks');
  }, []);
  return (
    <section aria-labelledby="webhooks" aria-busy={told.value === null && silent.value === null}>
      <h1 id="webhooks">Webhooks</h1>
      {silent.value !== null && (
        <Problem problem={silent.value}>
          <p>It is tried again. What is below is what came until then.</p>
        </Problem>
      )}
      {told.value === null && silent.value === null && <Loading what="Reading the inbox" />}
      {told.value !== null && <Told told={told.value} count={rows.value.length} />}
      <Newer count={waiting.value.length} onShow={show} />
      <div ref={list}>{rows.value.length > 0 && <List rows={rows} />}</div>
      {about.canWrite && (
        <div class="cards">
          <Compare />
          <TestEvent />
        </div>
      )}
    </section>
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
      <Command text={told.begin} />
    </>
  );

function List({ rows }: { rows: Signal<readonly Delivery[]> }) {
  const most = useSignal(DRAWN);
  const drawn = rows.value.slice(0, most.value);
  return (
    <>
      <table aria-label="Deliveries">
        <thead>
          <tr>
            {['Received', 'Event', 'Verdict', 'Tries', 'Answer', 'Object'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {rows.value.length > drawn.length && (
        <button
          type="button"
          class="small"
          onClick={() => {
            most.value += DRAWN;
          }}
        >
          Show {DRAWN} older
        </button>
      )}
    </>
  );
}

const Line = ({ row }: { row: Delivery }) => (
  <tr>
    <td>
      <Time at={row.at} />
    </td>
    <td>
      <To to={{ view: 'webhook', id: row.id }} class="name">
        {row.event ?? 'not known'}
      </To>{' '}
      {row.marks !== '' && <span class="quiet">{row.marks}</span>}
    </td>
    <td>
      <State state={row.state} />
    </td>
    <td>{row.tries === 0 ? null : row.tries}</td>
    <td>{row.answer !== null && <Their text={row.answer} />}</td>
    <td class="quiet">{row.object}</td>
  </tr>
);

const isSame = (a: Delivery | undefined, b: Delivery): boolean =>
  a !== undefined && a.state.word === b.state.word && a.tries === b.tries;

/** Newest first, each once, as it was told last; the newest `MOST_DELIVERIES` of them. */
function merged(before: readonly Delivery[], told: readonly Delivery[]): readonly Delivery[] {
  if (told.length === 0) return before;
  const changed = new Map(told.map((row) => [row.id, row]));
  const kept = before.map((row) => {
    const other = changed.get(row.id);
    changed.delete(row.id);
    return other ?? row;
  });
  const fresh = [...changed.values()].sort(byId);
  const isBehind = (fresh.at(-1)?.id ?? '') < (kept[0]?.id ?? '');
  const all = [...fresh, ...kept];
  return (isBehind ? all.sort(byId) : all).slice(0, MOST_DELIVERIES);
}

const byId = (a: Delivery, b: Delivery): number => (a.id < b.id ? 1 : -1);

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
  const now = useSignal<AnswerOf<'compare'> | Failure | null>(null);
  const ask = async (): Promise<void> => {
    now.value = await call('compare', {}).catch(problemOf);
  };
  const answer = now.value;
  return (
    <Card title="Gaps" submit="Compare with the service’s log" form={null} onSubmit={ask}>
      {answer !== null && 'message' in answer && <Problem problem={answer} />}
      {answer !== null && 'said' in answer && (
        <div role="status">
          <p>{answer.said}</p>
          <ul>
            {answer.missed.map(({ label, text }) => (
              <li key={label + text}>
                <Time at={label} /> <Their text={text} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <p class="quiet">A delivery that was missed is fetched from there, and waits for the listener.</p>
    </Card>
  );
}

function TestEvent() {
  const now = useSignal<AnswerOf<'test'> | Failure | null>(null);
  const answer = now.value;
  return (
    <Card
      title="Test event"
      submit="Send"
      form={
        <>
          <Field name="to" label="handler on this machine" value="http://127.0.0.1:3000/hooks" size={30} />
          <Field name="event" label="event" value="recipient.error" />
        </>
      }
      onSubmit={async ({ to = '', event = '' }) => {
        now.value = await call('test', { to, event }).catch(problemOf);
      }}
    >
      {answer !== null && 'message' in answer && <Problem problem={answer} />}
      {answer !== null && 'said' in answer && <p role="status">{answer.said}</p>}
      <p class="quiet">It is made up, and signed with the test key of this machine.</p>
    </Card>
  );
}

/** One delivery whole: its verdict, its headers and its body. */
export function Webhook({ id, about }: { id: string; about: About }) {
  const { now, again } = useLoaded(() => call('delivery', { id }), id);
  const said = useSignal('');
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Delivery');
  }, [id]);
  const replay = async (): Promise<void> => {
    said.value = await call('replay', { id }).then(
      (answer) => answer.said,
      (error: unknown) => problemOf(error).message,
    );
    await again();
  };
  return (
    <section aria-labelledby="delivery" aria-busy={isLoading}>
      <h1 id="delivery">{data?.row.event ?? 'Delivery'}</h1>
      {problem !== undefined && <Problem problem={problem} />}
      {data === undefined && isLoading && <Loading what="Reading the inbox" />}
      {data !== undefined && (
        <>
          <p>
            <State state={data.row.state} /> <Time at={data.row.at} />{' '}
            <span class="quiet">{data.row.marks}</span>
          </p>
          {data.row.answer !== null && (
            <p>
              <Their text={data.row.answer} />{' '}
              {data.row.tries > 0 && <span class="quiet">at try {data.row.tries}</span>}
            </p>
          )}
          {data.canReplay && about.canWrite && (
            <p>
              <button type="button" onClick={replay}>
                Hand it on again
              </button>{' '}
              <span role="status">{said.value}</span>
            </p>
          )}
          <Command text={data.command} />
          <Pairs of={data.lines} />
          <h2>Headers</h2>
          <Pairs of={data.headers} />
          <h2>Body</h2>
          <pre translate={false}>{data.body}</pre>
        </>
      )}
    </section>
  );
}

const Pairs = ({ of }: { of: AnswerOf<'delivery'>['lines'] }) => (
  <dl>
    {of.map(({ label, text }) => (
      <>
        <dt>
          <Their text={label} />
        </dt>
        <dd>
          <Their text={text} />
        </dd>
      </>
    ))}
  </dl>
);
