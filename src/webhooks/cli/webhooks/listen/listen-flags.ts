/** The flags of `webhooks listen` and what they mean, read without touching anything. */

import { eventNames } from '../../../../contract/events.ts';
import { usage } from '../../../../core/problem.ts';
import { flags, type Input } from '../../../../frame/flags/flag.ts';
import { logFlag } from '../../../../frame/log/flag.ts';
import {
  type AdminAddress,
  adminFlag,
  readAdmin,
  refuseLocalhost,
} from '../../../../payments/cli/admin/flag.ts';
import { type OnPrograms, onFlags, readOn } from '../../../../payments/cli/flags/on.ts';
import { readStore, storeFlags } from '../../../../payments/cli/flags/store.ts';
import type { StoreChoice } from '../../../../payments/shared-store.ts';

export interface ListenOptions {
  host: string;
  port: number;
  path: string | undefined;
  tls: { cert: string; key: string } | undefined;
  allowFrom: string[];
  trustProxy: boolean;
  publicUrl: string | undefined;
  maxBytes: number | undefined;
  /** Empty for all. */
  events: string[];
  filter: string | undefined;
  register: boolean | undefined;
  forwardTo: string | undefined;
  resign: boolean;
  forwardInvalid: boolean;
  program: string[] | undefined;
  programMs: number;
  attempts: number | undefined;
  alsoProfiles: string[];
  secretFile: string | undefined;
  catchUp: boolean;
  readyFile: string | undefined;
  count: number | undefined;
  books: boolean;
  on: OnPrograms;
  store: StoreChoice;
  admin: AdminAddress | undefined;
}

const EVENTS = ['needs_you', 'ended'] as const;

export const listenFlags = flags({
  host: { value: 'address', summary: 'where to listen; 127.0.0.1 if you do not say' },
  port: { value: 'port', summary: 'a free one if you do not say' },
  path: { value: 'path', summary: 'answer this path only, such as /hooks' },
  tlsCert: { value: 'path', summary: 'listen with TLS: the certificate, in PEM' },
  tlsKey: { value: 'path', summary: 'and its key' },
  allowFrom: {
    value: 'range',
    summary: 'take deliveries from this address or range only, such as 203.0.113.0/24; repeat it',
    many: true,
  },
  trustProxy: { summary: 'trust X-Forwarded-For, -Proto and -Host of a proxy in front' },
  publicUrl: {
    value: 'url',
    summary: 'the registered URL, where a tunnel or proxy is in front (or REMIT_PUBLIC_URL)',
  },
  maxBody: { value: 'bytes', summary: 'answer 413 to larger ones; 1048576 if you do not say' },
  events: { value: 'names', summary: 'hand on only these, separated by commas; all are stored' },
  filter: { value: 'expression', summary: 'hand on only if this JMESPath expression over the body is true' },
  register: { summary: 'register in production too; needs --public-url' },
  noRegister: { summary: 'do not register: only listen' },
  forwardTo: { value: 'url', summary: 'hand each delivery on, byte for byte with its headers' },
  resign: { summary: 'with --forward-to: sign it again, for that URL' },
  forwardInvalid: { summary: 'with --forward-to: also hand on what does not verify, once and marked' },
  exec: { value: 'command', summary: 'run this for each delivery, its body on standard input; no shell' },
  execTimeout: { value: 'seconds', summary: 'stop it after this many seconds; 60 if you do not say' },
  attempts: {
    value: 'n',
    summary: 'give up after this many attempts; 8 if you do not say, over an hour and a half',
  },
  alsoProfile: {
    value: 'name',
    summary: 'accept the key and secret of this profile too; repeat it',
    many: true,
  },
  secretFile: {
    value: 'path',
    summary: 'accept these secrets of the key too, one a line, while they are being rotated',
  },
  noCatchUp: { summary: 'do not compare with the log of the service at the start' },
  readyFile: { value: 'path', summary: 'write the address to this file once it listens' },
  count: { value: 'n', summary: 'end after this many new deliveries' },
  books: { summary: 'bring the books up to date with each delivery (remit books sync makes them)' },
  ...onFlags(EVENTS),
  ...storeFlags,
  ...adminFlag,
  ...logFlag,
});

