/** The frame: whose account this is, the search box, and the view that the address names. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { About } from '../wire.ts';
import { go, type PlainView, pastedAddress, place } from './address.ts';
import { endedBecause } from './call.ts';
import { PageForm } from './card.tsx';
import { areOn, bind, setKeys } from './keys.ts';
import { Their, To } from './parts.tsx';
import { MonthView } from './views/month.tsx';
import { PayoutView } from './views/payout.tsx';
import { Requests } from './views/requests.tsx';
import { Runs, RunView } from './views/runs.tsx';
import { SandboxView } from './views/sandbox.tsx';
import { Search } from './views/search.tsx';
import { Triage } from './views/triage.tsx';
import { Webhook, Webhooks } from './views/webhooks.tsx';

export function App({ about }: { about: About }) {
  const at = place.value;
  return (
    <>
      <header class="top">
        <p class="whose">
          <span class="kind">{about.isProduction ? 'LIVE' : 'sandbox'}</span>{' '}
          <strong>
            <Their text={about.profile} />
          </strong>{' '}
          <span class="quiet">key {about.key}</span>
        </p>
        <SearchBox />
        <nav class="row" aria-label="Views">
          {TABS.filter(({ view }) => view !== 'sandbox' || about.hasControls).map(({ view, label }) => {
            const isHere = at.view === view || at.view === view.slice(0, -1);
            return (
              <To key={view} to={{ view }} class={isHere ? 'here' : ''}>
                <span aria-current={isHere ? 'page' : undefined}>{label}</span>
              </To>
            );
          })}
        </nav>
      </header>
      {endedBecause.value !== null && (
        <div class="problem ended" role="alert">
          <p>
            <strong>{endedBecause.value}</strong>
          </p>
          <p>What is below is what stood here then.</p>
        </div>
      )}
      <main>
        {at.view === 'search' && (
          <Search words={at.words ?? ''} since={at.since ?? ''} until={at.until ?? ''} />
        )}
        {at.view === 'payout' && <PayoutView id={at.id} about={about} key={at.id} />}
        {at.view === 'triage' && <Triage about={about} since={at.since ?? ''} until={at.until ?? ''} />}
        {at.view === 'requests' && <Requests about={about} />}
        {at.view === 'runs' && <Runs about={about} />}
        {at.view === 'month' && <MonthView month={at.month} currency={at.currency} />}
        {at.view === 'run' && <RunView name={at.id} about={about} key={at.id} />}
        {at.view === 'webhooks' && <Webhooks about={about} />}
        {at.view === 'webhook' && <Webhook id={at.id} about={about} key={at.id} />}
        {at.view === 'sandbox' && <SandboxView about={about} of={at.of ?? ''} key={at.of} />}
      </main>
      <footer class="row quiet">
        <span>
          {about.canWrite ? 'This page reads and writes.' : 'This page only reads.'}{' '}
          {about.reveals ? 'Numbers are shown whole.' : 'Numbers show their last four.'}
        </span>
        <label>
          <input
            type="checkbox"
            checked={areOn.value}
            onChange={(event) => setKeys(event.currentTarget.checked)}
          />{' '}
          keys:{KEYS.map((key) => [' ', <kbd key={key}>{key}</kbd>])}
        </label>
        <span class="quiet">remit {about.version}</span>
      </footer>
    </>
  );
}

/** The hotkey goes there from anywhere. */
const TABS: readonly { view: PlainView; label: string; hotkey?: string }[] = [
  { view: 'search', label: 'Search' },
  { view: 'triage', label: 'Triage', hotkey: 't' },
  { view: 'requests', label: 'My requests', hotkey: 'm' },
  { view: 'runs', label: 'Pay runs', hotkey: 'p' },
  { view: 'month', label: 'Month', hotkey: 'b' },
  { view: 'webhooks', label: 'Webhooks', hotkey: 'w' },
  { view: 'sandbox', label: 'Sandbox', hotkey: 'x' },
];
const KEYS = ['/', 'j', 'k', 'r', ...TABS.flatMap(({ hotkey }) => hotkey ?? []), 'e', 'c'];

function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const at = place.value;
  const asked = at.view === 'search' ? (at.words ?? '') : undefined;
  useEffect(() => {
    if (box.current && asked !== undefined) box.current.value = asked;
  }, [at]);
  useLayoutEffect(() => {
    const tabs = TABS.flatMap(({ view, hotkey }) => (hotkey ? [[hotkey, () => go({ view })]] : []));
    return bind({ ...Object.fromEntries(tabs), '/': () => box.current?.select() });
  }, []);
  return (
    <search>
      <PageForm
        onSubmit={({ words = '' }) => {
          const { since, until } = at.view === 'search' ? at : {};
          go(pastedAddress(words) ?? { view: 'search', words, since, until });
        }}
      >
        <input
          ref={box}
          type="search"
          name="words"
          aria-label="Search"
          placeholder="Name, last digits, amount, day, reference or id"
          maxLength={200}
        />
        <button type="submit">Search</button>
      </PageForm>
    </search>
  );
}
