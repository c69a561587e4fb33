/** A file of payments becomes a planned run. Nothing is sent: the run waits for its approval. */
import { useEffect, useState } from 'preact/hooks';
import { type ChangedPayee, MOST_FILE, type RunFile } from '../../wire/runs.ts';
import { type About, type AnswerOf, refusal } from '../../wire.ts';
import { Card, type Fields, Text } from '../card.tsx';
import { useAsked } from '../loaded.ts';
import { Notes, Their, To } from '../parts.tsx';
import { type Column, Rows, theirs } from '../rows.tsx';
import { Read } from '../view.tsx';

type Dropped = Pick<RunFile, 'name' | 'content'>;

type Costs = Extract<AnswerOf<'planRun'>, { kind: 'limit' }>['costs'];

export function PlanFile({ about, onPlanned }: { about: About; onPlanned: () => void }) {
  const [file, setFile] = useState<Dropped | null>(null);
  // Questions that were asked about this file: their fields stay while others are added.
  const [costs, setCosts] = useState<Costs>([]);
  const [payees, setPayees] = useState<ChangedPayee[]>([]);
  const { now, ask } = useAsked('planRun');
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const [given] = list ?? [];
    if (given === undefined) return;
    const { name } = given;
    const content = await base64Of(given);
    const isTooLarge = content.length > MOST_FILE;
    const why = refusal('too_large', `${name} is too large for the page: plan it in the terminal`);
    now.value = { data: undefined, problem: isTooLarge ? why : undefined, isLoading: false };
    setCosts([]);
    setPayees([]);
    if (!isTooLarge) setFile({ name, content });
  };
  const plan = async (fields: Fields): Promise<void> => {
    if (file === null) return;
    const said = await ask(questionOf(fields, file));
    if (said?.kind === 'limit') setCosts(said.costs);
    if (said?.kind === 'changed') setPayees(said.payees);
    if (said?.kind === 'planned') onPlanned();
  };
  const isOver = useDropped(take);
  return (
    <div class={isOver ? 'dropping' : ''}>
      <Card
        title="Plan a run"
        submit={file !== null && `Plan it in ${about.profile}`}
        onSubmit={plan}
        fields={[
          { name: 'name', label: 'name of the run', value: nameFor(file) },
          ...costs.map(({ label, text }) => ({
            name: `limit ${label}`,
            label: `the most it may cost, in ${label} (about ${text})`,
            size: 14,
          })),
        ]}
        more={
          <>
            <More />
            {payees.length > 0 && <Changed payees={payees} />}
          </>
        }
      >
        <p>
          <label>
            A file of payments: drop it here, or choose it{' '}
            <input type="file" onChange={(event) => void take(event.currentTarget.files)} />
          </label>
        </p>
        <Read now={now.value}>{(answer) => <Answered answer={answer} />}</Read>
        <p class="quiet">It is read and checked, and nothing is sent. The run waits for its approval then.</p>
      </Card>
    </div>
  );
}

const CHANGED: readonly Column<ChangedPayee>[] = [
  {
    head: 'Asked',
    cell: ({ id, now }) => (
      <input type="checkbox" name={`payee ${id}`} required aria-label={`${now} was asked`} />
    ),
  },
  { head: 'Row', cell: ({ row }) => <Their text={row} /> },
  { head: 'Is paid now', cell: ({ now }) => <Their text={now} /> },
  { head: 'Before', cell: ({ before }) => before.map((text) => <p key={text}>{theirs(text)}</p>) },
];

/** Each is ticked by somebody who asked: the run is planned once all are. */
const Changed = ({ payees }: { payees: readonly ChangedPayee[] }) => (
  <fieldset>
    <legend>
      <strong class="bad">Changed payees: {payees.length}</strong>
    </legend>
    <p>
      Ask each of them by a way that you know from before, and not by the one that the change came by. Tick
      those that are right.
    </p>
    <Rows label="Changed payees" rows={payees} shown={CHANGED} keyOf={({ id }) => id} />
  </fieldset>
);

const More = () => (
  <details>
    <summary>More</summary>
    <div class="row line">
      {OPTIONAL.map((one) => (
        <Text key={one.name} {...one} size={14} isOptional />
      ))}
    </div>
  </details>
);

/** Hears of files that are dropped anywhere on the page. True while one is held over it. */
function useDropped(take: (list: FileList | null | undefined) => Promise<void>): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // All of the page takes it: a browser would leave the page for a file that is dropped beside.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') void take(event.dataTransfer?.files);
    };
    const names = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of names) addEventListener(name, over);
    return () => {
      for (const name of names) removeEventListener(name, over);
    };
  }, []);
  return isOver;
}

const OPTIONAL = [
  { name: 'type', label: 'type, for rows without one' },
  { name: 'inputCurrency', label: 'paid in, for rows without it' },
  { name: 'sender', label: 'sender, for rows without one' },
  { name: 'repeats', label: 'run that is meant to be paid again' },
];

function questionOf(fields: Fields, { name: file, content }: Dropped) {
  const { name = '', type, inputCurrency, sender, repeats } = fields;
  const maxInput = fieldsUnder('limit ', fields);
  const asked = Object.keys(fieldsUnder('payee ', fields));
  return { name, file, content, maxInput, asked, type, inputCurrency, sender, repeats };
}

const fieldsUnder = (start: string, fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), value]] : [],
    ),
  );

const nameFor = (file: Dropped | null): string =>
  (file?.name ?? '').replace(/\.[^.]*$/, '').replaceAll(/[^\w.-]+/g, '-');

const Answered = ({ answer }: { answer: AnswerOf<'planRun'> }) => (
  <div role="status">
    {answer.kind === 'limit' && <p>Say the most that the run may cost, and plan it again.</p>}
    {answer.kind === 'changed' && <p>Nothing is kept yet: ask the changed payees, and plan it again.</p>}
    {answer.kind === 'faults' && (
      <ul>
        {answer.faults.map(({ label, text }) => (
          <li key={label + text}>
            <strong>{label}</strong> <Their text={text} />
          </li>
        ))}
      </ul>
    )}
    {answer.kind === 'planned' && (
      <>
        <p>
          Planned: <To to={{ view: 'run', id: answer.name }}>{answer.name}</To>
        </p>
        <pre>{answer.lines.join('\n')}</pre>
      </>
    )}
    {'notes' in answer && <Notes of={answer.notes} class="" />}
  </div>
);

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In parts: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
