import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../call.ts';
import { Download } from '../download.tsx';
import { problemOf, useLoaded } from '../loaded.ts';
import { Loading, Problem } from '../parts.tsx';
import { columns, Rows } from '../rows.tsx';

/** Looks for whatever a customer can read out; a row for each recipient that fits. */
export function Search({ words }: { words: string }) {
  if (words.trim() === '') return <Begin />;
  return <Found words={words} />;
}

const Begin = () => (
  <section aria-labelledby="begin">
    <h1 id="begin">Find a payout</h1>
    <p>
      Type what the customer can read out: a name, the last digits of an account or a phone number, an amount
      such as <kbd>64,000</kbd>, a day such as <kbd>2026-11-20</kbd>, a reference or an id. Every word must
      fit.
    </p>
    <p class="quiet">
      <kbd>/</kbd> goes to the search box from anywhere. A link that a colleague sent can be pasted there too.
    </p>
  </section>
);

function Found({ words }: { words: string }) {
  const { now, again } = useLoaded(() => call('search', { words }), words);
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Search');
  }, [words]);
  return (
    <section aria-labelledby="found" aria-busy={isLoading}>
      <h1 id="found">
        {data === undefined ? 'Looking…' : `${data.rows.length === 0 ? 'Nothing' : data.rows.length} found`}
      </h1>
      {data === undefined && isLoading && <Loading what="Looking" />}
      {problem !== undefined && <Problem problem={problem} />}
      {data !== undefined && (
        <>
          {data.rows.length > 0 ? (
            <Rows
              label="Payouts that fit"
              rows={data.rows}
              shown={[
                columns.to,
                columns.amount,
                columns.state,
                columns.from,
                columns.account,
                columns.at,
                columns.reference,
                columns.by,
              ]}
            />
          ) : (
            <p>No payout fits every word. Fewer words find more.</p>
          )}
          {data.notes.map((note) => (
            <p class="quiet" key={note}>
              {note}
            </p>
          ))}
          {data.rows.length > 0 && <Download rows={data.rows} what="search" />}
          <Sync hasBooks={data.hasBooks} onDone={again} />
        </>
      )}
    </section>
  );
}

/** Copies the payments to this machine, so that a search needs no call and goes back to the first one. */
export function Sync({ hasBooks, onDone }: { hasBooks: boolean; onDone: () => Promise<void> }) {
  const words = useSignal<string | null>(null);
  const isRunning = useSignal(false);
  const run = async (): Promise<void> => {
    isRunning.value = true;
    try {
      for (;;) {
        const { isDone, words: now } = await call('sync', {});
        words.value = now;
        if (isDone) break;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await onDone();
    } catch (error) {
      words.value = problemOf(error).message;
    }
    isRunning.value = false;
  };
  return (
    <p>
      <button type="button" class="small" disabled={isRunning.value} onClick={run}>
        {hasBooks ? 'Read what is newer' : 'Copy all payments to this machine'}
      </button>{' '}
      <span role="status">{words.value}</span>
    </p>
  );
}

export const titleOf = (what: string): string => {
  const isProduction = document.documentElement.dataset.kind === 'production';
  return `${isProduction ? 'LIVE · ' : ''}${what} · remit`;
};
