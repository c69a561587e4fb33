/** What was not read is never shown as empty: with nothing read, the error is printed, and that is the end. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { portOf, shut } from '../support/servers.ts';
import { type Service, startService, variablesFor } from '../support/service.ts';
import { openTerminal } from '../support/terminal.ts';

let service: Service;
let failing: Server;
let environments: Record<string, { env: Record<string, string>; code: number; says: string }>;

beforeAll(async () => {
  service = await startService();
  failing = createServer((_, response) => response.writeHead(404).end('{}'));
  const port = await portOf(failing);
  const { dir } = service;
  const at = (url: string, key = credentials.key) => variablesFor({ url }, dir, { ...credentials, key });
  environments = {
    'no profile': { env: { REMIT_CONFIG_DIR: dir }, code: 78, says: 'no profile yet' },
    'a dead URL': { env: at('http://127.0.0.1:1/v1'), code: 75, says: 'connection refused' },
    'a wrong key': { env: at(service.url, 'key_wrong'), code: 4, says: 'did not accept' },
    'another service': {
      env: at(`http://127.0.0.1:${port}/v1`),
      code: 6,
      says: 'has nothing at this address',
    },
  };
});
afterAll(async () => {
  await shut(failing);
  await service.close();
});

const EMPTY = /no recipient needs anyone|nothing found|\b0, all looked at|no .* yet\b(?!:)|is empty/;
const names = ['no profile', 'a dead URL', 'a wrong key', 'another service'];
const lists = [
  'recipient triage',
  'recipient list',
  'tx list',
  'sender list',
  'payout-method list',
  'document list',
  'webhooks list',
  'logs api',
  'logs webhooks',
  'logs tail',
  'balance',
  'balance --watch --count 1',
  'currencies',
];

describe.each(names)('%s', (name) => {
  it.each(some(lists, 1))(
    'remit %s: on a terminal the cause and its exit code, and nothing empty',
    async (words) => {
      const { env, code, says } = environments[name] ?? { env: {}, code: -1, says: '' };
      const terminal = openTerminal(words.split(' '), env);
      expect([await terminal.exit, terminal.screen()]).toEqual([code, expect.stringContaining(says)]);
      expect(terminal.screen().replace(says, '')).not.toMatch(EMPTY);
    },
  );

  it.each(some(['json', 'csv', 'yaml', 'ndjson', 'text'], 1))(
    '-o %s writes nothing to standard output',
    async (format) => {
      const { env, code } = environments[name] ?? { env: {}, code: -1 };
      for (const words of some(['tx list', 'recipient triage'], 1)) {
        const run = await runRemit([...words.split(' '), '-o', format], env);
        expect([run.code, run.stdout]).toEqual([code, '']);
      }
    },
  );
});
