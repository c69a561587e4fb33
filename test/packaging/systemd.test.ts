/**
 * The units: what systemd says of them, and each service run for real behind the mounts and system calls that it asks for. Where systemd,
 * bwrap or python3-seccomp is missing these tests are skipped and printed so; with REMIT_REQUIRE_SYSTEMD=1, as in CI, they fail.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCommands } from '../../src/program/help/describe.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { wrongIn } from '../support/documented.ts';
import { bodyOf, deliverTo, startHandler } from '../support/listening.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { type Program, runRemit } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  canRun,
  type Machine,
  newMachine,
  settingOf,
  startUnit,
  typedLine,
  UNITS,
  unitNames,
} from '../support/units.ts';

const isRequired = process.env.REMIT_REQUIRE_SYSTEMD === '1';
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
const services = unitNames.filter((name) => name.endsWith('.service'));
const commands = await describeCommands();

it('the units are these, and each timer has its service', () => {
  expect(unitNames).toEqual([
    'remit-books.service',
    'remit-books.timer',
    'remit-doctor.service',
    'remit-doctor.timer',
    'remit-listener.service',
    'remit-worker@.service',
  ]);
});

it.each(services)('%s starts a command line that the program knows', (name) => {
  expect(wrongIn(typedLine(name), commands)).toEqual([]);
  expect(settingOf(name, 'ExecStart')).not.toMatch(/secret/i);
});

it.each(services)('%s has MemoryDenyWriteExecute off, and says why', (name) => {
  const text = readFileSync(join(UNITS, name), 'utf8');
  expect(text).not.toMatch(/^MemoryDenyWriteExecute/m);
  expect(text).toMatch(/^# MemoryDenyWriteExecute stays off: V8/m);
  for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'StateDirectory=remit'])
    expect(text.split('\n')).toContain(line);
});

describe.skipIf(!isRequired && !hasSystemd)('systemd', () => {
  it('verifies all units', () => {
    const root = temporaryFolder();
    for (const path of ['usr/local/bin', 'bin', 'etc/systemd/system'])
      mkdirSync(join(root, path), { recursive: true });
    for (const path of ['usr/local/bin/remit', 'bin/sh']) {
      copyFileSync('/bin/true', join(root, path));
      chmodSync(join(root, path), 0o755);
    }
    cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true });
    cpSync(UNITS, join(root, 'etc/systemd/system'), { recursive: true });
    const named = unitNames.map((name) => name.replace('@.', '@acme.'));
    const verify = () =>
      spawnSync('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...named], { encoding: 'utf8' });
    const ours = (text: string): string[] => text.split('\n').filter((line) => line.includes('remit'));
    const { stderr, status } = verify();
    expect(ours(stderr)).toEqual([]);
    expect(status).toBe(0);
    const broken = join(root, 'etc/systemd/system/remit-books.timer');
    writeFileSync(broken, readFileSync(broken, 'utf8').replace('hourly', 'sometimes'));
    expect(ours(verify().stderr).join('\n')).toContain('sometimes');
  });

  it.each(services)('%s is exposed by 1.5 at most', (name) => {
    const looked = (threshold: number) =>
      spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', `--threshold=${threshold}`, join(UNITS, name)],
        { encoding: 'utf8' },
      );
    expect(looked(15).status, looked(15).stdout).toBe(0);
    expect(looked(10).status).not.toBe(0);
  });
});

describe.skipIf(!isRequired && !canRun)('each service, behind its mounts', () => {
  const database = usePostgres();
  let service: Service;
  let machine: Machine;
  const running: Program[] = [];
  const admin = (...argv: string[]) => runRemit(argv, { REMIT_CONFIG_DIR: machine.etc });
  beforeAll(async () => {
    service = await startService();
    machine = newMachine();
    const secret = join(machine.etc, 'secret.txt');
    writeFileSync(secret, credentials.secret, { mode: 0o600 });
    writeFileSync(join(machine.etc, 'store-password'), database().password, { mode: 0o600 });
    const account = ['--base-url', service.url, '--key', credentials.key, '--secret-file', secret];
    const made = await admin('login', '--profile', 'acme', ...account);
    expect(made.code, made.stderr).toBe(0);
    await admin('sender', 'create', ...senderFlags('customer-1'));
  });
  afterAll(async () => {
    for (const one of running) one.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await service.close();
  });
  const start: typeof startUnit = async (...given) => {
    const started = await startUnit(...given);
    running.push(started.program);
    return started;
  };

  it('the listener keeps a signed delivery, and ends on SIGTERM', async () => {
    const handler = await startHandler();
    const env = { WEBHOOK_PORT: '0', FLAGS: `--forward-to ${handler.to} -o ndjson` };
    const { program, signal } = await start(machine, 'remit-listener.service', { env });
    const { port } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
    const url = `http://127.0.0.1:${port}/`;
    const answer = await deliverTo(url, bodyOf('o-1'), { url, by: credentials });
    expect(answer.status).toBe(200);
    await handler.got.count(1);
    signal('SIGTERM');
    expect(await program.ended, program.stderr()).toEqual({ code: 0, signal: null });
    await handler.close();
    const kept = await runRemit(['webhooks', 'events', '-o', 'json'], {
      REMIT_CONFIG_DIR: machine.etc,
      REMIT_STORE: join(machine.state, 'remit.db'),
    });
    expect(JSON.parse(kept.stdout).data, kept.stderr).toMatchObject([{ object_id: 'o-1' }]);
  });

  it('the worker pays an approved run, and ends on SIGTERM', async () => {
    const wages = join(temporaryFolder(), 'wages.csv');
    writeFileSync(wages, fileOfRows(2));
    const store = ['--store', database().url.replace(`:${database().password}@`, '@')];
    store.push('--store-password-file', join(machine.etc, 'store-password'));
    const planned = await admin(
      ...['batch', 'plan', wages, '--name', 'wages', '--max-input', 'EUR=1000', '-o', 'json', ...store],
    );
    expect(planned.code, planned.stderr).toBe(0);
    const { digest } = JSON.parse(planned.stdout).data;
    const approved = await admin('batch', 'approve', 'wages', '--digest', digest, '--yes', ...store);
    expect(approved.code, approved.stderr).toBe(0);
    const env = { STORE: store[1] ?? '', FLAGS: '-o ndjson' };
    const { program, signal } = await start(machine, 'remit-worker@.service', { instance: 'acme', env });
    await program.line((line) => line.includes('"kind":"payrun"'));
    signal('SIGTERM');
    expect(await program.ended, program.stderr()).toEqual({ code: 0, signal: null });
    const { stdout } = await admin('tx', 'list', '-o', 'json');
    expect(JSON.parse(stdout).data).toHaveLength(2);
  });

  it.each(['remit-books.service', 'remit-doctor.service'])('%s ends with 0', async (name) => {
    const { program } = await start(machine, name);
    const { code } = await program.ended;
    expect(code, program.stdout() + program.stderr()).toBe(0);
  });

  it('can write its state, and nowhere else', async () => {
    const env = { REMIT_STORE: '/usr/remit.db' };
    const { program } = await start(machine, 'remit-books.service', { env });
    expect((await program.ended).code, program.stderr()).not.toBe(0);
    expect(program.stderr()).toMatch(/read-only|EROFS/i);
    const elsewhere = { REMIT_STORE: 'postgres://remit@localhost/remit' };
    await expect(startUnit(machine, 'remit-books.service', { env: elsewhere })).rejects.toThrow(
      'REMIT_STORE must be a file here',
    );
  });
});
