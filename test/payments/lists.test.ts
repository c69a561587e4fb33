/** Long lists: printed as they come, sifted here where the service has no filter, at the pace of whoever reads. */
import { randomUUID } from 'node:crypto';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { WireRequest, WireResponse } from '../../src/core/transport.ts';
import { buildStreams } from '../../src/frame/terminal/streams.ts';
import { main } from '../../src/program/main.ts';
import {
  baseUrl,
  createBench,
  credentials,
  installation,
  payArgv,
  type Run,
  senderFlags,
  useBench,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';

/** CSV has two columns that only the books could fill. */
const NO_BOOKS =
  'paid_at, refunded_at, margin and margin_amount are empty: there are no books of this account. Make them: remit books sync\n';
const bench = useBench();

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const row = (number: number) => ({
  id: idOf(number),
  external_id: `payment-${number}`,
  state: number % 10 === 0 ? 'manual' : 'paid',
  input_currency: number % 2 === 0 ? 'EUR' : 'USD',
  input_amount: `${number}.50`,
  created_at: `2026-11-${String(1 + (number % 20)).padStart(2, '0')}T23:30:00Z`,
});

/** So many transactions; `shift` says by how many the list has moved on when a page is asked for. */
function answer(count: number, shift: (page: number) => number = () => 0) {
  return async ({ url }: Pick<WireRequest, 'url'>): Promise<WireResponse> => {
    const query = new URL(url).searchParams;
    const [page, per] = [Number(query.get('page') ?? 1), Number(query.get('per') ?? 10)];
    const first = (page - 1) * per - shift(page);
    const object = Array.from({ length: per }, (_, index) => first + index)
      .filter((number) => number < count)
      .map((number) => row(number));
    const next = first + per < count ? page + 1 : null;
    const pagination = { current_page: page, next_page: next, total_count: count };
    return { status: 200, headers: {}, body: JSON.stringify({ object, meta: { pagination } }) };
  };
}
const serve = (count: number, shift?: (page: number) => number): void => {
  bench.intercept(answer(count, shift));
};
const lines = (run: Run): string[] => run.stdout.split('\n').slice(0, -1);

describe('--all', () => {
  it.each(['ndjson', 'text', 'csv'])('prints every record once, a line each, as %s', async (format) => {
    serve(1_234);
    const run = await bench.run(['tx', 'list', '--all', '-o', format]);
    expect(run.code).toBe(0);
    expect(lines(run)).toHaveLength(format === 'csv' ? 1_235 : 1_234);
    expect(run.requests).toHaveLength(13);
    expect(run.stderr).toBe(format === 'csv' ? NO_BOOKS : '');
  });

  it('as JSON and YAML is one document', async () => {
    serve(250);
    expect((await bench.run(['tx', 'list', '--all', '-o', 'json'])).data<unknown[]>()).toHaveLength(250);
    const { parse } = await import('yaml');
    expect(parse((await bench.run(['tx', 'list', '--all', '-o', 'yaml'])).stdout).data).toHaveLength(250);
  });

  it('leaves out what a list that grows meanwhile repeats', async () => {
    serve(1_000, (page) => (page - 1) * 7);
    const run = await bench.run(['tx', 'list', '--all', '-o', 'text', '--fields', 'id']);
    expect(new Set(lines(run)).size).toBe(lines(run).length);
    expect(lines(run)).toHaveLength(1_000);
  });

  it('--query sees all of it, --fields picks from each', async () => {
    serve(150);
    expect((await bench.run(['tx', 'list', '--all', '--query', 'length(@)', '-o', 'json'])).stdout).toBe(
      '150\n',
    );
    expect(lines(await bench.run(['tx', 'list', '--all', '--fields', 'external_id']))[149]).toBe(
      'payment-149',
    );
    expect((await bench.run(['tx', 'list', '--all', '--fields', 'nope'])).code).toBe(2);
  });

  it('--query of each record by itself goes through any number, page by page', async () => {
    const first = answer(60_000);
    // What was found before a failure is printed already: nothing waited for the end.
    bench.intercept(async (request) =>
      request.url.endsWith('page=4') ? { status: 500, headers: {}, body: '{}' } : first(request),
    );
    const query = "[?state=='manual'].external_id";
    const run = await bench.run(['tx', 'list', '--all', '-o', 'text', '--query', query]);
    expect([run.code, lines(run).length]).toEqual([75, 30]);
  });

  it('--query of the whole list has a limit, known from the first page, and says what has none', async () => {
    serve(25_001);
    const run = await bench.run(['tx', 'list', '--all', '-o', 'json', '--query', 'length(@)']);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.requests.length).toBeLessThan(3);
    expect(run.error()).toMatchObject({
      message: '--query needs every record at once here, and there are more than 25,000',
      hint: expect.stringContaining('[*].id'),
    });
  });

  it('of an empty list says so on a terminal, and nothing to a pipe', async () => {
    serve(0);
    expect((await bench.run(['tx', 'list', '--all'], { tty: true })).stdout).toBe('no transactions\n');
    expect((await bench.run(['tx', 'list', '--all'])).stdout).toBe('');
    expect((await bench.run(['tx', 'list', '--all', '-o', 'csv'])).stdout).toMatch(/^id,external_id,.*\n$/);
  });

  it('that breaks half way ends with the error’s code, and what came before it stands', async () => {
    const good = answer(1_000);
    bench.intercept(async (request) =>
      request.url.includes('page=3') ? { status: 500, headers: {}, body: '{}' } : good(request),
    );
    const run = await bench.run(['tx', 'list', '--all', '-o', 'ndjson']);
    expect(run.code).toBe(75);
    expect(lines(run)).toHaveLength(200);
  });
});

