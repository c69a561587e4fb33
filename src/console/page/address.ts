/**
 * Where this tab is, as the part of the address behind `#`. No name and no account number stands in it: a search for one is kept in the
 * history's entry, which no server, bookmark or message has.
 */
import { signal } from '@preact/signals';

export type Place =
  | { view: 'search'; words: string; since?: string; until?: string }
  | { view: 'payout'; id: string }
  | { view: 'triage' }
  | { view: 'requests' }
  | { view: 'runs' }
  | { view: 'webhooks' }
  | { view: 'webhook'; id: string }
  | { view: 'run'; name: string }
  /** `of` is an id, or empty. */
  | { view: 'sandbox'; of: string }
  | { view: 'month'; month?: string | undefined; currency?: string | undefined };

/** Views that need nothing to be named. */
const PLAIN = ['triage', 'requests', 'runs', 'webhooks'] as const;

/** Amounts, currencies, days and ids say nothing of a person. */
const IMPERSONAL =
  /^(?:[A-Z]{3}|\d{4}-\d{2}-\d{2}|[0-9a-f]{8}(?:-[0-9a-f-]*)?|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?)$/;

export const place = signal<Place>(read());

export function addressOf(to: Place): string {
  switch (to.view) {
    case 'payout':
      return `#/p/${encodeURIComponent(to.id)}`;
    case 'webhook':
      return `#/webhooks/${encodeURIComponent(to.id)}`;
    case 'run':
      return `#/runs/${encodeURIComponent(to.name)}`;
    case 'search': {
      const words = to.words.split(/\s+/).filter((word) => word !== '');
      const isOpen = words.length > 0 && words.every((word) => IMPERSONAL.test(word));
      const query = Object.entries({ q: isOpen ? words.join(' ') : '', since: to.since, until: to.until })
        .flatMap(([name, value]) => (value ? `${name}=${encodeURIComponent(value)}` : []))
        .join('&');
      return query === '' ? '#/search' : `#/search?${query}`;
    }
    case 'sandbox':
      return to.of === '' ? '#/sandbox' : `#/sandbox?of=${encodeURIComponent(to.of)}`;
    case 'month': {
      const { month, currency } = to;
      const query = Object.entries({ month, currency }).flatMap(([name, one]) =>
        one ? `${name}=${one}` : [],
      );
      return ['#/month', ...(query.length === 0 ? [] : [query.join('&')])].join('?');
    }
    default:
      return `#/${to.view}`;
  }
}

export function go(to: Place): void {
  history.pushState(to.view === 'search' ? { words: to.words } : null, '', addressOf(to));
  place.value = read();
}

function read(): Place {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  const id = /^\/p\/(.+)$/.exec(path)?.[1];
  if (id !== undefined) return { view: 'payout', id: decoded(id) };
  const delivery = /^\/webhooks\/(.+)$/.exec(path)?.[1];
  if (delivery !== undefined) return { view: 'webhook', id: decoded(delivery) };
  const name = /^\/runs\/(.+)$/.exec(path)?.[1];
  if (name !== undefined) return { view: 'run', name: decoded(name) };
  if (path === '/sandbox') return { view: 'sandbox', of: new URLSearchParams(query).get('of') ?? '' };
  if (path === '/month') {
    const asked = new URLSearchParams(query);
    return {
      view: 'month',
      month: /^\d{4}-\d{2}$/.exec(asked.get('month') ?? '')?.[0],
      currency: /^[A-Z]{3}(?:::.+)?$/.exec(asked.get('currency') ?? '')?.[0],
    };
  }
  const plain = PLAIN.find((view) => path === `/${view}`);
  if (plain !== undefined) return { view: plain };
  const kept = (history.state as { words?: unknown } | null)?.words;
  const params = new URLSearchParams(query);
  const words = typeof kept === 'string' ? kept : (params.get('q') ?? '');
  return { view: 'search', words, since: params.get('since') ?? '', until: params.get('until') ?? '' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

for (const name of ['hashchange', 'popstate'])
  addEventListener(name, () => {
    place.value = read();
  });

/** The part behind `#` of an address that a colleague sent, or null: the search box opens it. */
export const pastedAddress = (text: string): string | null =>
  /(#\/[\w/?=&%.-]+)\s*$/.exec(text.trim())?.[1] ?? null;

export function goToPasted(hash: string): void {
  history.pushState(null, '', hash);
  place.value = read();
}
