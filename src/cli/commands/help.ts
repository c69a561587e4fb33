/** Help on a command by its words, and on what holds for all of them. */
import { command, result } from '../command.ts';
import { exitCodeMeanings } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import type { View } from '../view.ts';

export { help as command };

interface Row {
  name: string;
  meaning: string;
}

const view: View<Row> = {
  kind: 'help',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'meaning', get: (row) => row.meaning },
  ],
};

const topics: Readonly<Record<string, readonly Row[]>> = {
  'exit-codes': exitCodeMeanings.map(([code, meaning]) => ({ name: String(code), meaning })),
  environment: [
    {
      name: 'REMIT_BASE_URL',
      meaning: 'where the service is; together with the next two enough for any command',
    },
    { name: 'REMIT_API_KEY', meaning: 'the API key' },
    { name: 'REMIT_API_SECRET', meaning: 'the API secret' },
    { name: 'REMIT_PROFILE', meaning: 'which profile to use, where none of the three is set' },
    { name: 'REMIT_OUTPUT', meaning: 'as --output' },
    { name: 'REMIT_NO_INPUT', meaning: 'as --no-input' },
    { name: 'REMIT_DEBUG', meaning: 'as --debug' },
    { name: 'REMIT_CONFIG_DIR', meaning: 'the folder of settings, secrets and journal' },
    { name: 'REMIT_PUBLIC_URL', meaning: 'the URL that the service knows for webhooks listen and verify' },
    { name: 'REMIT_STORE', meaning: 'the file of the journal, of ids seen and of webhooks received' },
    { name: 'HTTPS_PROXY, NO_PROXY', meaning: 'honoured; this machine is never reached through a proxy' },
    { name: 'NO_COLOR, FORCE_COLOR, CLICOLOR', meaning: 'honoured' },
  ],
  output: [
    { name: 'table', meaning: 'the default on a terminal' },
    { name: 'text', meaning: 'the default without one: a line per record, tab-separated, no heading' },
    { name: 'json', meaning: '{"version":1,"kind":…,"data":…}; amounts are decimal strings' },
    { name: 'ndjson', meaning: 'the same, a line per record' },
    { name: 'csv', meaning: 'with a heading; what a spreadsheet would run is escaped' },
    { name: 'yaml', meaning: 'as json' },
    { name: '--fields a,b.c', meaning: 'only these members' },
    { name: '--query EXPRESSION', meaning: 'JMESPath over `data`, not over what stands around it' },
  ],
};

const help = command<{ topic: string }>({
  description: `Topics: ${Object.keys(topics).join(', ')}. For a command: remit COMMAND --help.`,
  args: [{ name: 'TOPIC', summary: Object.keys(topics).join(', '), optional: true }],
  examples: ['remit help exit-codes', 'remit tx create --help'],
  read: (input) => ({ topic: input.args.join(' ') }),
  async run(_context, { topic }) {
    const rows = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
    if (rows === undefined) {
      throw usage(
        topic === '' ? 'which topic?' : `there is no topic "${topic}"`,
        `topics: ${Object.keys(topics).join(', ')}; for a command: remit COMMAND --help`,
      );
    }
    return result(view, rows);
  },
});
