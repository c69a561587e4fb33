/** `webhooks test-handler` against real handlers: a good one passes, and each bad one fails where it is bad. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventNames } from '../../src/contract/events.ts';
import { type Bench, createBench, credentials, type Run } from '../support/cli.ts';
import { portOf, shut } from '../support/servers.ts';

interface Arrived {
  request: IncomingMessage;
  body: Buffer;
}
type Handler = (arrived: Arrived, response: ServerResponse) => void;

let bench: Bench;
let key: { key: string; secret: string };
let server: Server | undefined;
beforeAll(async () => {
  bench = await createBench();
  const made = await bench.run('webhooks sign --event sender.created --url http://127.0.0.1:9/');
  expect(made.code).toBe(0);
  const path = join(bench.dir, 'webhook-test-key.json');
  expect(made.stderr).toContain(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  key = JSON.parse(readFileSync(path, 'utf8'));
});
afterEach(async () => {
  if (server) await shut(server);
  server = undefined;
});
afterAll(() => bench.close());

/** Its URL. */
async function serve(handle: Handler): Promise<string> {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => handle({ request, body: Buffer.concat(parts) }, response));
  });
  return `http://127.0.0.1:${await portOf(server)}/hooks?team=a%20b`;
}

/** Reckoned here, without the program. */
function isGenuine({ request }: Arrived, body: Buffer | string, header = plainHeader): boolean {
  const [name, nonce, signature] = ['Key', 'Nonce', 'Signature'].map((each) =>
    header(request, `Authorization-${each}`),
  );
  if (name !== key.key || !nonce || !signature) return false;
  const url = `http://${request.headers.host}${request.url}`;
  const digest = createHash('sha512').update(body).digest('hex');
  const right = createHmac('sha512', key.secret).update(`${nonce}&POST&${url}&${digest}`).digest('hex');
  return signature.length === right.length && timingSafeEqual(Buffer.from(signature), Buffer.from(right));
}

const plainHeader = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : undefined;
};
const exactHeader = (request: IncomingMessage, name: string): string | undefined => {
  const at = request.rawHeaders.indexOf(name);
  return at < 0 ? undefined : request.rawHeaders[at + 1];
};

const end = (response: ServerResponse, status: number): void => {
  response.writeHead(status).end();
};

const good: Handler = (arrived, response) => {
  if (arrived.request.method !== 'POST') return end(response, 405);
  if (!isGenuine(arrived, arrived.body)) return end(response, 401);
  end(response, 200);
};

const test = (to: string, ...rest: string[]): Promise<Run> =>
  bench.run(['webhooks', 'test-handler', '--to', to, '-o', 'json', ...rest]);

interface Row {
  case: string;
  result: string;
  saw: string;
}
const rowsOf = (run: Run): Row[] => run.data<Row[]>();
const failsIn = (run: Run): string[] =>
  rowsOf(run)
    .filter(({ result }) => result === 'fail')
    .map((row) => row.case);

describe('a good handler', () => {
  it('passes everything, and is advised about replays', async () => {
    const run = await test(await serve(good));
    expect(`${run.code} ${failsIn(run)}`).toBe('0 ');
    const rows = rowsOf(run);
    expect(rows).toHaveLength(17);
    expect(rows.filter(({ result }) => result === 'advice').map((row) => row.case)).toEqual([
      'replayed-nonce',
    ]);
    for (const text of [key.secret, credentials.secret]) expect(run.stdout + run.stderr).not.toContain(text);
    expect(run.stdout + run.stderr).not.toMatch(/[0-9a-f]{128}/);
  });

  it('that remembers nonces passes that too', async () => {
    const seen = new Set<string>();
    const to = await serve((arrived, response) => {
      const nonce = plainHeader(arrived.request, 'Authorization-Nonce') ?? '';
      if (isGenuine(arrived, arrived.body) && seen.has(nonce)) return end(response, 409);
      good(arrived, response);
      if (isGenuine(arrived, arrived.body)) seen.add(nonce);
    });
    const run = await test(to);
    expect(rowsOf(run).map(({ result }) => result)).toEqual(Array(17).fill('pass'));
  });

  it('gets objects whose ids nobody can have, in the exact bytes', async () => {
    const ids: string[] = [];
    const to = await serve((arrived, response) => {
      ids.push(JSON.parse(arrived.body.toString()).object.id);
      good(arrived, response);
    });
    const run = await test(to, '--only', 'out-of-order', '--event', 'transaction.paid_out');
    expect(run.code).toBe(0);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^7e57da7a-/);
  });

  it('may be registered under another URL', async () => {
    const to = await serve((arrived, response) => {
      arrived.request.headers.host = 'partner.example';
      good(arrived, response);
    });
    const url = 'http://partner.example/hooks?team=a%20b';
    expect((await test(to, '--url', url, '--only', 'valid')).code).toBe(0);
    const run = await test(to, '--only', 'valid');
    expect(run.code).toBe(10);
    expect(run.stderr).toContain('does your handler have this key and URL?');
  });
});