export function readListen(input: Input<typeof listenFlags>): ListenOptions {
  refuseLocalhost('host', input.flags.host);
  const options: ListenOptions = {
    host: input.flags.host ?? '127.0.0.1',
    port: whole(input.flags.port, '--port', 65_535) ?? 0,
    path: pathIn(input.flags.path),
    tls: tlsIn(input),
    allowFrom: input.flags.allowFrom,
    trustProxy: input.flags.trustProxy,
    publicUrl: urlIn(input.flags.publicUrl, '--public-url'),
    maxBytes: whole(input.flags.maxBody, '--max-body', 64 * 1024 * 1024),
    events: namesIn(input.flags.events),
    filter: input.flags.filter,
    register: input.flags.register ? true : input.flags.noRegister ? false : undefined,
    forwardTo: urlIn(input.flags.forwardTo, '--forward-to'),
    resign: input.flags.resign,
    forwardInvalid: input.flags.forwardInvalid,
    program: programIn(input.flags.exec),
    programMs: (whole(input.flags.execTimeout, '--exec-timeout', 3_600) ?? 60) * 1_000,
    attempts: whole(input.flags.attempts, '--attempts', 100),
    alsoProfiles: input.flags.alsoProfile,
    secretFile: input.flags.secretFile,
    catchUp: !input.flags.noCatchUp,
    readyFile: input.flags.readyFile,
    count: whole(input.flags.count, '--count', 1e9),
    books: input.flags.books,
    on: readOn(input, EVENTS),
    store: readStore(input),
    admin: readAdmin(input),
  };
  checkTogether(options);
  return options;
}

function checkTogether({ forwardTo, program, resign, forwardInvalid, attempts }: ListenOptions): void {
  if (forwardTo !== undefined && program !== undefined)
    throw usage('--forward-to and --exec exclude each other', 'run two listeners, on two inboxes');
  if (resign && forwardTo === undefined) throw usage('--resign needs --forward-to');
  if (forwardInvalid && forwardTo === undefined) throw usage('--forward-invalid needs --forward-to');
  if (resign && forwardInvalid)
    throw usage(
      '--resign and --forward-invalid exclude each other',
      'your handler would believe a forgery that is signed again',
    );
  if (attempts === 0) throw usage('--attempts 0 hands nothing on');
}

/** Names that remit does not know: the service may have more, so they are only worth a word. */
export const unknownEvents = (names: readonly string[]): string[] =>
  names.filter((name) => !(eventNames as readonly string[]).includes(name));

const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function whole(text: string | undefined, flag: string, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw usage(`${flag} ${text} is not a number up to ${most}`);
  return Number(text);
}

export function urlIn(text: string | undefined, flag: string): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw usage(`${flag} ${text} is not a URL`, 'such as http://127.0.0.1:3000/hooks');
  return text;
}

function pathIn(text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith('/')) return text;
  throw usage(`--path ${text} does not begin with /`);
}

function tlsIn(input: Input<typeof listenFlags>): ListenOptions['tls'] {
  const [cert, key] = [input.flags.tlsCert, input.flags.tlsKey];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw usage(`${cert === undefined ? '--tls-cert' : '--tls-key'} is missing`, 'TLS needs both');
  return { cert, key };
}

function programIn(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const words = splitWords(text);
  if (!words?.[0]) throw usage(`--exec ${text} is not a command: a quote is left open, or it is empty`);
  return words;
}

/**
 * A command line without a shell: words, quotes and backslashes are understood, and nothing is expanded. Null
 * where a quote is left open.
 */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string;
    if (letter === '\\' && quote !== "'") {
      i += 1;
      if (i >= text.length) return null;
      word = (word ?? '') + text[i];
    } else if (quote !== '') {
      if (letter === quote) quote = '';
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return null;
  return word === undefined ? words : [...words, word];
}
