/** `remit-cli/sandbox` as a partner's test suite uses it: the built package, loaded by name from a folder of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/cli/library/sandbox.ts';
import type { Delivery, Sandbox } from '../../src/cli/library/sandbox-types.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { secondClient } from '../support/second-client.ts';

const root = join(import.meta.dirname, '..', '..');

const payment = (external_id: string, bank_account = '0123456700') => ({
  transaction: {
    external_id,
    input_currency: 'EUR',
    sender: samplePerson,
    recipients: [
      {
        type: 'person',
        requested_amount: '10',
        requested_currency: 'EUR',
        payout_method: {
          type: 'NGN::Bank',
          details: { first_name: 'Chidi', last_name: 'Eze', bank_code: '044', bank_account },
        },
      },
    ],
  },
});

const partner = (sandbox: Sandbox, fetch: (request: Request) => Promise<Response> = sandbox.fetch) =>
  secondClient(fetch, sandbox.url, sandbox);

describe('inside a test suite', () => {
  it('is the service in memory, on a clock that stands, with webhooks as calls', async () => {
    const deliveries: Delivery[] = [];
    const sandbox = await startSandbox({ onWebhook: (delivery) => void deliveries.push(delivery) });
    const { call } = partner(sandbox);
    expect((await call('POST', '/transactions/create_and_fund', payment('a', '0123456719'))).status).toBe(
      201,
    );
    await sandbox.settle();
    expect(deliveries.map(({ event }) => event)).toContain('recipient.error');
    await sandbox.advance(25 * 3_600_000);
    const { body } = await call('GET', '/transactions?external_id=a');
    expect(body.object[0].state).toBe('refunded');
    sandbox.audit();
    await sandbox.close();
  });

  it('has every control, and says what was wrong', async () => {
    const sandbox = await startSandbox({ settings: { kyc: 'operator' }, balances: { EUR: '5.00' } });
    const { call } = partner(sandbox);
    await sandbox.control('sandbox.faults.arm', { body: { fault: 'response-lost', times: 1 } });
    await expect(call('GET', '/accounts/EUR')).rejects.toThrow('fetch failed');
    expect((await call('GET', '/accounts/EUR')).text).toContain('"amount":5');
    await expect(sandbox.control('sandbox.clock.set', { body: { now: '1999-01-01' } })).rejects.toThrow(
      'time does not run backwards',
    );
    await expect(sandbox.control('sandbox.explain', { id: 'nothing' })).rejects.toThrow(
      'nothing with the id',
    );
    await expect(startSandbox({ settings: { colour: 'red' } })).rejects.toThrow('there is no setting colour');
    await expect(startSandbox({ webhook: 'nowhere' })).rejects.toThrow('neither a URL nor a port');
    await sandbox.close();
  });

  it('opens a port, and delivers to an endpoint of this machine', async () => {
    const events: string[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      events.push(JSON.parse(text).event);
      response.end();
    });
    await new Promise<void>((opened) => server.listen(0, '127.0.0.1', opened));
    const sandbox = await startSandbox({ port: 0, webhook: (server.address() as AddressInfo).port });
    const { call } = partner(sandbox, (request) => fetch(request));
    expect((await call('POST', '/transactions/create_and_fund', payment('a'))).status).toBe(201);
    await sandbox.settle();
    expect(events).toContain('transaction.paid_out');
    const snapshot = sandbox.snapshot();
    sandbox.reset();
    expect((await call('GET', '/transactions')).body.object).toEqual([]);
    sandbox.restore(snapshot);
    expect((await call('GET', '/transactions')).body.object).toHaveLength(1);
    expect(() => sandbox.restore(new Uint8Array([1, 2]))).toThrow('no snapshot');
    await sandbox.close();
    await new Promise((closed) => server.close(closed));
  });
});

describe('the package', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'remit-library-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'remit-cli'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const program = `
    const sandbox = await startSandbox();
    await sandbox.control('sandbox.seed', { body: {} });
    console.log(Object.keys((await sandbox.control('sandbox.state')).states.transactions).length > 2);
    await sandbox.close();`;

  it.each([
    ['main.mjs', `import { startSandbox } from 'remit-cli/sandbox';${program}`],
    ['main.cjs', `const { startSandbox } = require('remit-cli/sandbox');(async () => {${program}})();`],
  ])('is loaded by name: %s', (file, text) => {
    writeFileSync(join(folder, file), text);
    const out = execFileSync(process.execPath, ['--preserve-symlinks', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(out).toBe('true\n');
  });

  it('has types that a partner’s compiler takes', () => {
    writeFileSync(
      join(folder, 'main.mts'),
      `import { startSandbox, type Sandbox } from 'remit-cli/sandbox';
       const sandbox: Sandbox = await startSandbox({ port: 0, clock: 'running' });
       const url: string = sandbox.env.REMIT_BASE_URL;
       // @ts-expect-error there is no such clock
       await startSandbox({ clock: 'backwards' });
       await sandbox.close(); url.trim();`,
    );
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['main.mts'] }),
    );
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
  });
});
