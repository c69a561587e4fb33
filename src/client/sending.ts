/** The way in which most plans send: one request, whose answer is the record. */
import type { Operation } from '../contract/operations/operation.ts';
import type { CallArguments, Client } from './client.ts';
import { attempt, type WritePlan } from './outcome.ts';

export function sending<Body, Answer extends { object: unknown }>(
  client: Client,
  operation: Operation<Body, Answer>,
  args: CallArguments<Body, Answer>,
): Pick<WritePlan<Answer['object']>, 'body' | 'send'> {
  return {
    ...(args.body === undefined ? {} : { body: args.body }),
    send: () => attempt<Answer['object']>(async () => (await client.call(operation, args)).object),
  };
}
