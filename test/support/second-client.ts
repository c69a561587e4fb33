/**
 * A second client of the service, written apart from the first: fetch and node:crypto, led by the operation rows, with
 * nothing of `src/client` or the signing of `src/contract`. Two mistakes cannot agree where both see the same.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { catalogue } from '../../src/contract/operations/index.ts';
import type { Operation } from '../../src/contract/operations/operation.ts';
import type { AnyJson, Reply } from '../../src/sandbox/scenario/stage.ts';

interface Account {
  key: string;
  secret: string;
}

type Fetch = (request: Request) => Promise<Response>;

const rows = Object.values(catalogue) as unknown as Operation[];

/** What a service may always answer, whatever a row declares. */
const ALWAYS = [401, 404, 500, 502, 503, 504];

export interface SecondClient {
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Ids of the operations that were called. */
  seen: Set<string>;
}

export function secondClient(fetch: Fetch, baseUrl: string, account: Account): SecondClient {
  const seen = new Set<string>();
  return {
    seen,
    async call(method, path, body) {
      const row = rowFor(method, path);
      if (row) seen.add(row.id);
      const response = await fetch(signed(`${baseUrl}${path}`, method, body, account));
      const text = await response.text();
      const reply = { status: response.status, body: parse(text), text };
      if (row) check(row, reply);
      return reply;
    },
  };
}

function signed(url: string, method: string, body: unknown, { key, secret }: Account): Request {
  const text = body === undefined ? '' : JSON.stringify(body);
  const nonce = randomUUID();
  const digest = createHash('sha512').update(text).digest('hex');
  const signature = createHmac('sha512', secret).update([nonce, method, url, digest].join('&')).digest('hex');
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'authorization-key': key,
    'authorization-nonce': nonce,
    'authorization-signature': signature,
  };
  return new Request(url, { method, headers, ...(text === '' ? {} : { body: text }) });
}

/** The row that a path belongs to; one of a fixed path before one with a parameter. */
function rowFor(method: string, path: string): Operation | undefined {
  const bare = path.split('?')[0] ?? '';
  const fitting = rows.filter((row) => row.method === method && patternOf(row.path).test(bare));
  return fitting.find((row) => row.path === bare) ?? fitting[0];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function parse(text: string): AnyJson {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`this is no JSON: ${text.slice(0, 200)}`);
  }
}

/** The status is one that the row declares, and the envelope is the service's. */
function check(row: Operation, { status, body }: Reply): void {
  const declared = [row.status, ...row.failures, ...ALWAYS];
  if (!declared.includes(status)) throw new Error(`${row.id} answered ${status}, which it does not declare`);
  if (status >= 300 && status !== 422) return;
  if (!('object' in body)) throw new Error(`${row.id} answered without an object`);
  const paged = row.paging === 'envelope' && status < 300;
  if (paged && !('next_page' in (body.meta?.pagination ?? {}))) {
    throw new Error(`${row.id} answered a list without pagination`);
  }
  if (status === 422) checkProblems(row, body);
}

/** `errors` is a map of lists, somewhere in the object; or a text in `meta.error`. */
function checkProblems(row: Operation, body: AnyJson): void {
  const objects: AnyJson[] = [body.object].flat();
  const maps = objects.map((each) => each?.errors).filter((errors) => errors !== undefined);
  for (const errors of maps) {
    for (const [field, words] of Object.entries(errors as Record<string, unknown>)) {
      const fine = Array.isArray(words) && words.every((word: AnyJson) => typeof word.error === 'string');
      if (!fine) throw new Error(`${row.id}: errors.${field} is no list of errors`);
    }
  }
  if (maps.length === 0 && typeof body.meta?.error !== 'string') {
    throw new Error(`${row.id} refused without saying why`);
  }
}
