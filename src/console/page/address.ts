/**
 * Where this tab is, as the part of the address behind `#`. No name and no account number stands in it: a search for one is kept in the
 * history's entry, which no server, bookmark or message has.
 */
import { signal } from '@preact/signals';

/** Views of one thing, each with the word before its id. */
const NAMED = { payout: 'p', webhook: 'webhooks', run: 'runs' } as const;
type Named = keyof typeof NAMED;

/** The things that a view may be asked for. */
interface Asked {
  words?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  month?: string | undefined;
  currency?: string | undefined;
  /** An id. */
  of?: string | undefined;
}
/** The other views, each with what stands behind `?` in its address. */
const PLAIN = {
  search: ['words', 'since', 'until'],
  triage: ['since', 'until'],
  requests: [],
  runs: [],
  month: ['month', 'currency'],
  webhooks: [],
  sandbox: ['of'],
} as const satisfies Readonly<Record<string, readonly (keyof Asked)[]>>;
export type PlainView = keyof typeof PLAIN;

export type PageAddress = { view: Named; id: string } | ({ view: PlainView; id?: undefined } & Asked);

/** Amounts, currencies, days and ids say nothing of a person. */
const IMPERSONAL =
  /^(?:[A-Z]{3}|\d{4}-\d{2}-\d{2}|[0-9a-f]{8}(?:-[0-9a-f-]*)?|\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?)$/;
/** Anything else in an address is passed over. */
const FITS: Readonly<Partial<Record<keyof Asked, RegExp>>> = {
  month: /^\d{4}-\d{2}$/,
  currency: /^[A-Z]{3}(?:::.+)?$/,
};

export const place = signal<PageAddress>(read());

export function addressOf(to: PageAddress): string {
  if (to.id !== undefined) return `#/${NAMED[to.view]}/${encodeURIComponent(to.id)}`;
  const asked: Asked = { ...to, words: openWords(to.words) };
  const query = PLAIN[to.view].flatMap((name) =>
    asked[name] ? [`${nameInQuery(name)}=${encodeURIComponent(asked[name])}`] : [],
  );
  return `#/${to.view}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function nameInQuery(name: keyof Asked): string {
  return name === 'words' ? 'q' : name;
}

/** Empty where one of the words may be about a person. */
function openWords(words = ''): string {
  const each = words.split(/\s+/).filter((word) => word !== '');
  return each.every((word) => IMPERSONAL.test(word)) ? each.join(' ') : '';
}

/** @param to a view, or the part behind `#` of an address in a link */
export function go(to: PageAddress | string): void {
  if (typeof to === 'string') history.pushState(null, '', to);
  else history.pushState(to.view === 'search' ? { words: to.words } : null, '', addressOf(to));
  look();
}

function look(): void {
  place.value = read();
}

function read(): PageAddress {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  const [, word = '', ...rest] = path.split('/');
  const id = rest.join('/');
  const named = (Object.keys(NAMED) as Named[]).find((view) => NAMED[view] === word);
  if (named !== undefined && id !== '') return { view: named, id: decoded(id) };
  const view = Object.hasOwn(PLAIN, word) ? (word as PlainView) : 'search';
  const given = new URLSearchParams(query);
  const asked: Asked = {};
  for (const name of PLAIN[view]) {
    const text = given.get(nameInQuery(name)) ?? '';
    if (FITS[name]?.test(text) ?? true) asked[name] = text;
  }
  const kept = (history.state as { words?: unknown } | null)?.words;
  if (view === 'search' && typeof kept === 'string') asked.words = kept;
  return { view, ...asked };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

for (const name of ['hashchange', 'popstate']) addEventListener(name, look);

/** The part behind `#` of an address that a colleague sent, or null: the search box opens it. */
export const pastedAddress = (text: string): string | null =>
  /(#\/[\w/?=&%.-]+)\s*$/.exec(text.trim())?.[1] ?? null;
