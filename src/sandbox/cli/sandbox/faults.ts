/** Arms faults of a sandbox, and lists them. */
import { faultInfo, faultNames, isFaultName } from '../../../contract/controls/faults.ts';
import { parseDuration } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import type { Input, SwitchFlag, TextFlag } from '../../../frame/flags/flag.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { control } from '../control.ts';
import { faultsIn, type SandboxFaults } from '../told.ts';
import { armedView, firedView } from '../views/sandbox.ts';

const PLACES = {
  call: 'Calls; all of them, or --operation:',
  webhook: 'Deliveries; all of them, or --event or --webhook:',
  payout: 'Payouts; all of them, or --corridor:',
};

const INDENT = 25;
const WIDTH = 79;

function list(place: keyof typeof PLACES): string {
  const names = faultNames.filter((name) => faultInfo(name).place === place);
  return [PLACES[place], ...names.map((name) => hang(`  ${name}`, faultInfo(name).summary))].join('\n');
}

/** The first line begins with the name; the others stand below the first word. */
function hang(name: string, sentence: string): string {
  return sentence.split(' ').reduce(
    (text, word) => {
      const last = text.length - text.lastIndexOf('\n') - 1;
      const fits = last + 1 + word.length <= WIDTH;
      return fits || last <= INDENT ? `${text} ${word}` : `${text}\n${' '.repeat(INDENT)}${word}`;
    },
    name.padEnd(INDENT - 1),
  );
}

const fail = defineCommand({
  description: `The fault happens to the next call, delivery or payout; with --next N, to the
next N of them; with --always, to every one. \`remit sandbox faults\` lists the
armed faults, and what has happened.

${list('call')}

${list('webhook')}

${list('payout')}`,
  args: [{ name: 'FAULT', summary: 'one of the above' }],
  flags: {
    next: { value: 'count', summary: 'how many times; 1 if you do not say' },
    always: { summary: 'until it is disarmed' },
    operation: { value: 'id', summary: 'only this operation, such as transactions.create_and_fund' },
    corridor: { value: 'type', summary: 'only payouts of this type, such as NGN::Bank' },
    event: { value: 'name', summary: 'only deliveries of this event' },
    webhook: { value: 'id', summary: 'only deliveries to this endpoint' },
    delay: { value: 'duration', summary: 'for slow and webhook-delayed, such as 5s' },
    status: { value: 'status', summary: 'for 5xx: which; 503 if you do not say' },
  },
  shows: [armedView],
  effect: 'write',
  examples: [
    'remit sandbox fail response-lost --operation transactions.create_and_fund',
    'remit sandbox fail webhook-duplicate --next 3',
    'remit sandbox fail provider-outage --corridor NGN::Bank --always',
  ],
  read: (input) => ({ body: readFault(input) }),
  async run(context, { body }) {
    const { armed } = await control<{ armed: Record<string, unknown>[] }>(context, 'sandbox.faults.arm', {
      body,
    });
    return result(armedView, armed);
  },
});

function readFault(
  input: Input<{
    delay: TextFlag;
    always: SwitchFlag;
    next: TextFlag;
    operation: TextFlag;
    corridor: TextFlag;
    event: TextFlag;
    webhook: TextFlag;
    status: TextFlag;
  }>,
): Record<string, unknown> {
  const fault = input.args[0] ?? '';
  if (!isFaultName(fault)) throw usage(`there is no fault "${fault}"`, faultNames.join(', '));
  const delay = input.flags.delay;
  const delayMs = delay === undefined ? undefined : parseDuration(delay);
  if (delayMs === null) throw usage(`"${delay}" is not a duration`, 'such as 500ms, 5s, 2m');
  const always = input.flags.always;
  const next = input.flags.next;
  if (always && next !== undefined) throw usage('say --next or --always, not both');
  return {
    fault,
    times: always ? undefined : wholeNumber('--next', next ?? '1'),
    operation: input.flags.operation,
    corridor: input.flags.corridor,
    event: input.flags.event,
    webhook: input.flags.webhook,
    delay_ms: delayMs === undefined ? undefined : Math.round(delayMs),
    status: input.flags.status && wholeNumber('--status', input.flags.status ?? ''),
  };
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw usage(`${flag} ${text} is not a whole number above zero`);
  return Number(text);
}

const faults = defineCommand({
  description:
    'Lists the armed faults and how often each fired. --fired lists what happened, and to which call, delivery or payout. `remit sandbox fail` arms a fault.',
  flags: {
    fired: { summary: 'list what happened, not what is armed' },
    clear: { summary: 'disarm all of them' },
    disarm: { value: 'id', summary: 'disarm one, such as f2' },
  },
  shows: [firedView, armedView],
  effect: 'write',
  examples: ['remit sandbox faults', 'remit sandbox faults --fired', 'remit sandbox faults --clear'],
  read(input) {
    const one = input.flags.disarm;
    const all = input.flags.clear;
    if (one !== undefined && all) throw usage('say --clear or --disarm, not both');
    return { show: input.flags.fired ? 'fired' : 'armed', clear: one ?? (all ? 'all' : undefined) };
  },
  async run(context, { show, clear }) {
    const answer = await ask(context, clear);
    const { armed, fired } = answer;
    if (show === 'fired') return result(firedView, fired);
    const note = fired.length > 0 ? [`${fired.length} fired until now: remit sandbox faults --fired`] : [];
    return result(armedView, armed, { notes: note });
  },
});

function ask(context: Parameters<typeof control>[0], clear: string | undefined): Promise<SandboxFaults> {
  if (clear === undefined) return faultsIn(context);
  if (clear === 'all') return control<SandboxFaults>(context, 'sandbox.faults.clear');
  return control<SandboxFaults>(context, 'sandbox.faults.disarm', { id: clear });
}

export const commands = { fail, faults };
