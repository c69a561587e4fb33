/**
 * What `--admin` answers, read as those who watch read it: Debian's prometheus, its promtool, and python3-prometheus-client for OpenMetrics.
 * Where they are missing those tests are skipped; with REMIT_REQUIRE_PROMETHEUS=1, as in CI, they fail.
 */
import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Program } from './program.ts';

const PYTHON = '/usr/bin/python3';
const PARSER = 'prometheus_client.openmetrics.parser';

export const hasPrometheus =
  process.env.REMIT_REQUIRE_PROMETHEUS === '1' ||
  (['/usr/bin/prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0) &&
    spawnSync(PYTHON, ['-c', `import ${PARSER}`]).status === 0);
if (!hasPrometheus)
  process.stdout.write('SKIPPED: prometheus, promtool and python3-prometheus-client are not all here\n');

export const OPENMETRICS = { accept: 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3' };

/** What promtool complains about: empty where the text is right. */
export function complaintsOf(metrics: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metrics,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${status} ${stdout}${stderr}`;
}

/** Names and types as the parser of OpenMetrics reads them. @throws with its complaint */
export function readOpenMetrics(metrics: string): Record<string, string> {
  const script = `import json, sys
from ${PARSER} import text_string_to_metric_families as families
print(json.dumps({one.name: one.type for one in families(sys.stdin.read())}))`;
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', script], { input: metrics, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Values by name and labels, as they are written. */
export const seriesOf = (metrics: string): Map<string, number> =>
  new Map(
    metrics
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Asks with any method and any Host. */
export const ask = (url: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
  new Promise<Answered>((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((read) => resolve({ status, headers, text: read }), reject);
    });
    sent.on('error', reject).end();
  });

/** The address that a program says it answers at. */
export async function adminOf(program: Program): Promise<string> {
  await program.says('/metrics');
  return /figures at (http:\S+)\/metrics/.exec(program.stderr())?.[1] ?? '';
}

export const metricsOf = async (admin: string) => seriesOf((await ask(`${admin}/metrics`)).text);

/** Asks until it is so. */
export async function untilAnswers(url: string, fits: (answer: Answered) => boolean): Promise<Answered> {
  for (;;) {
    const answer = await ask(url);
    if (fits(answer)) return answer;
  }
}