const asJson = (body: Buffer): { event: string } => JSON.parse(body.toString('utf8'));

const bad: Record<string, { handle: Handler; fails: string[]; flags?: string[] }> = {
  'accepts anything': {
    handle: (_, response) => end(response, 200),
    fails: ['unsigned', 'bad-signature', 'altered-body', 'other-key', 'not-json'],
  },
  'parses before it verifies': {
    handle: (arrived, response) => {
      try {
        if (arrived.request.method === 'POST') asJson(arrived.body);
      } catch {
        return end(response, 500);
      }
      good(arrived, response);
    },
    fails: ['not-json'],
  },
  'breaks on an event it does not know': {
    handle: (arrived, response) => {
      if (!isGenuine(arrived, arrived.body)) return end(response, 401);
      const known = (eventNames as string[]).includes(asJson(arrived.body).event);
      end(response, known ? 200 : 500);
    },
    fails: ['unknown-event'],
  },
  'does not answer in time': {
    handle: (arrived, response) => {
      if (!isGenuine(arrived, arrived.body)) return end(response, 401);
    },
    fails: ['valid', 'unknown-members'],
    flags: ['--timeout', '100ms', '--only', 'valid', '--only', 'unsigned', '--only', 'unknown-members'],
  },
  'verifies what it wrote again': {
    handle: (arrived, response) => {
      try {
        const again = JSON.stringify(asJson(arrived.body));
        end(response, isGenuine(arrived, again) ? 200 : 401);
      } catch {
        end(response, 401);
      }
    },
    fails: ['altered-body', 'raw-bytes'],
  },
  'looks header names up in one spelling': {
    handle: (arrived, response) => end(response, isGenuine(arrived, arrived.body, exactHeader) ? 200 : 401),
    fails: ['header-case'],
  },
  'refuses an event that it has seen': {
    handle: ((): Handler => {
      const seen = new Set<string>();
      return (arrived, response) => {
        if (!isGenuine(arrived, arrived.body)) return end(response, 401);
        const body = arrived.body.toString();
        end(response, seen.has(body) ? 409 : 200);
        seen.add(body);
      };
    })(),
    fails: ['duplicate'],
  },
  'burns an event before it verified it': {
    handle: ((): Handler => {
      const seen = new Set<string>();
      return (arrived, response) => {
        const body = arrived.body.toString();
        const known = seen.has(body);
        seen.add(body);
        end(response, known || !isGenuine(arrived, arrived.body) ? 401 : 200);
      };
    })(),
    fails: ['duplicate', 'repeat-after-failure'],
  },
  'wants things in order': {
    handle: ((): Handler => {
      const pending = new Set<string>();
      return (arrived, response) => {
        if (!isGenuine(arrived, arrived.body)) return end(response, 401);
        const { event, object } = JSON.parse(arrived.body.toString());
        if (event === 'recipient.pending') pending.add(object.id);
        end(response, event === 'recipient.paid_out' && !pending.has(object.id) ? 500 : 200);
      };
    })(),
    fails: ['out-of-order'],
  },
  'knows its members by heart': {
    handle: (arrived, response) => {
      if (!isGenuine(arrived, arrived.body)) return end(response, 401);
      end(response, 'a_new_member' in JSON.parse(arrived.body.toString()).object ? 422 : 200);
    },
    fails: ['unknown-members'],
  },
  redirects: {
    handle: (arrived, response) => {
      if (!isGenuine(arrived, arrived.body)) return end(response, 401);
      response.writeHead(307, { location: '/other' }).end();
    },
    fails: ['valid'],
    flags: ['--only', 'valid', '--only', 'bad-signature'],
  },
};

