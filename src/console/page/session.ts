/**
 * The token of this tab. It is in `sessionStorage`, so that it lives through a reload and is gone with the tab; it is never in an
 * address. A new tab asks the open ones of the same origin for it.
 */
/** Names the storage, and the channel between tabs. */
const NAME = 'remit.session';
/** Another tab of this machine answers at once, or there is none. */
const WAIT_MS = 400;

let token: string | null = sessionStorage.getItem(NAME);
export const tokenNow = (): string | null => token;

export function keepToken(given: string): void {
  token = given;
  sessionStorage.setItem(NAME, given);
}

/** After this nothing more is sent from this tab. */
export function dropToken(): void {
  token = null;
  sessionStorage.removeItem(NAME);
}

/** The code that the terminal opened this page with. It leaves the history at once, used or not. */
export function takeCode(): string | null {
  const code = /^#\/start\/([\w-]+)$/.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', '#/');
  return code;
}

const channel = new BroadcastChannel(NAME);
channel.onmessage = ({ data }: MessageEvent<{ asks?: true } | null>) => {
  if (data?.asks === true && token !== null) channel.postMessage({ token });
};

/** Null where no other tab is open. */
export function askOtherTabs(): Promise<string | null> {
  return new Promise((resolve) => {
    const asking = new BroadcastChannel(NAME);
    const end = (found: string | null): void => {
      asking.close();
      resolve(found);
    };
    asking.onmessage = ({ data }: MessageEvent<{ token?: unknown } | null>) => {
      if (typeof data?.token === 'string') end(data.token);
    };
    setTimeout(() => end(null), WAIT_MS);
    asking.postMessage({ asks: true });
  });
}
