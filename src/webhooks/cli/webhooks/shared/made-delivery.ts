/** The body of a delivery made by hand: a generated object, one that the service has, or one from a file. */
import { isEventName } from '../../../../contract/events.ts';
import { getTransaction } from '../../../../contract/operations/transactions.ts';
import { notFound, usage } from '../../../../core/problem.ts';
import { flags, type Input } from '../../../../frame/flags/flag.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { findTransaction } from '../../../../payments/lookup/transaction.ts';
import { madeBody, madeObject } from '../../../sample-event.ts';
import { rawBytes } from './given-delivery.ts';

export interface ToMake {
  event: string | undefined;
  tx: string | undefined;
  data: string | undefined;
}

export const makingFlags = flags({
  event: { value: 'name', summary: 'which event, such as transaction.paid_out' },
  tx: { value: 'id', summary: 'about this transaction (id or external id), as the service has it now' },
  data: { value: 'path', summary: 'the object, or the whole body, from this file; - reads standard input' },
});

/** @throws Problem (usage) */
export function readToMake(input: Input<typeof makingFlags>): ToMake {
  const made = { event: input.flags.event, tx: input.flags.tx, data: input.flags.data };
  if (made.tx !== undefined && made.data !== undefined) throw usage('--tx and --data exclude each other');
  if (made.event === undefined && made.data === undefined)
    throw usage(
      '--event is missing',
      'such as --event transaction.paid_out; remit webhooks events --names lists them',
    );
  if (made.event !== undefined && !isEventName(made.event) && made.data === undefined)
    throw usage(`there is no event called ${made.event}`, 'remit webhooks events --names lists them');
  return made;
}

export interface MadeBody {
  event: string;
  /** The exact bytes that are signed. */
  body: Uint8Array;
}

export async function makeBody(context: Context, { event, tx, data }: ToMake): Promise<MadeBody> {
  const bodyOf = async (name: string, object: string): Promise<MadeBody> => ({
    event: name,
    body: await madeBody(context, name, object),
  });
  if (data !== undefined) {
    const bytes = await rawBytes(context, data);
    return (await wholeBody(bytes, event)) ?? bodyOf(required(event), objectText(bytes, data));
  }
  const name = required(event);
  return bodyOf(
    name,
    tx === undefined ? await generated(context, name) : await fromService(context, name, tx),
  );
}

function required(event: string | undefined): string {
  if (event !== undefined) return event;
  throw usage('--event is missing', '--data holds an object alone, and not the whole body of a delivery');
}

/** A file that holds a whole delivery is sent byte for byte. */
async function wholeBody(bytes: Uint8Array, event: string | undefined): Promise<MadeBody | undefined> {
  const { readDelivery } = await import('../../../intake/verify.ts');
  const delivery = readDelivery(bytes);
  if (!delivery) return undefined;
  if (event !== undefined && event !== delivery.event)
    throw usage(`--event ${event} is not the event of the body: ${delivery.event}`, 'leave out --event');
  return { event: delivery.event, body: bytes };
}

function objectText(bytes: Uint8Array, path: string): string {
  const text = Buffer.from(bytes).toString('utf8').trim();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Said below, together with JSON that is no object.
  }
  throw usage(`${path === '-' ? 'standard input' : path} does not hold a JSON object`);
}

async function generated(context: Context, event: string): Promise<string> {
  const object = await madeObject(context, event);
  if (object !== undefined) return object;
  throw usage(
    `there is no sample for ${event}: the layout of its object is not documented`,
    'give one with --data FILE',
  );
}

/** Takes a transaction as the service writes it, digit for digit. */
async function fromService(context: Context, event: string, tx: string): Promise<string> {
  const { transaction } = await findTransaction(context, tx, 'read');
  const client = await context.client();
  const { body } = await client.raw({
    method: 'GET',
    path: getTransaction.path.replace('{transaction_id}', encodeURIComponent(transaction.id ?? '')),
    effect: 'read',
    body: undefined,
  });
  const { parse, stringify } = await import('lossless-json');
  const part = partFor(event, (parse(body) as { object?: Part }).object ?? {});
  if (part === undefined)
    throw notFound(
      `transaction ${tx} has nothing that ${event} could be about`,
      'choose another event or transaction',
    );
  return stringify(part) ?? '{}';
}

interface Part {
  recipients?: Part[];
  payin_methods?: Part[];
  payout_method?: Part;
  sender?: Part;
}

/** The transaction itself, or what within it the event is about: the first where it has several. */
function partFor(event: string, transaction: Part): Part | undefined {
  switch (event.split('.')[0]) {
    case 'transaction':
      return transaction;
    case 'recipient':
      return transaction.recipients?.[0];
    case 'payin_method':
      return transaction.payin_methods?.[0];
    case 'payout_method':
      return transaction.recipients?.[0]?.payout_method;
    case 'sender':
      return transaction.sender;
    default:
      return undefined;
  }
}
