import { go } from '../address.ts';
import { Download } from '../download.tsx';
import { useLoaded } from '../loaded.ts';
import { Notes } from '../parts.tsx';
import { PeriodChoice, type Times } from '../period.tsx';
import { columns, OF_PAYMENT, Payouts } from '../rows.tsx';
import { PageView } from '../view.tsx';
import { All } from './all.tsx';
import { Sync } from './sync.tsx';

type Asked = Times & { words: string };

/** Looks for whatever a customer can read out; a row for each recipient that fits. */
export function Search({ words, since, until }: Asked) {
  const change = (times: Times): void => go({ view: 'search', words, ...times });
  return (
    <>
      {words.trim() === '' && <Begin />}
      <PeriodChoice since={since} until={until} onChange={change} />
      {words.trim() === '' ? (
        <All since={since} until={until} />
      ) : (
        <Found words={words} since={since} until={until} />
      )}
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

const SHOWN = [...OF_PAYMENT, columns.by];

function Found(asked: Asked) {
  const { now, again } = useLoaded('search', asked);
  const rows = now.value.data?.rows;
  const found = rows === undefined ? 'Looking…' : `${rows.length === 0 ? 'Nothing' : rows.length} found`;
  return (
    <PageView title="Search" heading={found} now={now.value} loading="Looking">
      {({ rows, notes, hasBooks }) => (
        <>
          {rows.length > 0 ? (
            <Payouts label="Payouts that fit" rows={rows} shown={SHOWN} />
          ) : (
            <p>
              No payout fits every word{asked.since + asked.until === '' ? '' : ' in this time'}. Fewer words
              find more.
            </p>
          )}
          <Notes of={notes} />
          {rows.length > 0 && <Download rows={rows} what="search" />}
          <Sync hasBooks={hasBooks} onDone={again} />
        </>
      )}
    </PageView>
  );
}
