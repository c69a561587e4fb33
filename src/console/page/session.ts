/**
 * The token of this tab, which hands it to no other: a new one needs a code of its own. It is in `sessionStorage` only while the page is
 * reloaded, since the browser copies that to a tab that is opened or duplicated from this one. It is never in an address.
 */
const NAME = 'remit.session';

let token: string | null = takeStored();
export const tokenNow = (): string | null => token;

function takeStored(): string | null {
  const stored = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return stored;
}

addEventListener('pagehide', () => {
  if (token !== null) sessionStorage.setItem(NAME, token);
});
/** The page comes back as it was left. */
addEventListener('pageshow', takeStored);

export function keepToken(given: string): void {
  token = given;
}

/** After this nothing more is sent from this tab. */
export function dropToken(): void {
  token = null;
}

/** The code that the terminal opened this page with. It leaves the history at once, used or not. */
export function takeCode(): string | null {
  const code = /^#\/start\/([\w-]+)$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', '#/');
  return code;
}
