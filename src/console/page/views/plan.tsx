/** A file of payments becomes a planned run. Nothing is sent: the run waits for its approval. */
import { useState } from 'preact/hooks';
import type { TextTable } from '../../../payments/shapes/told.ts';
import type { SentFile as Given } from '../../wire/parts.ts';
import type { About, AnswerOf } from '../../wire.ts';
import { Card, type Fields, fieldsUnder, Text } from '../card.tsx';
import { FileInput } from '../given-file.tsx';
import { NOT_LOADED, useAsked } from '../loaded.ts';
import { Lines, Notes, To } from '../parts.tsx';
import { Ticks } from '../rows.tsx';
import { Read } from '../view.tsx';

type Costs = Extract<AnswerOf<'planRun'>, { kind: 'limit' }>['costs'];

export function PlanFile({ about, onPlanned }: { about: About; onPlanned: () => void }) {
  const [file, setFile] = useState<Given | null>(null);
  // Questions that were asked about this file: their fields stay while others are added.
  const [costs, setCosts] = useState<Costs>([]);
  const [payees, setPayees] = useState<TextTable | null>(null);
  const { now, ask } = useAsked('planRun');
  const take = (given: Given): void => {
    now.value = NOT_LOADED;
    setCosts([]);
    setPayees(null);
    setFile(given);
  };
  const plan = async (fields: Fields): Promise<void> => {
    if (file === null) return;
    const said = await ask(questionOf(fields, file));
    if (said?.kind === 'limit') setCosts(said.costs);
    if (said?.kind === 'changed') setPayees(said.payees);
    if (said?.kind === 'planned') onPlanned();
  };
  return (
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
          {payees !== null && <Changed payees={payees} />}
        </>
      }
    >
      <FileInput what="A file of payments" onFile={take} />
      <Read now={now.value}>{(answer) => <Answered answer={answer} />}</Read>
      <p class="quiet">It is read and checked, and nothing is sent. The run waits for its approval then.</p>
    </Card>
  );
}

/** Each is ticked by the user who checked it: the run is planned once all are. */
const Changed = ({ payees }: { payees: TextTable }) => (
  <fieldset>
    <legend>
      <strong class="bad">Changed payees: {payees.rows.length}</strong>
    </legend>
    <p>
      Ask each of them by a way that you know from before, and not by the one that the change came by. Tick
      those that are right.
    </p>
    <Ticks label="Changed payees" of={payees} name="payee" isRequired />
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

const OPTIONAL = [
  { name: 'type', label: 'type, for rows without one' },
  { name: 'inputCurrency', label: 'paid in, for rows without it' },
  { name: 'sender', label: 'sender, for rows without one' },
  { name: 'repeats', label: 'run that is meant to be paid again' },
];

function questionOf(fields: Fields, file: Given) {
  const { name = '', type, inputCurrency, sender, repeats } = fields;
  const maxInput = fieldsUnder('limit ', fields);
  const asked = Object.keys(fieldsUnder('payee ', fields));
  return { name, file, maxInput, asked, type, inputCurrency, sender, repeats };
}

const nameFor = (file: Given | null): string =>
  (file?.name ?? '').replace(/\.[^.]*$/, '').replaceAll(/[^\w.-]+/g, '-');

const Answered = ({ answer }: { answer: AnswerOf<'planRun'> }) => (
  <div role="status">
    {answer.kind === 'limit' && <p>Say the most that the run may cost, and plan it again.</p>}
    {answer.kind === 'changed' && <p>Nothing is kept yet: ask the changed payees, and plan it again.</p>}
    {answer.kind === 'faults' && <Lines of={answer.faults} />}
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