describe('a limit', () => {
  it('asks for no page that it does not need', async () => {
    serve(1_000);
    const screen = await bench.run(['tx', 'list'], { tty: true });
    expect(screen.requests.map(({ query }) => query)).toEqual(['?per=20&page=1']);
    const run = await bench.run(['tx', 'list', '--limit', '250', '-o', 'ndjson']);
    expect(lines(run)).toHaveLength(250);
    expect(run.requests).toHaveLength(3);
  });
});

describe('what nobody limited', () => {
  const formats = [['text'], ['csv'], ['ndjson'], ['json'], ['yaml']];
  it.each(formats)('is whole in a pipe, as %s', async (format) => {
    serve(250);
    const run = await bench.run(['tx', 'list', '-o', format]);
    expect(new Set(run.stdout.match(/payment-\d+/g)).size).toBe(250);
    expect(run.stderr).toBe(format === 'csv' ? NO_BOOKS : '');
  });

  it.each(formats)('is whole on a terminal too, as %s', async (format) => {
    serve(250);
    const run = await bench.run(['tx', 'list', '-o', format], { tty: true });
    expect(new Set(run.stdout.match(/payment-\d+/g)).size).toBe(250);
  });

  it('is a screenful in a table on a terminal, which says how many more there are and how to get them', async () => {
    serve(3_400);
    const run = await bench.run(['tx', 'list'], { tty: true, columns: 120 });
    expect(lines(run)).toHaveLength(21);
    expect(run.stderr).toContain('20 of 3,400 transactions. --limit 100 shows more, --all shows every one.');
    serve(20);
    expect((await bench.run(['tx', 'list'], { tty: true, columns: 120 })).stderr).not.toContain('--limit');
  });

  it('--query adds up all of it, on a terminal too', async () => {
    serve(250);
    const run = await bench.run(['tx', 'list', '--query', 'length(@)'], { tty: true });
    expect(run.stdout.trim()).toBe('250');
  });

  it.each([
    [[], { complete: true, looked_at: 250, total: 250 }],
    [['--limit', '20'], { complete: false, looked_at: 20, total: 250 }],
    [['--state', 'manual'], { complete: true, looked_at: 250, total: 250 }],
    [['--state', 'manual', '--limit', '2'], { complete: false, looked_at: 11, total: 250 }],
  ])('JSON and YAML say how much of it is there: %j', async (flags, meta) => {
    serve(250);
    const { parse } = await import('yaml');
    const json = await bench.run(['tx', 'list', ...flags, '-o', 'json']);
    expect(JSON.parse(json.stdout).meta).toEqual(meta);
    expect(parse((await bench.run(['tx', 'list', ...flags, '-o', 'yaml'])).stdout).meta).toEqual(meta);
  });
});

