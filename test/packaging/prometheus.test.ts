/** The alert rules, tried by promtool over made-up series. `prometheus-scrape.test.ts` tries them over real ones. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeCommands } from '../../src/program/help/describe.ts';
import { RULE_FILE, RULES, rules } from '../support/alert-rules.ts';
import { wrongIn } from '../support/documented.ts';
import { some } from '../support/long.ts';
import { hasPrometheus } from '../support/prometheus.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const text = readFileSync(RULE_FILE, 'utf8');
const tests = readFileSync(join(RULES, 'remit.test.yml'), 'utf8');
const alerts = rules.map(({ alert }) => alert);

/** What is wrong with these rules, by their tests; empty where nothing is. */
function failingWith(from: string, to: string): string {
  expect(text).toContain(from);
  const changed = join(temporaryFolder(), 'rules');
  cpSync(RULES, changed, { recursive: true });
  writeFileSync(join(changed, 'remit.rules.yml'), text.replace(from, to));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'remit.test.yml'], {
    cwd: changed,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

it('each alert names a command that there is', async () => {
  const commands = await describeCommands();
  expect(rules.flatMap(({ annotations }) => wrongIn(annotations.command, commands))).toEqual([]);
});

it.each(alerts)('%s fires in a test, and does not in another', (name) => {
  const [, ...cases] = tests.split(`alertname: ${name}\n`);
  const fires = cases.map((one) => /^ +exp_alerts:$/m.test(one.split('alertname')[0] ?? ''));
  expect(new Set(fires)).toEqual(new Set([true, false]));
});

describe.runIf(hasPrometheus)('promtool', () => {
  it('has no complaint about the rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'remit.rules.yml'], {
      cwd: RULES,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(`${alerts.length} rules found`);
  });

  it('sees each alert fire, and not fire', () => {
    expect(failingWith('groups:', 'groups:')).toBe('');
  });

  const PLANTED = [
    ['RemitOutcomeUnknown', 'oldest_timestamp_seconds) > 900', 'oldest_timestamp_seconds) > 1000'],
    ['RemitOutcomeUnknown', 'max by (job) (time()', 'sum by (instance) (time()'],
    ['RemitRowsUnknown', '{state="unknown"}) > 0', '{state="unknown"}) > 3'],
    ['RemitRunPaused', 'max by (job) (remit_runs_paused) > 0', 'max by (job) (remit_runs_paused) > 1'],
    ['RemitRunPaused', 'max by (job) (remit_runs_paused)', 'remit_runs_paused'],
    ['RemitDeadLetters', 'remit_handover_dead > 0', 'remit_handover_dead > 4'],
    ['RemitHandoverStuck', 'oldest_timestamp_seconds) > 600', 'oldest_timestamp_seconds) > 700'],
    ['RemitHandoverStuck', 'oldest_timestamp_seconds) > 600', 'oldest_timestamp_seconds) > -1'],
    ['RemitNothingVerified', 'time() - 900', 'time() - 1000'],
    ['RemitNothingVerified', '[15m])) > 5', '[15m])) > 2'],
    ['RemitGapsRecovered', '[1h]) > 0', '[1h]) > 1.1'],
    ['RemitGapsRecovered', 'or remit_gaps_recovered_total > 0', 'or remit_gaps_recovered_total > 2'],
    ['RemitGapsRecovered', 'start_time_seconds < 3600', 'start_time_seconds < 360000'],
    ['RemitRequestsFail', '> 0.2', '> 0.3'],
    ['RemitRequestsFail', '> 0.2', '> 0.05'],
    ['RemitUrlLost', 'max by (job) (remit_public', 'min by (job) (remit_public'],
    ['RemitNotReady', 'remit_ready == 0', 'remit_ready == 1'],
  ] as const;
  it.each(some(PLANTED, 6))('finds another threshold of %s: %s, %s', (name, from, to) => {
    expect(failingWith(from, to)).toContain(name);
  });
});
