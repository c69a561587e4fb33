/** Flags that every command takes, and the environment's word for each. Flag over environment over default. */
import type { Flag, Input } from './command.ts';
import { usage } from './failure.ts';
import { type OutputFormat, outputFormats } from './terminal/format-names.ts';

export const globalFlags: readonly Flag[] = [
  { flags: '-o, --output <format>', summary: `how to print the result: ${outputFormats.join(', ')}` },
  { flags: '--fields <names>', summary: 'only these members, separated by commas' },
  { flags: '--query <expression>', summary: 'a JMESPath expression over the result' },
  { flags: '--profile <name>', summary: 'which profile to use' },
  { flags: '--yes', summary: 'do not ask; what a terminal would be asked counts as answered' },
  { flags: '--live <what>', summary: 'in production without a terminal: profile name, or key:LAST4' },
  { flags: '--no-input', summary: 'never prompt, as without a terminal' },
  { flags: '--reveal', summary: 'show accounts, phones and names in full' },
  { flags: '--fresh', summary: 'go past the five-minute cache of balances and rates' },
  { flags: '--insecure', summary: 'allow plain HTTP to a host that is not this machine' },
  { flags: '--debug', summary: 'print each request on stderr, without secrets' },
];

export interface Globals {
  output: OutputFormat | undefined;
  fields: string[] | undefined;
  query: string | undefined;
  profile: string | undefined;
  yes: boolean;
  live: string | undefined;
  input: boolean;
  reveal: boolean;
  fresh: boolean;
  insecure: boolean;
  debug: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;
const on = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== '0' && value !== 'false';

export function readGlobals({ flags }: Input, env: Env): Globals {
  const text = (name: string): string | undefined =>
    typeof flags[name] === 'string' ? (flags[name] as string) : undefined;
  const output = text('output') ?? (env.REMIT_OUTPUT || undefined);
  if (output !== undefined && !outputFormats.includes(output as OutputFormat)) {
    throw usage(`there is no output format "${output}"`, `choose one of ${outputFormats.join(', ')}`);
  }
  return {
    output: output as OutputFormat | undefined,
    fields: text('fields')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    query: text('query'),
    profile: text('profile'),
    yes: flags.yes === true,
    live: text('live'),
    input: flags.input !== false && !on(env.REMIT_NO_INPUT),
    reveal: flags.reveal === true,
    fresh: flags.fresh === true,
    insecure: flags.insecure === true,
    debug: flags.debug === true || on(env.REMIT_DEBUG),
  };
}
