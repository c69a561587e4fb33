/** A Prometheus of Debian on loopback that reads the figures of this machine, and its HTTP API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { portOf, shut } from './servers.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROGRAM = '/usr/bin/prometheus';

interface Sample {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

interface Answers {
  query: { result: Sample[] };
  targets: { activeTargets: { labels: Record<string, string>; health: string; lastError: string }[] };
  rules: { groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[] };
  metadata: Record<string, { type: string; help: string }[]>;
}

export interface Prometheus {
  ask<Path extends keyof Answers>(path: Path, query?: string): Promise<Answers[Path]>;
  /** The values of an expression, by the instance that told them. */
  valuesOf(expression: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

interface Reading {
  /** The instances that it reads, each once a second: a name for each, and its address. */
  targets: Readonly<Record<string, string>>;
  ruleFile: string;
}

export async function startPrometheus({ targets, ruleFile }: Reading): Promise<Prometheus> {
  const folder = temporaryFolder();
  const config = join(folder, 'prometheus.json');
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [ruleFile],
      scrape_configs: [
        {
          job_name: 'remit',
          static_configs: Object.entries(targets).map(([instance, url]) => ({
            targets: [new URL(url).host],
            labels: { instance },
          })),
        },
      ],
    }),
  );
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH ?? '' } },
  );
  const url = await addressOf(child);
  while (!(await fetch(`${url}/-/ready`)).ok);
  const ask = async <Path extends keyof Answers>(path: Path, query = ''): Promise<Answers[Path]> => {
    const search = query === '' ? '' : `?query=${encodeURIComponent(query)}`;
    const response = await fetch(`${url}/api/v1/${path}${search}`);
    const body = (await response.json()) as { status: string; data: Answers[Path]; error?: string };
    if (body.status !== 'success') throw new Error(`${path} ${query}: ${body.error}`);
    return body.data;
  };
  return {
    ask,
    async valuesOf(expression) {
      const { result } = await ask('query', expression);
      return Object.fromEntries(
        result.map(({ metric, value }) => [metric.instance ?? '', Number(value[1])] as const),
      );
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its log says the port that it took. @throws with its log, where it ends */
function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk) => {
      said += String(chunk);
      const host = /msg="Listening on" address=(\S+)/.exec(said)?.[1];
      if (host !== undefined) resolve(`http://${host}`);
    });
    stderr?.on('end', () => reject(new Error(said)));
  });
}

/** Stands before a server and asks it for this format alone: Prometheus before 2.49 cannot be told which it asks for. */
export async function askingFor(accept: string, of: string) {
  const types: (string | undefined)[] = [];
  const server = createServer((asked, response) => {
    const sent = request(`${of}${asked.url}`, { agent: false, headers: { accept } }, (answer) => {
      types.push(answer.headers['content-type']);
      text(answer).then(
        (body) =>
          response
            .writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] })
            .end(body),
        () => response.destroy(),
      );
    });
    sent.on('error', () => response.destroy()).end();
  });
  const port = await portOf(server);
  return { url: `http://127.0.0.1:${port}`, types, close: () => shut(server) };
}
