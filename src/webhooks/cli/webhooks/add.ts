import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { authorizeWrite } from '../../../payments/gate.ts';
import { checkEvents, register, registrationStep } from '../../definitions.ts';
import { endpointView } from '../views/webhook.ts';

export const command = defineCommand({
  args: [{ name: 'URL', summary: 'where the service sends to; the signature covers it exactly as given' }],
  flags: {
    event: { value: 'name', summary: 'only this event; repeat it; all if you name none', many: true },
  },
  shows: [endpointView],
  effect: 'write',
  examples: [
    'remit webhooks add http://127.0.0.1:3000/hooks',
    'remit webhooks add http://127.0.0.1:3000/hooks --event recipient.error --event transaction.paid_out',
  ],
  read(input) {
    const url = input.args[0] ?? '';
    if (!/^https?:\/\/[^\s/?#]+/i.test(url) || !URL.canParse(url))
      throw usage(`"${url}" is not a URL`, 'such as https://example.com/hooks');
    return { url, events: checkEvents(input.flags.event) };
  },
  async run(context, { url, events }) {
    const webhook = { url, events, metadata: {} };
    const permit = await authorizeWrite(context, registrationStep(webhook), context.confirmer);
    return result(endpointView, await register(context, permit, webhook));
  },
});
