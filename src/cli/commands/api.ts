/**
 * A raw, signed call, through the same guard as every command: what is in the catalogue has its own effect, and any other
 * call that is not GET counts as money (PRODUCT rule 6).
 */

import { readJson } from '../../client/json.ts';
import { buildPath, buildQuery } from '../../client/url.ts';
import { findOperation, operationIds } from '../../contract/operations/index.ts';
import {
  type Effect,
  type Operation,
  pathParameters,
  type Settlement,
} from '../../contract/operations/operation.ts';
import type { WireResponse } from '../../core/ports/transport.ts';
import { command, flagMany, flagOn, flagText } from '../command.ts';
import type { Context } from '../context.ts';
import { asFailure } from '../errors.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { guard } from '../guard.ts';
import { readPairs } from '../payment/pairs.ts';
import { readTextFile } from '../payment/text-file.ts';
import { rawAmounts } from '../raw-amounts.ts';
import { underIntent } from '../raw-intent.ts';
import { escapeHostile } from '../terminal/escape.ts';
import { maskData, withoutSignatures } from '../terminal/mask.ts';

export interface ApiOptions {
  method: string;
  path: string;
  operation: Operation | undefined;
  query: Record<string, string>;
  data: string | undefined;
  include: boolean;
  newPayment: boolean;
}

const nameOf = ({ operation, method, path }: ApiOptions): string => operation?.id ?? `${method} ${path}`;

export { api as command };

const METHODS = new Set(['GET', 'POST', 'PATCH', 'DELETE', 'PUT']);

const api = command<ApiOptions>({
  description: `OPERATION is a name such as transactions.get, with path parameters as further arguments; or METHOD and PATH below the version segment. The answer is printed as it came. Names: ${operationIds.join(', ')}.`,
  args: [
    { name: 'OPERATION', summary: 'an operation’s name, or GET, POST, PATCH, DELETE' },
    { name: 'PATH', summary: 'the path, or the operation’s path parameters', optional: true, many: true },
  ],
  flags: [
    {
      flags: '-d, --data <json>',
      summary: 'the body, sent to the byte as given; @FILE reads a file, - standard input',
    },
    { flags: '--param <name=value>', summary: 'a query parameter; repeat it', many: true },
    { flags: '-i, --include', summary: 'print status and headers too, on stderr' },
    { flags: '--new-payment', summary: 'send it although the same was sent before and is not settled' },
  ],
  examples: [
    'remit api accounts.list',
    'remit api transactions.get 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit api GET /recipients --param per=5',
  ],
  read(input) {
    const [first = '', ...rest] = input.args;
    const shared = {
      query: readPairs(flagMany(input, 'param'), '--param'),
      data: flagText(input, 'data'),
      include: flagOn(input, 'include'),
      newPayment: flagOn(input, 'newPayment'),
    };
    if (METHODS.has(first.toUpperCase())) return { ...byPath(first.toUpperCase(), rest), ...shared };
    return { ...byName(first, rest), ...shared };
  },
  async run(context, options) {
    const { operation, method, newPayment } = options;
    const effect = operation?.effect ?? (method === 'GET' ? 'read' : 'money');
    const path = options.path + buildQuery(options.query);
    const body = options.data === undefined ? undefined : await bodyText(context, options.data);
    if (effect !== 'read') {
      const amounts = effect === 'money' ? await rawAmounts(context, operation, body) : undefined;
      const what = [`${method} ${path}`];
      await guard(context, { effect, sandboxOnly: operation?.sandboxOnly, what, amounts });
    }
    const client = await (effect === 'read' ? context.client() : context.writingClient());
    const send = () => client.raw({ method, path, body, effect });
    const sent =
      effect === 'money'
        ? underIntent(context, { operation: nameOf(options), method, path, body, newPayment }, send)
        : send();
    const response = await sent.catch((error: unknown) => {
      throw lost(error, operation);
    });
    await print(context, response, options.include);
    return { done: true, exit: exitFor(response.status, effect) };
  },
});

/** What to look at after a write whose answer was lost: the row of the operation knows. */
const TO_SETTLE: Readonly<Record<Settlement, string>> = {
  repeat: 'it changes nothing: run it again',
  external_id: 'look it up by its external_id before anything is sent again',
  transaction: 'read the transaction before anything is sent again: remit tx show ID',
  recipient: 'read the recipient before anything is sent again: remit recipient show ID',
  resource: 'read it before anything is sent again',
  list: 'list and compare before anything is sent again',
};

