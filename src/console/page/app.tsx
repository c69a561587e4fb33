/** The frame: whose account this is, the search box, and the view that the address names. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { About } from '../wire.ts';
import { go, goToPasted, pastedAddress, place } from './address.ts';
import { ended } from './call.ts';
import { areOn, bind, setKeys } from './keys.ts';
import { Their, To } from './parts.tsx';
import { Month } from './views/month.tsx';
import { Payout } from './views/payout.tsx';
import { Requests } from './views/requests.tsx';
import { Run, Runs } from './views/runs.tsx';
import { Sandbox } from './views/sandbox.tsx';
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
        <nav aria-label="Views">
          <Tab view="search" label="Search" />
          <Tab view="triage" label="Triage" />
          <Tab view="requests" label="My requests" />
          <Tab view="runs" label="Pay runs" />
          <Tab view="month" label="Month" />
          <Tab view="webhooks" label="Webhooks" />
          {about.hasControls && <Tab view="sandbox" label="Sandbox" />}
        </nav>
      </header>
      {ended.value !== null && (
        <div class="problem ended" role="alert">
          <p>
            <strong>{ended.value}</strong>
          </p>
          <p>What is below is what stood here then.</p>
        </div>
      )}
      <main>
        {at.view === 'search' && <Search words={at.words} since={at.since ?? ''} until={at.until ?? ''} />}
        {at.view === 'payout' && <Payout id={at.id} about={about} key={at.id} />}
        {at.view === 'triage' && <Triage about={about} />}
        {at.view === 'requests' && <Requests about={about} />}
        {at.view === 'runs' && <Runs about={about} />}
        {at.view === 'month' && <Month month={at.month} currency={at.currency} />}
        {at.view === 'run' && <Run name={at.name} about={about} key={at.name} />}
        {at.view === 'webhooks' && <Webhooks about={about} />}
        {at.view === 'webhook' && <Webhook id={at.id} about={about} key={at.id} />}
        {at.view === 'sandbox' && <Sandbox about={about} of={at.of} key={at.of} />}
      </main>
      <footer>
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
          keys: <kbd>/</kbd> <kbd>j</kbd> <kbd>k</kbd> <kbd>r</kbd> <kbd>t</kbd> <kbd>m</kbd> <kbd>p</kbd>{' '}
          <kbd>b</kbd> <kbd>w</kbd> <kbd>x</kbd> <kbd>e</kbd> <kbd>c</kbd>
        </label>
        <span class="quiet">remit {about.version}</span>
      </footer>
    </>
  );
}

type TabView = 'search' | 'triage' | 'requests' | 'runs' | 'month' | 'webhooks' | 'sandbox';

function Tab({ view, label }: { view: TabView; label: string }) {
  const now = place.value.view;
  const isHere = now === view || now === view.slice(0, -1);
  return (
    <To to={{ view, words: '', of: '' }} class={isHere ? 'here' : ''}>
      <span aria-current={isHere ? 'page' : undefined}>{label}</span>
    </To>
  );
}

function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const at = place.value;
  const words = useSignal(at.view === 'search' ? at.words : '');
  useEffect(() => {
    if (at.view === 'search') words.value = at.words;
  }, [at]);
  useEffect(() => {
    const unbind = [
      bind('/', () => box.current?.select()),
      bind('t', () => go({ view: 'triage' })),
      bind('m', () => go({ view: 'requests' })),
      bind('p', () => go({ view: 'runs' })),
      bind('w', () => go({ view: 'webhooks' })),
      bind('x', () => go({ view: 'sandbox', of: '' })),
      bind('b', () => go({ view: 'month' })),
    ];
    return () => {
      for (const one of unbind) one();
    };
  }, []);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const pasted = pastedAddress(words.value);
          if (pasted !== null) goToPasted(pasted);
          else {
            const { since = '', until = '' } = at.view === 'search' ? at : {};
            go({ view: 'search', words: words.value.trim(), since, until });
          }
        }}
      >
        <input
          ref={box}
          type="search"
          aria-label="Search"
          placeholder="Name, last digits, amount, day, reference or id"
          autoComplete="off"
          spellcheck={false}
          translate={false}
          maxLength={200}
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
