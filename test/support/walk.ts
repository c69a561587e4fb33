/** A walk through every command of the tree, and what must never be, whatever the form: a secret shown, a write without a line that says where it goes. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyBodyDigest } from '../../src/contract/signed-text.ts';
import type { Effect } from '../../src/core/effect.ts';
import type { WireRequest } from '../../src/core/transport.ts';
import { typedTarget } from '../../src/integration/cli/api/target.ts';
import { controlToken, credentials, type Run, type RunOptions } from './cli.ts';
import { type Stage, setStage } from './stage.ts';
import { type Stop, tour } from './tour.ts';

export const stops = Object.entries(tour);

export const effectOf = ({ method, url }: WireRequest): Effect => {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  return typedTarget([method, path]).operation?.effect ?? (method === 'GET' ? 'read' : 'money');
};
const isControl = ({ url }: WireRequest): boolean => url.includes('/_sandbox');
/** It asks for the address of a report: a read by POST, and no operation of the catalogue. */
const isReport = ({ url }: WireRequest): boolean => url.endsWith('/authenticated_url');
/** Whether a request may change something. */
export const isWrite = (request: WireRequest): boolean =>
  !isControl(request) && !isReport(request) && effectOf(request) !== 'read';

/** Everything that a run wrote to stderr before each write left. */
let saidBefore: string[] = [];

export let stage: Stage;

export async function open(): Promise<void> {
  stage = await setStage();
}
export const close = (): Promise<void> => stage.bench.close();

/** Ctrl-C at once, for those that would go on for ever. */
const interrupted = (): AbortSignal => {
  const abort = new AbortController();
  setImmediate(() => abort.abort('SIGINT'));
  return abort.signal;
};

export function go(words: string, stop: Stop, argv: string[], options: RunOptions = {}): Promise<Run> {
  const env = { HOME: stage.bench.dir, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
  return stage.bench.run([...words.split(' '), ...argv], {
    env: { ...env, ...options.env },
    ...(stop.stdin === undefined ? {} : { stdin: stop.stdin }),
    ...(stop.endless ? { interrupt: interrupted() } : {}),
    ...options,
    onRequest(request, stderr) {
      if (isWrite(request)) saidBefore.push(stderr);
      options.onRequest?.(request, stderr);
    },
  });
}

/** `--` ends the flags. */
export function withFlags(argv: string[], ...flags: string[]): string[] {
  const end = argv.indexOf('--');
  return end < 0 ? [...argv, ...flags] : [...argv.slice(0, end), ...flags, ...argv.slice(end)];
}

/** Found in no output, whatever the form. */
export function allowed(run: Run, words: string): void {
  for (const [name, text] of Object.entries({ stdout: run.stdout, stderr: run.stderr })) {
    expect(text, `${words}: secret in ${name}`).not.toContain(credentials.secret);
    expect(text, `${words}: control token in ${name}`).not.toContain(controlToken);
    // The digest of no bytes is no secret: everybody's request without a body has it.
    expect(text.replaceAll(emptyBodyDigest, ''), `${words}: signature in ${name}`).not.toMatch(
      /(?<![0-9a-f])[0-9a-f]{128}(?![0-9a-f])/,
    );
  }
  const heard = saidBefore;
  saidBefore = [];
  for (const said of heard)
    expect(said, `${words}: a write without a context line`).toMatch(/^sandbox · \S+ · key …7f3c$/m);
}

/** As the tour says, and with nothing in it that may never be printed. */
export function ended(run: Run, words: string, stop: Stop): void {
  expect(`${words}: ${run.code} ${run.code === (stop.code ?? 0) ? '' : run.stderr}`).toBe(
    `${words}: ${stop.code ?? 0} `,
  );
  allowed(run, words);
}

/** Tests that go through every command of the tree with these flags. */
export function walkThrough(form: string, flags: string[], options: RunOptions): void {
  describe(form, () => {
    beforeAll(open);
    afterAll(close);

    it.each(stops)('%s', async (words, stop) => {
      const run = await go(words, stop, withFlags(stop.good(stage.ids), ...flags), options);
      ended(run, words, stop);
      if (flags.includes('json') && !stop.raw) {
        for (const line of run.stdout.trim().split('\n').filter(Boolean))
          expect(JSON.parse(line), words).toMatchObject({ version: 1, kind: expect.any(String) });
      }
      if (options.tty) {
        for (const line of run.stdout.split('\n')) expect(line).not.toMatch(/\u001b/);
      } else expect(run.stdout, words).not.toMatch(/\u001b/);
    });
  });
}
