/**
 * Registering an endpoint. It moves no money, so no intent is kept; where the answer is lost, the endpoints are listed and
 * compared before anything is claimed.
 */
import { isCallError } from '../client/errors.ts';
import { attempt, carryOut } from '../client/outcome.ts';
import { pages } from '../client/pages.ts';
import { eventNames } from '../contract/events.ts';
import { createWebhook, listWebhooks } from '../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../contract/resources/webhook.ts';
import type { Context } from './context.ts';
import { asFailure } from './errors.ts';
import { usage } from './failure.ts';

export interface Registration {
  url: string;
  events: string[];
  metadata?: Record<string, unknown>;
}

export async function register(context: Context, webhook: Registration): Promise<WebhookDefinition> {
  const client = await context.client();
  const outcome = await carryOut<WebhookDefinition>({
    send: () => attempt(async () => (await client.call(createWebhook, { body: { webhook } })).object),
    async look() {
      for await (const page of pages(client, listWebhooks)) {
        const found = page.find(
          (one) => one.url === webhook.url && sameEvents(one.events ?? [], webhook.events),
        );
        if (found) return { kind: 'applied', value: found };
      }
      return { kind: 'absent' };
    },
  });
  if (outcome.kind === 'applied') return outcome.value;
  const error = outcome.kind === 'conflict' ? undefined : outcome.error;
  throw asFailure(isCallError(error) ? error : new Error('the endpoint was not registered'));
}

const sameEvents = (a: string[], b: string[]): boolean => [...a].sort().join() === [...b].sort().join();

/** Names that the service does not have are refused: an endpoint that waits for a misspelt event waits for ever. */
export function checkEvents(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw usage(`there is no event called ${unknown.join(', ')}`, 'remit webhooks events --names lists them');
  return names.length > 0 ? [...names] : [...eventNames];
}
