/** `remit-cli/sandbox` as a partner's test suite uses it: the built package, loaded by name from a folder of its own. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultNames } from '../../src/contract/controls/faults.ts';
import { type ControlBodyOf, type ControlId, controlIds } from '../../src/contract/controls/index.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type {
  ControlBodies,
  ControlName,
  Delivery,
  Sandbox,
  SandboxFault,
  SandboxSettings,
} from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { defaultSettings } from '../../src/sandbox/settings.ts';
import { isLong } from '../support/long.ts';
import { compiled, partnerFolder } from '../support/partner-folder.ts';
import { paymentBody } from '../support/sandbox.ts';
import { secondClient } from '../support/second-client.ts';
import { portOf } from '../support/servers.ts';

const payment = (externalId: string, account?: string) =>
  paymentBody(externalId, account, { sender: samplePerson });

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
    await sandbox.drain();
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
    await expect(startSandbox({ webhook: 'nowhere' })).rejects.toThrow('neither a URL nor a port');
    await sandbox.close();
  });

  it.each<[string, unknown, string]>([
    [
      'an option that there is not',
      { nonsense: 1 },
      'nonsense is no option of a sandbox: it takes port, seed',
    ],
    ['a setting that there is not', { settings: { kyk: 'x' } }, 'there is no setting kyk: kyc'],
    ['a setting that cannot be', { settings: { kyc: 'x' } }, 'kyc is waived, operator or documents'],
    ['settings that are none', { settings: null }, 'settings must be an object'],
    ['a port that is none', { port: 70_000 }, 'port must be a port from 0 to 65535'],
    ['a clock that there is not', { clock: 'backwards' }, 'clock must be standing or running'],
    ['a start that is no time', { start: Number.NaN }, 'start must be milliseconds'],
    ['a seed that is none', { seed: {} }, 'seed must be a text or a number'],
    ['hosts that are no list', { deliverTo: 'example.com' }, 'deliverTo must be a list of hosts'],
    ['a listener that is none', { onWebhook: 'x' }, 'onWebhook must be a function'],
    ['a balance in no currency', { balances: { EURO: '1' } }, 'there is no currency EURO'],
    ['a balance below nothing', { balances: { EUR: '-1' } }, 'the balance in EUR is no amount'],
    ['a balance that is too fine', { balances: { EUR: '1.001' } }, 'the balance in EUR is no amount'],
    ['options that are none', 'x', 'the options of a sandbox must be an object'],
    ['options that are null', null, 'the options of a sandbox must be an object'],
    ['a seed that is no number', { seed: Number.NaN }, 'seed must be a text or a number'],
    ['a port below nothing', { port: -1 }, 'port must be a port from 0 to 65535'],
  ])('refuses %s', async (_, options, why) => {
    await expect(startSandbox(options as object)).rejects.toThrow(why);
  });

  it.each<[string, string, unknown, string]>([
    ['a control that there is not', 'sandbox.nope', {}, 'there is no control sandbox.nope: sandbox.state'],
    ['a member that there is not', 'sandbox.reset', { path: 'x' }, 'sandbox.reset takes no path'],
    ['a missing id', 'sandbox.explain', {}, 'sandbox.explain needs an id'],
    ['an id too many', 'sandbox.reset', { id: 'x' }, 'sandbox.reset takes no id'],
    ['a body too many', 'sandbox.reset', { body: {} }, 'sandbox.reset takes no body'],
    ['a body that is none', 'sandbox.seed', { body: [] }, 'the body of sandbox.seed is an object'],
    ['an unknown member of a body', 'sandbox.seed', { body: { times: 2 } }, 'times'],
    ['a setting that there is not', 'sandbox.settings.change', { body: { kyk: 'x' } }, 'no setting kyk'],
    ['bytes too many', 'sandbox.seed', { bytes: new Uint8Array() }, 'sandbox.seed takes no bytes'],
    ['what is no object', 'sandbox.seed', 'x', 'sandbox.seed takes an object'],
  ])('refuses %s', async (_, name, asked, why) => {
    const sandbox = await startSandbox();
    await expect(sandbox.control(name as 'sandbox.state', asked as object)).rejects.toThrow(why);
    await sandbox.close();
  });

  it('its types name every control, and the settings that there are', async () => {
    const sandbox = await startSandbox();
    const bodies = (body: ControlBodyOf): Omit<ControlBodies, 'sandbox.settings.change'> => body;
    const back = (body: ControlBodies): Omit<ControlBodyOf, 'sandbox.settings.change'> => body;
    const faults: readonly SandboxFault[] = faultNames;
    expect([bodies, back, faults.length]).toHaveLength(3);
    const typed: readonly ControlName[] = controlIds;
    const known: readonly ControlId[] = typed;
    expect(known.length).toBeGreaterThan(20);
    const settings: Required<SandboxSettings> = { ...defaultSettings };
    expect(await sandbox.control('sandbox.settings.show')).toEqual(settings);
    const bytes = (await sandbox.control('sandbox.snapshot')) as Uint8Array;
    await sandbox.control('sandbox.restore', { bytes });
    await sandbox.close();
  });

  it('opens a port, and delivers to an endpoint of this machine', async () => {
    const events: string[] = [];
    const server = createServer(async (request, response) => {
      events.push(JSON.parse(await text(request)).event);
      response.end();
    });
    const sandbox = await startSandbox({ port: 0, webhook: await portOf(server) });
    const { call } = partner(sandbox, (request) => fetch(request));
    expect((await call('POST', '/transactions/create_and_fund', payment('a'))).status).toBe(201);
    await sandbox.drain();
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
    folder = partnerFolder();
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

  it.runIf(isLong)('has types that a partner’s compiler takes', () => {
    writeFileSync(
      join(folder, 'main.mts'),
      `import { startSandbox, type Sandbox } from 'remit-cli/sandbox';
       const sandbox: Sandbox = await startSandbox({ port: 0, clock: 'running' });
       const url: string = sandbox.env.REMIT_BASE_URL;
       // @ts-expect-error there is no such clock
       await startSandbox({ clock: 'backwards' });
       // @ts-expect-error there is no such setting
       await startSandbox({ settings: { kyk: 'x' } });
       // @ts-expect-error a setting has its values
       await startSandbox({ settings: { kyc: 'x' } });
       // @ts-expect-error there is no such option
       await startSandbox({ nonsense: 1 });
       // @ts-expect-error there is no such control
       await sandbox.control('sandbox.nope');
       // @ts-expect-error a control takes no such thing
       await sandbox.control('sandbox.explain', { path: 'x' });
       await sandbox.control('sandbox.explain', { id: 'x' });
       // @ts-expect-error there is no such fault
       await sandbox.control('sandbox.faults.arm', { body: { fault: 'bad-weather' } });
       // @ts-expect-error a decision has its values
       await sandbox.control('sandbox.senders.decide', { id: 'x', body: { decision: 'maybe' } });
       // @ts-expect-error a control without a body takes none
       await sandbox.control('sandbox.reset', { body: { all: true } });
       const bytes: Uint8Array = await sandbox.control('sandbox.snapshot');
       await sandbox.control('sandbox.restore', { bytes });
       (await sandbox.control('sandbox.settings.change', { body: { kyc: 'operator' } })).partner_path.trim();
       await sandbox.close(); url.trim();`,
    );
    expect(compiled(folder, { types: [] })).toBe('');
  });
});
