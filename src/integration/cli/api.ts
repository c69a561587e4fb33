/**
 * A raw, signed call, through the same guard as every command: what is in the catalogue has its own effect, and any other
 * call that is not GET counts as money (docs/rules.md 6).
 */

import type { Client, WireResponse } from '../../client/client.ts';
import { hasRiskyNumber, readJson } from '../../client/json.ts';
import { nextPage } from '../../client/pages.ts';
import { operationIds } from '../../contract/operations/index.ts';
import { type Operation, type Settlement, TO_SETTLE } from '../../contract/operations/operation.ts';
import { cancelRecipient, editRecipient } from '../../contract/operations/recipients.ts';
import type { Effect } from '../../core/effect.ts';
import { Problem, usage } from '../../core/problem.ts';
import type { Input, TextFlag } from '../../frame/flags/flag.ts';
import { readTextFile } from '../../frame/flags/text-file.ts';
import { chooseRecipient } from '../../payments/cli/ask/find.ts';
import { defineCommand, type OptionsOf } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { readPairs } from '../../payments/cli/flags/details.ts';
import type { Result } from '../../payments/cli/result.ts';
import { rawDryRunView } from '../../payments/cli/views/dry-run.ts';
import { byName, byTotal } from '../../payments/confirmation.ts';
import { authorizeWrite, type WritePermit } from '../../payments/gate.ts';
import { problemOf } from '../../payments/problem-of.ts';
import { rawAmounts } from '../../payments/raw-amounts.ts';
import { type RawOutcome, writeRaw } from '../../payments/raw-write.ts';
import { maskValue } from '../../payments/words/mask.ts';
import { recipientLine } from '../../payments/words/payment-lines.ts';
import { exitFor, printAnswer, rawDryRun, refuseShapes, shownPath } from './api/answer.ts';
import { asBody, asQuery, type Field, readFields } from './api/fields.ts';
import { type RawTarget, typedTarget } from './api/target.ts';

type ApiOptions = OptionsOf<typeof command>;

const nameOf = ({ operation, method, path }: RawTarget): string => operation?.id ?? `${method} ${path}`;

export const command = defineCommand({
  description: `OPERATION is a name such as transactions.get, with path parameters as further arguments; or METHOD and PATH below the version segment. The answer is printed as it came; --query and -o yaml reshape it.
Fields become the query of a GET, and the body of any other call. Keys may be nested: -f sender[external_id]=customer-17, -f recipients[0][type]=person, -f state[]=error.
Names: ${operationIds.join(', ')}.`,
  args: [
    { name: 'OPERATION', summary: 'an operation’s name, or GET, POST, PATCH, DELETE' },
    { name: 'PATH', summary: 'the path, or the operation’s path parameters', optional: true, many: true },
  ],
  flags: {
    rawField: { short: '-f', value: 'key=text', summary: 'a field that is a text; repeat it', many: true },
    field: {
      short: '-F',
      value: 'key=value',
      summary: 'a field that is an amount, true or false, as JSON has them; repeat it',
      many: true,
    },
    input: { value: 'path', summary: 'the body from a file, sent exactly as it is; - reads standard input' },
    data: {
      short: '-d',
      value: 'json',
      summary: 'the body, sent exactly as given; @FILE reads a file, - standard input',
    },
    param: { value: 'name=value', summary: 'a query parameter, whatever the method; repeat it', many: true },
    paginate: { summary: 'a GET: all pages, one answer after the other' },
    include: { short: '-i', summary: 'print status and headers too, on stderr' },
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
    dryRun: { summary: 'print the request and the text to sign, and send nothing' },
  },
  effect: 'money',
  shows: [rawDryRunView],
  examples: [
    'remit api accounts.list',
    'remit api transactions.get 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit api recipients.list -f state[]=error -f per=5',
    'remit api accounts.list --query "object[].currency"',
    'remit api GET /recipients --paginate',
    'remit api GET /recipients -f state[]=error --dry-run',
    'remit api webhooks.create -f webhook[url]=http://127.0.0.1:3000/hooks -f webhook[events][]=recipient.error',
  ],
  read(input) {
    const dryRun = input.flags.dryRun;
    if (!dryRun) refuseShapes(input);
    const target = typedTarget(input.args);
    const fields = readFields(input.flags.rawField, input.flags.field);
    const paginate = input.flags.paginate;
    if (paginate && dryRun) throw usage('--paginate does not go with --dry-run');
    if (paginate && target.method !== 'GET') throw usage('--paginate is for a GET: nothing else has pages');
    const isQuery = target.method === 'GET';
    return {
      ...target,
      query: [
        ...Object.entries(readPairs(input.flags.param, '--param')),
        ...(isQuery ? asQuery(fields) : []),
      ],
      data: dataOf(input, isQuery ? [] : fields),
      include: input.flags.include,
      paginate,
      newPayment: input.flags.newPayment,
      dryRun,
    };
  },
  async run(context, options): Promise<Result> {
    const { operation, method, newPayment } = options;
    const effect = operation?.effect ?? (method === 'GET' ? 'read' : 'money');
    if (options.paginate) return paginated(context, options);
    const path = withQuery(options.path, options.query);
    const body = options.data === undefined ? undefined : await bodyText(context, options.data);
    if (options.dryRun) return rawDryRun(context, { method, path, body });
    let permit: WritePermit | undefined;
    if (effect !== 'read') {
      const amounts = effect === 'money' ? await rawAmounts(context, { operation, path, body }) : undefined;
      permit = await authorizeWrite(
        context,
        {
          effect,
          sandboxOnly: operation?.sandboxOnly,
          what: [`${method} ${shownPath(context, path)}`, ...bodyLines(context, body)],
          look: () => concerned(context, options),
          amounts,
          confirm: byTotal(amounts ?? [], byName(shortCall(method, path))),
        },
        context.confirmer,
      );
    }
    const client = await (effect === 'read' ? context.client() : context.writingClient());
    const send = () => client.raw({ method, path, body, effect });
    const call = { operation: nameOf(options), method, path, body, newPayment };
    const sent: Promise<{ response: WireResponse; state?: RawOutcome['state'] }> =
      permit && effect === 'money'
        ? writeRaw(context, permit, call, send)
        : withoutIntent(client, { effect, template: operation?.path ?? path }, send);
    const { response, state } = await sent.catch((error: unknown) => {
      throw lost(error, operation);
    });
    await printAnswer(context, response, options.include);
    if (effect !== 'money' && state === 'unknown')
      context.say(`it may have been applied: ${lookFor(operation)}`);
    return { done: true, exit: exitFor(response.status, effect, state) };
  },
});