describe('every list with more than it shows', () => {
  const lists = [
    ['tx list', 'transactions'],
    ['recipient list', 'recipients'],
    ['sender list', 'senders'],
    ['payout-method list', 'payout methods'],
    ['document list', 'documents'],
    ['webhooks list', 'webhooks'],
    ['logs api', 'requests'],
    ['logs webhooks', 'deliveries'],
  ] as const;

  it.each(lists)('%s is a screenful on a terminal, and whole in a pipe', async (words, what) => {
    serve(57);
    const screen = await bench.run(words.split(' '), { tty: true, columns: 140 });
    expect([screen.code, lines(screen).length]).toEqual([0, 21]);
    expect(screen.stderr).toContain(`20 of 57 ${what}. --limit 100 shows more, --all shows every one.`);
    const all = await bench.run([...words.split(' '), '--all'], { tty: true, columns: 140 });
    expect([lines(all).length, all.stderr.includes('--all')]).toEqual([58, false]);
    const pipe = await bench.run(words.split(' '));
    expect([lines(pipe).length, pipe.stderr]).toEqual([57, '']);
  });

  it('one record of several is named as one', async () => {
    serve(1);
    const run = await bench.run(['logs', 'webhooks', '--event', 'recipient.error']);
    expect(run.stderr).toBe('No match among the 1 delivery searched.\n');
    expect((await bench.run(['tx', 'list', '--state', 'manual'])).stderr).toBe(
      'The one transaction searched matches.\n',
    );
  });
});

describe('a filter that the service has not', () => {
  it('says how many were looked at', async () => {
    serve(340);
    const run = await bench.run(['tx', 'list', '--state', 'manual', '--all']);
    expect(lines(run)).toHaveLength(34);
    expect(run.stderr).toBe('34 of the 340 transactions searched match.\n');
  });

  it('stops where enough were found, and says how far it came', async () => {
    serve(5_000);
    const run = await bench.run(['tx', 'list', '--state', 'manual', '--limit', '15']);
    expect(lines(run)).toHaveLength(15);
    expect(run.stderr).toBe(
      '15 matches among the first 141 of 5,000 transactions. --limit 100 shows more, --all shows every one.\n',
    );
    expect(run.requests).toHaveLength(2);
  });

  it('on a terminal stops after 2,000, and says how to go on', async () => {
    serve(5_000);
    const run = await bench.run(['tx', 'list', '--state', 'exception'], { tty: true, columns: 100 });
    expect(run.requests).toHaveLength(20);
    expect(run.stderr).toBe(
      'No match among the first 2,000 of 5,000 transactions. --all searches every one.\n',
    );
  });

  it.each([
    [
      ['--currency', 'eur', '--amount-from', '10', '--amount-to', '20.50'],
      [10, 12, 14, 16, 18, 20],
    ],
    [['--since', '2026-11-19', '--until', '2026-11-19'], [18]],
    [['--since', '2026-11-20', '--currency', 'USD'], [19]],
    [
      ['--until', '2026-11-01', '--state', 'manual'],
      [0, 20],
    ],
  ])('%j leaves what fits', async (flags, numbers) => {
    serve(25);
    const run = await bench.run(['tx', 'list', ...flags, '--fields', 'external_id']);
    expect(lines(run)).toEqual(numbers.map((number) => `payment-${number}`));
  });

  it.each([
    [['--amount-from', '5']],
    [['--currency', 'EUR', '--amount-to', '1e3']],
    [['--since', 'tomorrow']],
    [['--state', 'happy']],
    [['--limit', '0']],
    [['-o', 'json', '--spreadsheet']],
  ])('%j is a usage error, and nothing is sent', async (flags) => {
    const run = await bench.run(['tx', 'list', ...flags]);
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });

  it('since a moment or so long ago: the service has days, the rest is decided here and said', async () => {
    const bench = await createBench();
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    for (const name of ['wages-1', 'wages-2']) {
      await bench.run(payArgv('0123456719', '--external-id', name));
      await bench.run(['sandbox', 'clock', 'advance', '2h']);
    }
    const list = async (...words: string[]) => {
      const { stdout, stderr, requests } = await bench.run([...words, '-o', 'text', '--fields', 'id']);
      const asked = requests.find(({ path }) => /transactions|recipients|senders/.test(path));
      return { rows: stdout.split('\n').length - 1, stderr, query: asked?.query ?? '' };
    };
    for (const [since, rows] of [
      ['3h', 1],
      ['5h', 2],
      ['2026-01-05T10:00:00Z', 1],
      ['2026-01-05', 2],
      ['1m', 0],
    ] as const)
      for (const words of [
        ['recipient', 'list'],
        ['tx', 'list'],
        ['recipient', 'triage'],
      ])
        expect((await list(...words, '--since', since)).rows, `${words} ${since}`).toBe(rows);
    const found = await list('recipient', 'list', '--since', '3h', '--until', '1m');
    expect(found).toMatchObject({
      rows: 1,
      stderr: '1 of the 2 recipients searched matches.\n',
    });
    expect(found.query).toContain('created_at_from=2026-01-05');
    await bench.close();
  });

  it.each([['list'], ['triage']])(
    'recipient %s --currency that finds nothing says which currency is meant',
    async (verb) => {
      const own = await createBench();
      const run = await own.run(['recipient', verb, '--currency', 'ngn', '-o', 'json']);
      expect([run.code, run.stderr.includes('the currency that is paid in, here NGN')]).toEqual([0, true]);
      await own.close();
    },
  );

  it('of recipients and senders is told as well', async () => {
    expect((await bench.run(['recipient', 'list', '--type', 'NGN::Bank'])).stderr).toContain(
      'No match among the 0 recipients searched.',
    );
    expect((await bench.run(['sender', 'list', '--name', 'obi'])).stderr).toContain(
      'No match among the 0 senders searched.',
    );
  });
});

