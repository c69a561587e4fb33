/** The alert rules over figures that a real listener and a real worker tell, and a real Prometheus that reads them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedBy, groupedBy, RULE_FILE, rules, selectorOf, tells } from '../support/alert-rules.ts';
import { senderFlags } from '../support/cli.ts';
import { freePort } from '../support/fire-listener.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { credentialsIn, is, parse, useListening } from '../support/listen-runs.ts';
import { bodyOf, deliverTo } from '../support/listening.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { runRemit } from '../support/program.ts';
import { adminOf, hasPrometheus, metricsOf, untilAnswers } from '../support/prometheus.ts';
import { askingFor, startPrometheus } from '../support/prometheus-server.ts';
import { credentials } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';

const ADMIN = ['--admin', '127.0.0.1:0'];
const LISTEN = ['webhooks', 'listen', '--no-register', '--no-catch-up'];
const expressions = rules.map(({ expr }) => expr);

describe('the rules', () => {
  const stage = useKillStage();
  const database = usePostgres();
  const closing = closeAfterEach();

  const arm = (fault: string, more: Record<string, unknown> = {}) =>
    stage.bench.sandbox.control.ask('sandbox.faults.arm', {
      body: { fault, operation: 'transactions.create_and_fund', times: 1, ...more },
    });

  /** One whose outcome is not known meanwhile, one that was answered 503, one that had no answer. */
  async function worker() {
    const env = { ...stage.env(stage.port), REMIT_STORE: database().url };
    await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
    const path = join(stage.dir, 'wages.csv');
    // Near the limit of the run rows wait for those on their way: far from it they do not.
    writeFileSync(path, fileOfRows(40));
    const words = ['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=1000', '-o', 'json'];
    const { digest } = JSON.parse((await runRemit(words, env)).stdout).data;
    await runRemit(['batch', 'approve', 'wages', '--digest', digest], env);
    await arm('5xx', { operation: 'currencies.in' });
    await arm('refused');
    await arm('slow', { delay_ms: 60_000 });
    const program = stage.start(['batch', 'work', ...ADMIN], env);
    closing.push(() => program.process.kill('SIGKILL'));
    const admin = await adminOf(program);
    await stage.until(() => stage.count() >= 30 || hasEnded(program));
    await untilAnswers(`${admin}/metrics`, ({ text }) =>
      ['status_class="none"', 'status_class="5xx"', 'remit_outcomes_unknown_oldest'].every((part) =>
        text.includes(part),
      ),
    );
    return { admin };
  }

  it('ask for names, labels and values that a listener and a worker tell, and for no other', async () => {
    const port = await freePort();
    const listener = stage.start(
      [
        ...LISTEN,
        '--exec',
        'false',
        '--port',
        String(port),
        '--public-url',
        `http://127.0.0.1:${port}/`,
        ...ADMIN,
      ],
      stage.env(stage.port),
    );
    closing.push(() => listener.process.kill('SIGKILL'));
    const admin = await adminOf(listener);
    await listener.says('listening on');
    const url = /listening on (\S+)/.exec(listener.stderr())?.[1] ?? '';
    await deliverTo(url, bodyOf('a'), { url: `${url}/`, by: credentials });
    await deliverTo(url, bodyOf('b'), { url: `${url}/`, by: { ...credentials, secret: 'another' } });
    const paying = await worker();
    await untilAnswers(`${admin}/metrics`, ({ text }) =>
      ['handover_oldest', '\nremit_public_url_reached 1'].every((part) => text.includes(part)),
    );
    const told = [...(await metricsOf(admin)).keys(), ...(await metricsOf(paying.admin)).keys()];
    const asked = askedBy(expressions);
    expect(asked.filter((one) => !tells(told, one)).map(selectorOf)).toEqual([]);
    expect(asked.length).toBeGreaterThan(rules.length);
    expect(groupedBy(expressions)).toEqual([]);
  });

  it('that ask for anything else are found', () => {
    const told = ['remit_ready', 'remit_run_rows{state="unknown"}'];
    const wrong = (text: string) =>
      askedBy([text])
        .filter((one) => !tells(told, one))
        .map(selectorOf);
    expect(wrong('remit_ready == 0 or up{job="remit"} == 0')).toEqual([]);
    expect(wrong('remit_read == 0 and remit_run_rows{state=~"unknown|lost"} > 0')).toEqual([
      'remit_read{}',
      'remit_run_rows{state="lost"}',
    ]);
    expect(groupedBy(['sum without (state) (a) / on (job, host) b'])).toEqual(['state', 'host']);
  });
});

describe.runIf(hasPrometheus)('a Prometheus', () => {
  const { home, remit, sender, sandbox, listen, stop } = useListening();
  const closing = closeAfterEach();

  it('reads a listener in both formats, with the rules, and wakes whoever is to know of a gap', async () => {
    await sandbox();
    const first = await listen();
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    first.program.signal('SIGKILL');
    await first.program.ended;
    await sender('customer-2');
    await remit('sandbox', 'clock', 'advance', '8h');
    const { program, ready } = await listen('--port', new URL(first.ready.url as string).port, ...ADMIN);
    expect(parse(await program.line(is('gap'))).data.recovered).toBe(2);
    const { url = '' } = ready;
    const by = credentialsIn(home.dir);
    await deliverTo(url, bodyOf('a'), { url: `${url}/`, by });
    await deliverTo(url, bodyOf('b'), { url: `${url}/`, by: { ...by, secret: 'another' } });
    const admin = await adminOf(program);
    const plain = await askingFor('text/plain;version=0.0.4', admin);
    const open = await askingFor('application/openmetrics-text;version=1.0.0', admin);
    const prometheus = await startPrometheus({
      targets: { direct: admin, plain: plain.url, open: open.url },
      ruleFile: RULE_FILE,
    });
    closing.push(prometheus.stop, plain.close, open.close);
    const each = (value: number) => ({ direct: value, plain: value, open: value });
    while (Object.keys(await prometheus.valuesOf('up == 1')).length < 3);
    // A scrape that a busy machine gives up leaves a gap until the next one.
    for (const [expression, value] of [
      ['sum by (instance) (remit_deliveries_total{verdict="verified"})', 1],
      ['sum by (instance) (remit_deliveries_total{verdict="invalid"})', 1],
      ['remit_gaps_recovered_total', 2],
      ['remit_ready', 1],
      ['remit_handover_dead', 0],
      ['sum by (instance) (remit_api_requests_total{operation="webhooks.create",status_class="2xx"})', 1],
      ['remit_api_request_duration_seconds_bucket{le="90.0"} > bool 0', 1],
    ] as const)
      await expect.poll(() => prometheus.valuesOf(expression), { message: expression }).toEqual(each(value));
    expect([new Set(plain.types), new Set(open.types)]).toEqual([
      new Set(['text/plain; version=0.0.4; charset=utf-8']),
      new Set(['application/openmetrics-text; version=1.0.0; charset=utf-8']),
    ]);
    const { activeTargets } = await prometheus.ask('targets');
    expect(activeTargets.map(({ health, lastError }) => [health, lastError])).toEqual(
      Array(3).fill(['up', '']),
    );
    const states = async () => {
      const { groups } = await prometheus.ask('rules');
      return groups.flatMap((group) => group.rules);
    };
    while ((await states()).some(({ health }) => health === 'unknown'));
    expect((await states()).map(({ name, health }) => [name, health])).toEqual(
      rules.map(({ alert }) => [alert, 'ok']),
    );
    while (!(await states()).some(({ state }) => state === 'firing'));
    expect((await states()).filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([
      'RemitGapsRecovered',
    ]);
    await stop(program);
  });
});
