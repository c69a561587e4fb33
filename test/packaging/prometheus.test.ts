/**
 * The alert rules, tried by promtool. Where it is missing these tests are skipped and printed so; with REMIT_REQUIRE_PROMTOOL=1, as in
 * CI, they fail.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeCommands } from '../../src/cli/help/describe.ts';
import { temporaryFolder } from '../support/child-program.ts';
import { wrongIn } from '../support/documented.ts';
import { ROOT } from '../support/source-tree.ts';

const folder = join(ROOT, 'packaging/prometheus');
const rules = readFileSync(join(folder, 'remit.rules.yml'), 'utf8');
const tests = readFileSync(join(folder, 'remit.test.yml'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const isThere = spawnSync('promtool', ['--version']).error === undefined;

/** What is wrong with these rules, by their tests; empty where nothing is. */
function failingWith(from: string, to: string): string {
  expect(rules).toContain(from);
  const changed = join(temporaryFolder(), 'rules');
  cpSync(folder, changed, { recursive: true });
  writeFileSync(join(changed, 'remit.rules.yml'), rules.replace(from, to));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'remit.test.yml'], {
    cwd: changed,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

it('each alert names a command that there is', async () => {
  const commands = await describeCommands();
  const lines = [...rules.matchAll(/^ +command: (.*)$/gm)].map(([, line = '']) => line);
  expect(lines).toHaveLength(alerts.length);
  expect(lines.flatMap((line) => wrongIn(line, commands))).toEqual([]);
});

it.each(alerts)('%s fires in a test, and does not in another', (name) => {
  const [, ...cases] = tests.split(`alertname: ${name}\n`);
  const fires = cases.map((one) => /^ +exp_alerts:$/m.test(one.split('alertname')[0] ?? ''));
  expect(new Set(fires)).toEqual(new Set([true, false]));
});

describe.skipIf(process.env.REMIT_REQUIRE_PROMTOOL !== '1' && !isThere)('promtool', () => {
  it('has no complaint about the rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'remit.rules.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(`${alerts.length} rules found`);
  });

  it('sees each alert fire, and not fire', () => {
    expect(failingWith('groups:', 'groups:')).toBe('');
  });

  it.each([
    ['RemitOutcomeUnknown', 'oldest_timestamp_seconds) > 900', 'oldest_timestamp_seconds) > 1000'],
    ['RemitRowsUnknown', '{state="unknown"}) > 0', '{state="unknown"}) > 3'],
    ['RemitRunPaused', 'remit_runs_paused > 0', 'remit_runs_paused > 1'],
    ['RemitDeadLetters', 'remit_handover_dead > 0', 'remit_handover_dead > 4'],
    ['RemitHandoverStuck', 'oldest_timestamp_seconds) > 600', 'oldest_timestamp_seconds) > 700'],
    ['RemitHandoverStuck', 'oldest_timestamp_seconds) > 600', 'oldest_timestamp_seconds) > -1'],
    ['RemitNothingVerified', 'time() - 900', 'time() - 1000'],
    ['RemitNothingVerified', '[15m])) > 5', '[15m])) > 2'],
    ['RemitGapsRecovered', '[1h]) > 0', '[1h]) > 1.1'],
    ['RemitRequestsFail', '> 0.2', '> 0.3'],
    ['RemitRequestsFail', '> 0.2', '> 0.05'],
    ['RemitNotReady', 'remit_ready == 0', 'remit_ready == 1'],
  ])('finds another threshold of %s: %s, %s', (name, from, to) => {
    expect(failingWith(from, to)).toContain(name);
  });
});
