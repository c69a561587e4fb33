import { useEffect } from 'preact/hooks';
import { go } from '../address.ts';
import { call } from '../call.ts';
import { Download } from '../download.tsx';
import { useLoaded } from '../loaded.ts';
import { Loading, Notes, Problem } from '../parts.tsx';
import { Period, type Times } from '../period.tsx';
import { columns, Rows } from '../rows.tsx';
import { All } from './all.tsx';
import { Sync } from './sync.tsx';

interface Asked extends Times {
  words: string;
}

/** Looks for whatever a customer can read out; a row for each recipient that fits. */
export function Search({ words, since, until }: Asked) {
  const change = (times: Times): void => go({ view: 'search', words, ...times });
  if (words.trim() === '')
    return (
      <>
        <Begin />
        <Period since={since} until={until} onChange={change} />
        <All since={since} until={until} />
      </>
    );
  return (
    <>
      <Period since={since} until={until} onChange={change} />
      <Found words={words} since={since} until={until} />
    </>
  );
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

function Found(asked: Asked) {
  const { now, again } = useLoaded(() => call('search', asked), JSON.stringify(asked));
  const { data, problem, isLoading } = now.value;
  useEffect(() => {
    document.title = titleOf('Search');
  }, []);
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
            <p>
              No payout fits every word{asked.since + asked.until === '' ? '' : ' in this time'}. Fewer words
              find more.
            </p>
          )}
          <Notes of={data.notes} />
          {data.rows.length > 0 && <Download rows={data.rows} what="search" />}
          <Sync hasBooks={data.hasBooks} onDone={again} />
        </>
      )}
    </section>
  );
}

export const titleOf = (what: string): string => {
  const isProduction = document.documentElement.dataset.kind === 'production';
  return `${isProduction ? 'LIVE · ' : ''}${what} · remit`;
};
