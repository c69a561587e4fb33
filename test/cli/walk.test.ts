/**
 * Every command of the tree in five forms: terminal, pipe, JSON, no input, and wrong. And a list of what must never be, looked
 * for in all of them: a secret shown, a write without a line that says where it goes, a failed write that ends with 0, a
 * question where nobody can answer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOf } from '../../src/cli/api/target.ts';
import { leaves } from '../../src/cli/tree.ts';
import type { Effect } from '../../src/contract/operations/operation.ts';
import type { WireRequest } from '../../src/core/ports/transport.ts';
import { answering, controlToken, credentials, lost, type Run, type RunOptions } from '../support/cli.ts';
import { type Stage, setStage } from '../support/stage.ts';
import { type Stop, tour } from '../support/tour.ts';

const stops = Object.entries(tour);

it('every command of the tree has a stop, and every stop a command', () => {
  expect(Object.keys(tour).sort()).toEqual(leaves.map(({ words }) => words).sort());
});

const effectOf = ({ method, url }: WireRequest): Effect => {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  return targetOf([method, path]).operation?.effect ?? (method === 'GET' ? 'read' : 'money');
};
const isControl = ({ url }: WireRequest): boolean => url.includes('/_sandbox');
/** It asks for the address of a report: a read by POST, and no operation of the catalogue. */
const isReport = ({ url }: WireRequest): boolean => url.endsWith('/authenticated_url');
const isWrite = (request: WireRequest): boolean =>
  !isControl(request) && !isReport(request) && effectOf(request) !== 'read';

let stage: Stage;
/** Everything that a run wrote to stderr before its first write left. */
let saidBefore: string[] = [];

async function open(): Promise<void> {
  stage = await setStage();
}
const close = (): Promise<void> => stage.bench.close();

/** Ctrl-C at once, for those that would go on for ever. */
const interrupted = (): AbortSignal => {
  const abort = new AbortController();
  setImmediate(() => abort.abort('SIGINT'));
  return abort.signal;
};

function go(words: string, stop: Stop, argv: string[], options: RunOptions = {}): Promise<Run> {
  const env = { HOME: stage.bench.dir, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
  return stage.bench.run([...words.split(' '), ...argv], {
    env: { ...env, ...options.env },
    ...(stop.stdin === undefined ? {} : { stdin: stop.stdin }),
    ...(stop.endless ? { interrupt: interrupted() } : {}),
    ...options,
  });
}

/** `--` ends the flags. */
function withFlags(argv: string[], ...flags: string[]): string[] {
  const end = argv.indexOf('--');
  return end < 0 ? [...argv, ...flags] : [...argv.slice(0, end), ...flags, ...argv.slice(end)];
}

/** Found in no output, whatever the form. */
function allowed(run: Run, words: string): void {
  for (const [name, text] of Object.entries({ stdout: run.stdout, stderr: run.stderr })) {
    expect(text, `${words}: secret in ${name}`).not.toContain(credentials.secret);
    expect(text, `${words}: control token in ${name}`).not.toContain(controlToken);
    expect(text, `${words}: signature in ${name}`).not.toMatch(/(?<![0-9a-f])[0-9a-f]{128}(?![0-9a-f])/);
  }
  for (const said of saidBefore)
    expect(said, `${words}: a write without a context line`).toMatch(/^sandbox · \S+ · key …7f3c$/m);
  saidBefore = [];
}

const forms: readonly (readonly [string, string[], RunOptions])[] = [
  ['on a terminal', ['--yes'], { tty: true, columns: 80 }],
  ['in a pipe', ['--yes'], {}],
  ['as JSON', ['--yes', '-o', 'json'], {}],
  ['on a terminal without input', ['--yes', '--no-input'], { tty: true, columns: 80 }],
];

describe.each(forms)('%s', (form, flags, options) => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)('%s', async (words, stop) => {
    const run = await go(words, stop, withFlags(stop.good(stage.ids), ...flags), options);
    expect(`${words}: ${run.code} ${run.code === (stop.code ?? 0) ? '' : run.stderr}`).toBe(
      `${words}: ${stop.code ?? 0} `,
    );
    allowed(run, words);
    if (form === 'as JSON' && !stop.raw) {
      for (const line of run.stdout.trim().split('\n').filter(Boolean))
        expect(JSON.parse(line), words).toMatchObject({ version: 1, kind: expect.any(String) });
    }
    if (options.tty) {
      for (const line of run.stdout.split('\n')) expect(line).not.toMatch(/\u001b/);
    } else expect(run.stdout, words).not.toMatch(/\u001b/);
  });
});

