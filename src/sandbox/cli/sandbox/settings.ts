import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { control } from '../control.ts';
import { settingsView } from '../views/sandbox.ts';

export const command = defineCommand({
  description: `Shows them, or changes some:

  kyc=waived|operator|documents  who checks senders
  wtr2=true                      the simplified identification rules
  account_validation=true        check names unless a transaction says not to
  review=true                    compliance looks at what is funded first
  strict_names=true              compare names with holder_name
  holder_name="TEST USER"        the holder of every account
  nonce_memory=false             accept a nonce twice
  strict_senders=false           senders may leave out metadata and documents
  partner_path=partner           the segment before /balance of the partner balance`,
  args: [{ name: 'NAME=VALUE', summary: 'what to change', optional: true, many: true }],
  shows: [settingsView],
  effect: 'write',
  examples: ['remit sandbox settings', 'remit sandbox settings kyc=operator review=true'],
  read: (input) => ({
    change: Object.fromEntries(input.args.map(pair)),
  }),
  async run(context, { change }) {
    if (Object.keys(change).length === 0)
      return result(settingsView, await control(context, 'sandbox.settings.show'));
    return result(settingsView, await control(context, 'sandbox.settings.change', { body: change }));
  },
});

function pair(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`"${text}" is not name=value`, 'remit sandbox settings kyc=operator');
  const value = text.slice(at + 1);
  return [text.slice(0, at), value === 'true' ? true : value === 'false' ? false : value];
}