function lost(error: unknown, operation: Operation | undefined): Failure {
  const failure = asFailure(error);
  if (failure.facts.category !== 'unknown') return failure;
  return new Failure(
    { ...failure.facts, hint: TO_SETTLE[operation?.settle ?? 'resource'] },
    { cause: error },
  );
}

function byName(
  name: string,
  values: readonly string[],
): { method: string; path: string; operation: Operation } {
  const operation = findOperation(name);
  if (operation === undefined)
    throw usage(`there is no operation "${name}"`, 'remit api --help lists them; or METHOD and PATH');
  const names = pathParameters(operation.path);
  if (values.length !== names.length) {
    throw usage(names.length === 0 ? `${name} takes no path parameter` : `${name} needs ${names.join(', ')}`);
  }
  const params = Object.fromEntries(names.map((parameter, index) => [parameter, values[index] ?? '']));
  return { method: operation.method, path: safePath(buildPath(operation.path, params)), operation };
}

function byPath(
  method: string,
  rest: readonly string[],
): { method: string; path: string; operation: Operation | undefined } {
  const [path = ''] = rest;
  if (rest.length !== 1) throw usage('METHOD needs exactly one PATH', 'remit api GET /accounts');
  return { method, path: safePath(path), operation: operationAt(method, path) };
}

/** The secret goes to the base URL alone: nothing that could name another place. */
function safePath(path: string): string {
  const bare = path.split('?')[0] ?? '';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || !path.startsWith('/'))
    throw usage(
      `"${path}" is not a path`,
      'it begins with / and is below the version segment, such as /accounts',
    );
  if (bare.includes('//') || bare.includes('\\') || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(bare))
    throw usage(`"${path}" is refused: no //, no . and no .. in a path`);
  if (path.includes('#') || /\s/.test(path))
    throw usage(`"${path}" has a fragment or white space: encode it`);
  return path;
}

/** However it is spelt: a path that the service may read as a row's must pass the guard as that row. */
function operationAt(method: string, path: string): Operation | undefined {
  const bare = plainPath(path.split('?')[0] ?? '').split('/');
  const rows = operationIds.map((id) => findOperation(id)).filter((row) => row !== undefined);
  const fits = rows.filter((row) => {
    const parts = row.path.split('/');
    return (
      row.method === method &&
      parts.length === bare.length &&
      parts.every((part, index) => part.startsWith('{') || part === bare[index])
    );
  });
  // A literal path is more exact than one with a parameter: /transactions/calculate is no id.
  return fits.sort((a, b) => pathParameters(a.path).length - pathParameters(b.path).length)[0];
}

function plainPath(path: string): string {
  try {
    return decodeURIComponent(path).replace(/\/+$/, '').toLowerCase();
  } catch {
    throw usage(`"${path}" is not an encoded path`);
  }
}

async function bodyText(context: Context, data: string): Promise<string> {
  const text =
    data === '-'
      ? await readTextFile(context.world, '-')
      : data.startsWith('@')
        ? await readTextFile(context.world, data.slice(1))
        : data;
  try {
    JSON.parse(text);
  } catch (error) {
    throw usage(`the body is not JSON: ${(error as Error).message}`);
  }
  return text;
}

async function print(context: Context, response: WireResponse, include: boolean): Promise<void> {
  const { streams, mask } = context;
  if (include) {
    context.say(`HTTP ${response.status}`);
    for (const [name, value] of Object.entries(response.headers))
      context.say(escapeHostile(`${name}: ${value}`));
  } else if (response.status > 299) {
    context.say(`remit: the service answered ${response.status}`);
  }
  const body = mask === 'none' ? withoutSignatures(response.body) : await masked(response.body, context);
  const shown = streams.stdoutIsTerminal ? escapeHostile(body) : body;
  streams.out(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}

async function masked(text: string, { mask }: Context): Promise<string> {
  try {
    return JSON.stringify(maskData(await readJson(text), mask), null, 2);
  } catch {
    return text;
  }
}

function exitFor(status: number, effect: Effect): ExitCode {
  if (status < 300) return exitCodes.ok;
  if (status === 400) return exitCodes.usage;
  if (status === 401) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 422) return exitCodes.validation;
  // Anything else on a write proves nothing.
  if (effect !== 'read') return exitCodes.unknown;
  return status === 429 || status >= 500 ? exitCodes.temporary : exitCodes.failed;
}