describe('a bad handler', () => {
  it.each(Object.entries(bad))('that %s', async (_, { handle, fails, flags = [] }) => {
    const run = await test(await serve(handle), ...flags);
    expect(failsIn(run)).toEqual(fails);
    expect(run.code).toBe(10);
  });

  it('that takes no large bodies is advised, not failed', async () => {
    const to = await serve((arrived, response) =>
      arrived.body.length > 100_000 ? end(response, 413) : good(arrived, response),
    );
    const run = await test(to, '--only', 'huge');
    expect(run.code).toBe(0);
    expect(rowsOf(run)).toMatchObject([{ case: 'huge', result: 'advice', saw: '413' }]);
  });
});

describe('a handler that can be asked what it did', () => {
  /** Says how often it acted, where it is asked; acts on what `isNew` says. */
  const counting = (isNew: (arrived: Arrived) => boolean): Handler => {
    let acted = 0;
    return (arrived, response) => {
      if (arrived.request.url === '/handled')
        return response.writeHead(200).end(JSON.stringify({ handled: acted }));
      if (isGenuine(arrived, arrived.body) && isNew(arrived)) acted += 1;
      return good(arrived, response);
    };
  };
  const once = async (isNew: (arrived: Arrived) => boolean): Promise<Run> => {
    const to = await serve(counting(isNew));
    return test(to, '--only', 'acts-once', '--counter', new URL('/handled', to).href);
  };

  it('passes where it acts once', async () => {
    const seen = new Set<string>();
    const run = await once(
      ({ body }) => !seen.has(body.toString()) && seen.add(body.toString()) !== undefined,
    );
    expect([run.code, rowsOf(run)[0]?.saw], run.stderr).toEqual([0, 'acted on once']);
  });

  it('ends with 10 where it acts on each copy, or only knows nonces', async () => {
    const each = await once(() => true);
    expect([each.code, rowsOf(each)[0]?.saw]).toEqual([10, 'sent three times, acted on 3 times']);
    const seen = new Set<string>();
    const byNonce = await once(({ request }) => {
      const nonce = plainHeader(request, 'Authorization-Nonce') ?? '';
      return !seen.has(nonce) && seen.add(nonce) !== undefined;
    });
    expect([byNonce.code, rowsOf(byNonce)[0]?.saw]).toEqual([10, 'sent three times, acted on 2 times']);
  });

  it('and where the counter says no number', async () => {
    const to = await serve(good);
    const run = await test(to, '--only', 'acts-once', '--counter', to);
    expect([run.code, rowsOf(run)[0]?.saw]).toEqual([10, 'the counter answered no number']);
  });
});

describe('the command', () => {
  it('lists its cases, and sends nothing', async () => {
    const run = await bench.run(['webhooks', 'test-handler', '--list', '-o', 'json']);
    expect(run.data<unknown[]>()).toHaveLength(18);
    expect(run.requests).toEqual([]);
  });

  it('says where nobody listens', async () => {
    const to = await serve(good);
    await new Promise((resolve) => server?.close(resolve));
    const run = await test(to);
    expect(run.code).toBe(75);
    expect(run.stderr).toContain('nothing listens there');
    expect(run.stdout).toBe('');
  });

  it('refuses what it cannot do', async () => {
    for (const args of [
      [],
      ['--to', 'nowhere'],
      ['--to', 'ftp://127.0.0.1/'],
      ['--to', 'http://127.0.0.1:9/', '--only', 'frob'],
      ['--to', 'http://127.0.0.1:9/', '--only', 'acts-once'],
      ['--to', 'http://127.0.0.1:9/', '--counter', 'nowhere'],
      ['--to', 'http://127.0.0.1:9/', '--event', 'frob'],
      ['--to', 'http://127.0.0.1:9/', '--event', 'transaction_request.created'],
      ['--to', 'http://127.0.0.1:9/', '--timeout', 'soon'],
    ])
      expect((await bench.run(['webhooks', 'test-handler', ...args])).code, args.join(' ')).toBe(2);
  });

  it('names a host that is not this machine, and signs with the profile only where told to', async () => {
    const to = await serve((arrived, response) => {
      const name = plainHeader(arrived.request, 'Authorization-Key');
      end(response, name === credentials.key ? 200 : 401);
    });
    const run = await test(to, '--as-profile', '--only', 'valid');
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^sandbox · environment · key …7f3c$/m);
    const away = await test('http://hooks.invalid/x', '--only', 'valid', '--timeout', '2s');
    expect(away.stderr).toContain('hooks.invalid, which is not this machine');
  });
});
