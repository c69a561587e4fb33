/** A file of payments becomes a planned run. Nothing is sent: the run waits for its approval. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { MOST_FILE } from '../../wire/runs.ts';
import type { About, AnswerOf } from '../../wire.ts';
import { local } from '../call.ts';
import { Card, Field, type Fields } from '../card.tsx';
import { useAsked } from '../loaded.ts';
import { Problem, Their, To } from '../parts.tsx';

interface Dropped {
  name: string;
  content: string;
}

export function PlanFile({ about, onPlanned }: { about: About; onPlanned: () => void }) {
  const file = useSignal<Dropped | null>(null);
  const { answer, problem, ask } = useAsked('planRun');
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const [given] = list ?? [];
    if (given === undefined) return;
    answer.value = null;
    problem.value = null;
    const content = await base64Of(given);
    if (content.length > MOST_FILE)
      problem.value = local('too_large', `${given.name} is too large for the page: plan it in the terminal`);
    else file.value = { name: given.name, content };
  };
  const plan = async (fields: Fields): Promise<void> => {
    if (file.value === null) return;
    const planned = await ask(questionOf(fields, file.value));
    if (planned?.kind === 'planned') onPlanned();
  };
  const isOver = useDropped(take);
  const limits = answer.value?.kind === 'limit' ? answer.value.costs : [];
  return (
    <div class={isOver.value ? 'dropping' : ''}>
      <Card
        title="Plan a run"
        submit={file.value !== null && `Plan it in ${about.profile}`}
        onSubmit={plan}
        form={
          <>
            <Field key={file.value?.name} name="name" label="name of the run" value={nameFor(file.value)} />
            {limits.map(({ label, text }) => (
              <Field
                key={label}
                name={`limit ${label}`}
                label={`the most it may cost, in ${label} (about ${text})`}
                size={14}
              />
            ))}
            <More />
          </>
        }
      >
        <p>
          <label>
            A file of payments: drop it here, or choose it{' '}
            <input type="file" onChange={(event) => void take(event.currentTarget.files)} />
          </label>
        </p>
        <Problem problem={problem.value} />
        {answer.value !== null && <Answered answer={answer.value} />}
        <p class="quiet">It is read and checked, and nothing is sent. The run waits for its approval then.</p>
      </Card>
    </div>
  );
}

const More = () => (
  <details>
    <summary>More</summary>
    <div class="line">
      {OPTIONAL.map(([name, label]) => (
        <Field
          key={name}
          name={name}
          label={label}
          size={14}
          isOptional
          isNumber={name === 'acceptChanged'}
        />
      ))}
    </div>
  </details>
);

/** Hears of files that are dropped anywhere on the page. Its value is true while one is held over it. */
function useDropped(take: (list: FileList | null | undefined) => Promise<void>): Signal<boolean> {
  const isOver = useSignal(false);
  useEffect(() => {
    // All of the page takes it: a browser would leave the page for a file that is dropped beside.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      isOver.value = event.type === 'dragover';
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

/** Fields that most files need not. */
const OPTIONAL = [
  ['type', 'type, for rows without one'],
  ['inputCurrency', 'paid in, for rows without it'],
  ['sender', 'sender, for rows without one'],
  ['acceptChanged', 'changed payees that you asked'],
  ['repeats', 'run that is meant to be paid again'],
] as const;

function questionOf(fields: Fields, { name: file, content }: Dropped) {
  const { name = '', type, inputCurrency, sender, repeats, acceptChanged } = fields;
  const limits = Object.entries(fields).flatMap(([field, amount]) =>
    field.startsWith('limit ') ? [[field.slice(6), amount]] : [],
  );
  return {
    ...{ name, file, content, maxInput: Object.fromEntries(limits) as Record<string, string> },
    ...{ type, inputCurrency, sender, repeats },
    ...(acceptChanged ? { acceptChanged: Number(acceptChanged) } : {}),
  };
}

const nameFor = (file: Dropped | null): string =>
  (file?.name ?? '').replace(/\.[^.]*$/, '').replaceAll(/[^\w.-]+/g, '-');

const Answered = ({ answer }: { answer: AnswerOf<'planRun'> }) => (
  <div role="status">
    {answer.kind === 'limit' && <p>Say the most that the run may cost, and plan it again.</p>}
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
    {answer.kind !== 'limit' &&
      answer.notes.map((note) => (
        <p key={note}>
          <Their text={note} />
        </p>
      ))}
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
