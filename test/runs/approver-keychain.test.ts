/** Secrets in the keychain of the system: the key of an approver, and the secret of a profile. Through a real D-Bus and the native module. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { passphraseFile } from '../support/approvers.ts';
import { senderFlags } from '../support/cli.ts';
import { isKeychainHere, type Keychain, startKeychain } from '../support/keychain.ts';
import { useKillStage } from '../support/kill-stage.ts';
import { isLong } from '../support/long.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { startRemit } from '../support/program.ts';

const stage = useKillStage();

describe.runIf(isKeychainHere())('with a keychain', () => {
  let keychain: Keychain;
  beforeEach(async () => {
    keychain = await startKeychain();
    return () => keychain.stop();
  });

  /** A settings folder that somebody names holds everything: here none is named. */
  async function remit(argv: readonly string[], env: Record<string, string> = {}) {
    const home = { HOME: stage.dir, XDG_CONFIG_HOME: stage.dir, REMIT_PROFILE: 'acme' };
    const program = startRemit(argv, { ...home, ...keychain.env, ...env });
    const { code } = await program.ended;
    const data = () => JSON.parse(program.stdout()).data;
    return { code, stdout: program.stdout(), stderr: program.stderr(), data };
  }
  async function well(...argv: string[]) {
    const made = await remit(argv);
    expect(made.code, `${argv.join(' ')}: ${made.stderr}`).toBe(0);
    return made;
  }
  const fileOf = (name: string): string =>
    readFileSync(join(stage.dir, 'remit', 'approvers', `${name}.json`), 'utf8');

  it('the private key of an approver is there, and nowhere else; no passphrase is asked for', async () => {
    const made = await well('approver', 'create', 'grace', '-o', 'json');
    expect(made.data()).toMatchObject({ name: 'grace', kept_in: 'keychain' });
    expect(Object.keys(JSON.parse(fileOf('grace')))).toEqual(['version', 'name', 'algorithm', 'public_key']);
    expect(made.stdout + made.stderr + fileOf('grace')).not.toContain('PRIVATE');
  });

  it.runIf(isLong)('a run is signed and paid out of it; once it is gone nothing is', async () => {
    const url = `http://127.0.0.1:${stage.port}/v1`;
    const secret = join(stage.dir, 'secret.txt');
    const { REMIT_CONFIG_DIR: _, ...variables } = stage.env(stage.port);
    const account = ['--base-url', url, '--key', variables.REMIT_API_KEY ?? ''];
    writeFileSync(secret, variables.REMIT_API_SECRET ?? '', { mode: 0o600 });
    await well('login', '--profile', 'acme', '--environment', 'sandbox', ...account, '--secret-file', secret);
    expect((await well('whoami')).stdout).toContain("the system's keychain");
    const { fingerprint } = (await well('approver', 'create', 'grace', '-o', 'json')).data();
    const lines = join(stage.dir, 'approvers.txt');
    writeFileSync(lines, (await well('approver', 'export', 'grace')).stdout);
    await well('profiles', 'set', 'acme', `approvers=${lines}`, '--fingerprint', fingerprint);
    await well('sender', 'create', ...senderFlags('customer-1'));
    const rows = join(stage.dir, 'wages.csv');
    writeFileSync(rows, fileOfRows(2));
    const limit = ['--max-input', 'EUR=9', '-o', 'json'];
    const { digest } = (await well('batch', 'plan', rows, '--name', 'wages', ...limit)).data();
    const approve = ['batch', 'approve', 'wages', '--digest', digest];
    expect((await well(...approve)).stderr).toContain('grace signed it');
    // Without the keychain neither of the two is had.
    const away = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(stage.dir, 'none')}` };
    const none = await remit(['batch', 'run', 'wages'], away);
    expect([none.code, none.stderr]).toEqual([
      78,
      expect.stringContaining('is not in the keychain any more'),
    ]);
    const unsigned = await remit(approve, { ...away, ...variables, REMIT_PROFILE: '' });
    expect([unsigned.code, unsigned.stderr]).toEqual([78, expect.stringContaining('is not in the keychain')]);
    expect(stage.count()).toBe(0);
    await well('batch', 'run', 'wages', '--yes');
    expect(stage.count()).toBe(2);
  });

  it.runIf(isLong)(
    'where it does not answer, the key is in a file with a passphrase, and that is said',
    async () => {
      const away = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(stage.dir, 'none')}` };
      const bare = await remit(['approver', 'create', 'grace'], away);
      expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('the passphrase is missing')]);
      const file = passphraseFile(stage.dir);
      const made = await remit(['approver', 'create', 'grace', '-o', 'json'], {
        ...away,
        REMIT_APPROVER_PASSPHRASE_FILE: file,
      });
      expect([made.code, made.data().kept_in]).toEqual([0, 'file']);
      expect(fileOf('grace')).toContain('"private_key"');
    },
  );
});