/** A refusal is looked into, as everywhere: something in front of the service may have answered, and the call may be applied. */
async function withoutIntent(
  client: Client,
  { effect, template }: { effect: Effect; template: string },
  send: () => Promise<WireResponse>,
) {
  const response = await send();
  if (effect === 'read' || response.status < 300) return { response };
  const { verdictOfRefusal } = await import('../../client/raw-verdict.ts');
  return { response, state: await verdictOfRefusal(client, template, response) };
}

const MOST_LINES = 40;

/** Returns the body of a raw call, amounts and all, before it is sent: the user who confirms must read it. */
function bodyLines({ mask }: Context, body: string | undefined): string[] {
  if (body === undefined) return [];
  const laidOut = hasRiskyNumber(body) ? body : JSON.stringify(JSON.parse(body), null, 2);
  const lines = maskValue('body', laidOut, mask === 'none' ? 'accounts' : mask).split('\n');
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} lines more`];
}

/** In production, whom a call by path alone is about, as far as it can be found; not finding it stops nothing. */
async function concerned(context: Context, { operation, path }: RawTarget): Promise<string[]> {
  if (operation?.id !== cancelRecipient.id && operation?.id !== editRecipient.id) return [];
  const { environment } = await context.connection();
  if (environment !== 'production') return [];
  const id = path.split('/').at(-1) ?? '';
  try {
    const { recipient } = await chooseRecipient(context, id, { use: 'read' });
    return [`recipient: ${recipientLine(recipient, context.mask)} (${recipient.state})`];
  } catch {
    return [];
  }
}

/** One of the three ways to give a body. @throws Problem (usage) for two of them */
function dataOf(
  input: Input<{ input: TextFlag; data: TextFlag }>,
  fields: readonly Field[],
): string | undefined {
  const file = input.flags.input;
  const ways = [
    input.flags.data,
    file === undefined ? undefined : file === '-' ? '-' : `@${file}`,
    fields.length === 0 ? undefined : asBody(fields),
  ].filter((way) => way !== undefined);
  if (ways.length > 1) throw usage('the body is given twice', 'by fields, by --input, or by --data');
  return ways[0];
}

type Pairs = ApiOptions['query'];

function withQuery(path: string, query: Pairs): string {
  if (query.length === 0) return path;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

const PER_PAGE = '100';

/** Page after page until the service says that there is none, each printed as it comes. */
async function paginated(context: Context, { path, query, include }: ApiOptions): Promise<Result> {
  const client = await context.client();
  const given = Number(query.find(([name]) => name === 'per')?.[1] ?? PER_PAGE);
  const fixed = query.filter(([name]) => name !== 'page' && name !== 'per');
  let page = Number(query.find(([name]) => name === 'page')?.[1] ?? 1);
  for (let before = ''; ; ) {
    const at = withQuery(path, [...fixed, ['per', String(given)], ['page', String(page)]]);
    const { interrupt: signal } = context.process;
    const response = await client.raw({ method: 'GET', path: at, effect: 'read', signal });
    if (response.status < 300 && response.body === before) return { done: true };
    await printAnswer(context, response, include);
    if (response.status > 299) return { done: true, exit: exitFor(response.status, 'read') };
    const answer = (await readJson(response.body)) as { object?: unknown };
    const next = Array.isArray(answer.object) ? nextPage(answer as { object: unknown[] }, page, given) : null;
    if (next === null) return { done: true };
    before = response.body;
    page = next;
  }
}

/** The command that reads what must be read first. */
const READS: Partial<Record<Settlement, string>> = {
  transaction: 'remit tx show ID',
  recipient: 'remit recipient show ID',
};

function lookFor(operation: Operation | undefined): string {
  const settle = operation?.settle ?? 'resource';
  return [TO_SETTLE[settle], READS[settle]].filter(Boolean).join(': ');
}

function lost(error: unknown, operation: Operation | undefined): Problem {
  const failure = problemOf(error);
  if (failure.facts.category !== 'unknown') return failure;
  return new Problem({ ...failure.facts, hint: lookFor(operation) }, { cause: error });
}

async function bodyText(context: Context, data: string): Promise<string> {
  const text =
    data === '-'
      ? await readTextFile(context.process, '-')
      : data.startsWith('@')
        ? await readTextFile(context.process, data.slice(1))
        : data;
  try {
    JSON.parse(text);
  } catch (error) {
    throw usage(`the body is not JSON: ${(error as Error).message}`);
  }
  return text;
}

/** `POST transactions`, `DELETE 0b6f1e2a`: what a person types in production. */
function shortCall(method: string, path: string): string {
  const last = path.replace(/\?.*/s, '').split('/').findLast(Boolean) ?? '';
  return `${method} ${last.length > 24 ? last.slice(0, 8) : last}`;
}
