import { type Fields, fieldsUnder, PageForm } from '../card.tsx';
import { saveCsv } from '../download.tsx';
import { FileInput } from '../given-file.tsx';
import { useAsked } from '../loaded.ts';
import { CommandText, Loading, Notes } from '../parts.tsx';
import { Ticks } from '../rows.tsx';
import { Read } from '../view.tsx';

const COLUMNS = ['case', 'decision', 'note'].map((name) => ({ name, time: false }));
const NOTE = {
  head: 'Why',
  cell: ([id]: readonly unknown[]) => <input name={`note ${id}`} aria-label="Why" maxLength={200} />,
};

/** A ledger that is dropped is compared with the books. What is decided is a file that the command takes: nothing is kept here. */
export function Reconcile({ month }: { month: string }) {
  const { now, ask } = useAsked('reconcile');
  const decide = (fields: Fields): void => {
    const notes = fieldsUnder('note ', fields);
    const rows = Object.keys(fieldsUnder('case ', fields)).map((id) => [id, 'accept', notes[id] ?? '']);
    saveCsv(`remit-decisions-${month}`, { columns: COLUMNS, rows });
  };
  return (
    <>
      <FileInput what="Your ledger of the month, as CSV" onFile={(file) => ask({ month, file })} />
      {now.value.isLoading && <Loading what="Comparing it with the books" />}
      <Read now={now.value}>
        {({ said, notes, command, ...open }) => (
          <PageForm onSubmit={decide}>
            <p role="status">{said}</p>
            <Notes of={notes} />
            {open.rows.length > 0 && (
              <>
                <Ticks label="Open differences" of={open} name="case" more={NOTE} />
                <button type="submit">Download what was decided</button>
                <CommandText text={command} />
              </>
            )}
          </PageForm>
        )}
      </Read>
    </>
  );
}
