/** Opens the page: by the code that the terminal gave, or by this tab's own session. */
import { type ComponentChild, render } from 'preact';
import { App } from './app.tsx';
import { callServer, endedBecause, openWith } from './call.ts';
import { pageFailure } from './loaded.ts';
import { zone } from './parts.tsx';
import { takeCode, tokenNow } from './session.ts';

const root = document.getElementById('page') as HTMLElement;

async function open(): Promise<void> {
  const code = takeCode();
  if (code !== null) await openWith(code);
  if (tokenNow() === null)
    return say(
      'This page is not signed in. Press Enter in the terminal where remit console runs, and open the new address.',
    );
  const about = await callServer('about', {});
  zone.value = about.zone;
  show(<App about={about} />);
}

/** In place of what the document says until then. */
function show(view: ComponentChild): void {
  root.replaceChildren();
  render(view, root);
}

const say = (text: string): void =>
  show(
    <main class="alone">
      <h1>remit</h1>
      <p role="alert">{text}</p>
    </main>,
  );

open().catch((error: unknown) => say(endedBecause.value ?? pageFailure(error).message));

/** A code in the address of a page that is open already: it goes on with that session. */
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#/start/')) location.reload();
});
