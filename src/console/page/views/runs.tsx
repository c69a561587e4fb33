import { MOST_LETTERS, VERBS } from '../../wire/acts.ts';
import type { RunAct, Run as Shown } from '../../wire/runs.ts';
import type { About } from '../../wire.ts';
import { type Send, useActing } from '../act.tsx';
import { PageForm } from '../card.tsx';
import { saveCsv } from '../download.tsx';
import { useAsked, useFollowing, useLoaded } from '../loaded.ts';
import { CommandText, Lines, Notes, ProblemBox, Small, State, sentence, Their } from '../parts.tsx';
import { Table } from '../rows.tsx';
import { PageView } from '../view.tsx';
import { PlanFile } from './plan.tsx';

/** A run that is being paid is looked at so often. */
const LOOK_MS = 3_000;

export function Runs({ about }: { about: About }) {
  const { now, again } = useLoaded('runs', {});
  return (
    <>
      <PageView title="Pay runs" now={now.value} loading="Reading the store of runs">
        {(told) => (
          <>
            {told.rows.length === 0 ? (
              <p>No pay run was planned with this account.</p>
            ) : (
              <Table label="Pay runs" of={told} />
            )}
            <Notes of={told.notes} />
          </>
        )}
      </PageView>
      {about.canWrite && <PlanFile about={about} onPlanned={() => void again()} />}
    </>
  );
}

export function RunView({ name, about }: { name: string; about: About }) {
  const { now, again } = useLoaded('run', { id: name });
  const { begin, dialog } = useActing(again);
  useFollowing(now.value.data?.isUnderWay === true ? name : undefined, LOOK_MS, again);
  const beginAct = (act: RunAct, digest: string): void => {
    const asks = REASONS[act] !== undefined;
    const title = `${VERBS[act]} ${name}`;
    begin({ title, act, of: [{ id: name, digest }], ...(asks && { form: reasonFor(act, about) }) });
  };
  return (
    <>
      <PageView
        title="Pay run"
        heading={
          <>
            Pay run <Their text={name} />
          </>
        }
        now={now.value}
        loading="Reading the store of runs"
      >
        {(run) => <Standing data={run} onAct={about.canWrite && beginAct} />}
      </PageView>
      {dialog}
    </>
  );
}

/** The acts that need a reason, each with the words that ask for it. */
const REASONS: Readonly<Partial<Record<RunAct, string>>> = {
  reject: 'Why it is rejected',
  hold: 'Why it is held',
};

/** The reason, which everybody sees who looks at the run. */
const reasonFor = (act: RunAct, about: About) => (send: Send) => (
  <PageForm onSubmit={send}>
    <label>
      {REASONS[act]}
      <input name="because" required minLength={3} maxLength={MOST_LETTERS} />
    </label>
    <p class="row buttons">
      <button type="submit" class="act">
        {VERBS[act]} in {about.profile}
      </button>
    </p>
  </PageForm>
);

function Report({ name }: { name: string }) {
  const { now, ask } = useAsked('report');
  const fetch = async (): Promise<void> => {
    const made = await ask({ id: name });
    if (made !== undefined) saveCsv(`remit-run-${name}`, made);
  };
  return (
    <>
      <p class="row buttons">
        <Small onClick={fetch}>Download the report as CSV</Small>
      </p>
      <ProblemBox problem={now.value.problem} />
    </>
  );
}

type OnAct = false | ((act: RunAct, digest: string) => void);

const Standing = ({ data, onAct }: { data: Shown; onAct: OnAct }) => (
  <>
    <p>
      <State state={{ word: data.status, look: data.look }} />
    </p>
    <progress max={data.of} value={data.done} aria-label="Rows that were sent">
      {data.done} of {data.of}
    </progress>
    <Notes of={data.notes} class="" />
    <div class="two">
      <Lines of={data.lines} />
      <div class="card">
        {onAct && data.can.length > 0 && (
          <p class="row buttons">
            {data.can.map((act) => (
              <button type="button" key={act} onClick={() => onAct(act, data.digest)}>
                {VERBS[act]}…
              </button>
            ))}
          </p>
        )}
        {data.whyNotHere !== null && <p>{sentence(data.whyNotHere)}</p>}
        <h2>In the terminal</h2>
        <p class="quiet">A run is paid there.</p>
        {data.commands.map(({ label, text }) => (
          <div key={label}>
            <p>{label}</p>
            <CommandText text={text} />
          </div>
        ))}
      </div>
    </div>
    {data.needing.rows.length > 0 && (
      <>
        <h2>Rows that need somebody</h2>
        <Table label="Rows that need somebody" of={data.needing} />
      </>
    )}
    {data.more !== null && <p class="quiet">{data.more}</p>}
    <Report name={data.name} />
  </>
);