describe('wrong', () => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)(
    '%s says what is wrong, as text and as JSON, on stderr alone, and writes nothing',
    async (words, stop) => {
      for (const flags of [[], ['-o', 'json']]) {
        const run = await go(words, stop, withFlags(stop.wrong, ...flags));
        expect(run.code, `${words} ${stop.wrong.join(' ')}`).not.toBe(0);
        expect(run.stdout, words).toBe('');
        allowed(run, words);
        if (flags.length === 0) expect(run.stderr, words).toMatch(/^remit: \S/m);
        else {
          const error = run.error();
          expect(error, words).toMatchObject({ code: expect.any(String), category: expect.any(String) });
          expect(error.message.length, words).toBeGreaterThan(5);
        }
      }
    },
  );
});

/** Without them it would go on for ever, or there is nothing to run. */
const NEEDS_FLAGS = new Set(['sandbox exec', 'logs tail']);

describe('without a terminal nothing asks', () => {
  beforeAll(open);
  afterAll(close);

  it.each(stops)('%s', async (words, stop) => {
    const required = stop
      .good(stage.ids)
      .filter((arg, index, all) => !arg.startsWith('-') && !all[index - 1]?.startsWith('-'));
    const run = await go(
      words,
      { ...stop, stdin: '' },
      NEEDS_FLAGS.has(words) ? stop.good(stage.ids) : required,
    );
    allowed(run, words);
    expect(run.stderr, words).not.toMatch(/^\? /m);
    expect(run.stderr, words).not.toMatch(/\u001b/);
  });
});

describe('a write that fails ends with the code of its outcome, never with 0', () => {
  beforeAll(open);
  afterAll(close);

  const wrote = new Set<string>();
  /** A refusal may be believed (5), or not when a look finds otherwise (9); a loss is never a refusal. */
  const ways = {
    'refused (422)': { fail: answering(422, '{"errors":{"base":["refused"]}}'), codes: [1, 5, 9] },
    'broken (503)': { fail: answering(503), codes: [9] },
    'not readable (200)': { fail: answering(200, '<html>'), codes: [9] },
    lost: { fail: lost, codes: [9] },
  };

  it.each(stops.filter(([, stop]) => !stop.local && !stop.endless))('%s', async (words, stop) => {
    const { bench } = stage;
    try {
      for (const [way, { fail, codes }] of Object.entries(ways)) {
        let writes = 0;
        bench.bend(async (request, next) => {
          if (!isWrite(request)) return next(request);
          writes += 1;
          return fail(request, next);
        });
        const argv = withFlags(stop.good(stage.ids), '--yes');
        const run = await go(words, stop, argv);
        allowed(run, words);
        if (writes === 0) continue;
        wrote.add(words);
        expect(codes, `${words}: ${way}: ${run.stdout}${run.stderr}`).toContain(run.code);
      }
    } finally {
      bench.straighten();
    }
  });

  it('and every command that declares a write was seen to write', async () => {
    const declared: string[] = [];
    for (const { words, load } of leaves) {
      const { effect = 'read' } = await load();
      const stop = tour[words];
      if (effect !== 'read' && stop && !stop.local && !stop.endless) declared.push(words);
    }
    // Controls of a sandbox are no writes of the service; the tour asks these to read.
    // The run of the tour has nothing that is unknown.
    const reads = ['recipient triage', 'batch settle', 'api', 'history'];
    const silent = declared.filter((words) => !wrote.has(words) && !words.startsWith('sandbox '));
    expect(silent).toEqual(reads);
  });
});