describe('whoever reads', () => {
  /** A run of its own, whose output nobody takes until `read` is called. */
  function slow(pagesAsked: { count: number }, interrupt = new AbortController()) {
    const held: ((error?: Error) => void)[] = [];
    let reads = false;
    let taken = 0;
    const stdout = new Writable({
      highWaterMark: 1_000,
      write(chunk, _encoding, done) {
        taken += chunk.length;
        if (reads) setImmediate(done);
        else held.push(done);
      },
    });
    const take = (error?: Error): void => {
      reads = true;
      for (const done of held.splice(0)) done(error);
    };
    const stderr = new PassThrough();
    const respond = answer(100_000);
    const ended = main(['tx', 'list', '--all', '-o', 'ndjson'], {
      installation,
      env: {
        REMIT_BASE_URL: baseUrl,
        REMIT_API_KEY: credentials.key,
        REMIT_API_SECRET: credentials.secret,
        REMIT_CONFIG_DIR: bench.dir,
      },
      streams: buildStreams({
        stdin: Readable.from([]),
        stdout,
        stderr,
        stdinIsTerminal: false,
        stdoutIsTerminal: false,
        stderrIsTerminal: false,
        columns: 80,
        env: {},
      }),
      clock: machine,
      random: seededRandom('slow'),
      nonce: randomUUID,
      newId: randomUUID,
      sleep: machine.sleep,
      cwd: bench.dir,
      pid: 1,
      version: '0',
      interrupt: interrupt.signal,
      transport: async (request) => {
        pagesAsked.count += 1;
        return respond(request);
      },
    });
    return { stdout, stderr, ended, interrupt, take, taken: () => taken };
  }
  const turns = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('and takes nothing holds the reading back', async () => {
    const asked = { count: 0 };
    const { stdout, ended, take, taken } = slow(asked);
    await turns(200);
    expect(asked.count).toBeLessThanOrEqual(4);
    expect(stdout.writableLength + taken()).toBeLessThan(100_000);
    take();
    expect(await ended).toBe(0);
    expect(asked.count).toBe(1_000);
  });

  it('and goes away ends it quietly, as | head does', async () => {
    const asked = { count: 0 };
    const { stderr, ended, take } = slow(asked);
    await turns(50);
    take(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await ended).toBe(0);
    expect(asked.count).toBeLessThan(10);
    expect(stderr.read()).toBeNull();
  });

  it('and presses Ctrl-C ends it with 130', async () => {
    const asked = { count: 0 };
    const { ended, interrupt, take } = slow(asked);
    await turns(50);
    interrupt.abort('SIGINT');
    take();
    expect(await ended).toBe(130);
    expect(asked.count).toBeLessThan(10);
  });
});
