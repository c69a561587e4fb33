import { type EventName, eventInfo, eventNames } from '../../../contract/events.ts';
import { listWebhookEvents } from '../../../contract/operations/webhooks.ts';
import { command, flagOn, result } from '../../command.ts';
import type { View } from '../../view.ts';

export { events as command };

interface ShownEvent {
  name: string;
  object: string;
  meaning: string;
}

const view: View<ShownEvent> = {
  kind: 'event',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'object', priority: 1, get: (row) => row.object },
    { name: 'meaning', priority: 2, get: (row) => row.meaning },
  ],
};

const events = command<{ remote: boolean }>({
  description: 'From remit’s own data, without a request; --remote asks the service for its list.',
  flags: [{ flags: '--remote', summary: 'ask the service' }],
  shows: [view],
  effect: 'read',
  examples: ['remit webhooks events'],
  read: (input) => ({ remote: flagOn(input, 'remote') }),
  async run(context, { remote }) {
    const names = remote ? (await (await context.client()).call(listWebhookEvents)).object : eventNames;
    return result(view, names.map(shown));
  },
});

function shown(name: string): ShownEvent {
  if (!(eventNames as readonly string[]).includes(name))
    return { name, object: name.split('.')[0] ?? '', meaning: 'not known to remit' };
  const info = eventInfo(name as EventName);
  return { name, object: info.object, meaning: info.meaning };
}
