/** What the library throws: exported classes with typed words for programs, and sentences that know no command line. */
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import * as edge from '../../src/library/edge.ts';
import * as doubles from '../../src/library/sandbox.ts';
import * as webhooks from '../../src/library/webhooks.ts';
import type * as Hooks from '../../src/library/webhooks-types.ts';
import type { ControlError, OptionError as OptionOfSandbox, Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { intentOf } from '../support/library-intent.ts';
import { credentials } from '../support/listening.ts';
import { paymentBody } from '../support/sandbox.ts';
import { importsOf, reach, sources } from '../support/source-tree.ts';
import { temporaryStorePath } from '../support/stores.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await doubles.startSandbox();
});
afterAll(() => sandbox.close());

const clientWith = (over: Partial<Public.PartnerClientOptions>) =>
  library.createPartnerClient({
    baseUrl: 'https://api.example.com/v1',
    key: 'k',
    secret: 's',
    intents: library.memoryIntents(),
    ...over,
  });

describe('plain HTTP to another host', () => {
  const baseUrl = 'http://sandbox.internal:4010/v1';

  it('is taken with both options, and sent there', async () => {
    const urls: string[] = [];
    const fetch = async ({ url }: Request) => {
      urls.push(url);
      return Response.json({ object: [] });
    };
    const client = clientWith({ baseUrl, insecure: true, environment: 'sandbox', fetch: fetch as never });
    expect(await client.accounts.list()).toEqual([]);
    expect([client.baseUrl, urls]).toEqual([baseUrl, [`${baseUrl}/accounts`]]);
  });

  it.each<Partial<Public.PartnerClientOptions>>([
    {},
    { insecure: true },
    { environment: 'sandbox' },
    { insecure: false, environment: 'sandbox' },
    { insecure: true, environment: 'production' },
    { insecure: true, environment: undefined },
  ])('is refused with %j, with a word about both', (over) => {
    const making = () => clientWith({ baseUrl, ...over });
    expect(making).toThrow(expect.objectContaining({ code: 'insecure', option: 'baseUrl' }));
    expect(making).toThrow(
      'plain HTTP to a host that is not this machine: use https://, or, for a sandbox alone,',
    );
    expect(making).toThrow("give both insecure: true and environment: 'sandbox'");
  });

  it('never takes the secret itself', () => {
    const both = { baseUrl, insecure: true, environment: 'sandbox', scheme: 'secret' } as const;
    expect(() => clientWith(both)).toThrow('needs TLS or this machine');
  });

  it('makes nothing else right', () => {
    const both = { insecure: true, environment: 'sandbox' } as const;
    expect(() => clientWith({ ...both, baseUrl: 'ftp://a.example/v1' })).toThrow(
      expect.objectContaining({ code: 'invalid', option: 'baseUrl' }),
    );
    expect(clientWith({ insecure: true }).baseUrl).toBe('https://api.example.com/v1');
  });
});

/** What a partner's compiler is told of a class is what the class is. */
type Told<Real extends abstract new (...given: never[]) => unknown, Said> =
  InstanceType<Real> extends Said ? true : never;

type AllTold = [
  Told<typeof doubles.ControlError, ControlError>,
  Told<typeof doubles.OptionError, Omit<OptionOfSandbox, 'code'>>,
  Told<typeof library.OptionError, Public.OptionError>,
  Told<typeof library.IntentError, Public.IntentError>,
  Told<typeof library.StoreError, Public.StoreError>,
  Told<typeof library.PathError, Public.PathError>,
  Told<typeof library.RequestError, Public.RequestError>,
  Told<typeof library.CheckError, Public.CheckError>,
  Told<typeof library.NotReadyError, Public.NotReadyError>,
  Told<typeof library.NetworkError, Public.NetworkError>,
  Told<typeof library.UnreadableAnswerError, Public.UnreadableAnswerError>,
  Told<typeof library.Contradiction, Public.Contradiction>,
  Told<typeof webhooks.DeliveryError, Hooks.DeliveryError>,
  Told<typeof webhooks.StoreError, Hooks.StoreError>,
];

describe('an error is of an exported class, with a word for programs', () => {
  const { CheckError, IntentError, OptionError, PathError, RequestError, StoreError } = library;
  it('as the types say', () => {
    const told: AllTold = [
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ];
    expect(told.every(Boolean)).toBe(true);
  });

  const hook = { ...credentials, url: 'https://a.example/hook', headers: {}, body: '{}' };

  it.each<[string, new (...given: never[]) => Error, object, () => unknown]>([
    [
      'an option that there is not',
      OptionError,
      { code: 'unknown', option: 'colour' },
      () => clientWith({ colour: 1 } as never),
    ],
    ['no secret', OptionError, { code: 'missing', option: 'secret' }, () => clientWith({ secret: '' })],
    [
      'no base URL',
      OptionError,
      { code: 'missing', option: 'baseUrl' },
      () => clientWith({ baseUrl: undefined as never }),
    ],
    [
      'a base URL without version',
      OptionError,
      { code: 'invalid', option: 'baseUrl' },
      () => clientWith({ baseUrl: 'https://a.example' }),
    ],
    [
      'no journal',
      OptionError,
      { code: 'missing', option: 'intents' },
      () => clientWith({ intents: undefined as never }),
    ],
    [
      'an option of a call',
      OptionError,
      { code: 'invalid', option: 'timeoutMs' },
      () => clientWith({}).accounts.list({ timeoutMs: -1 }),
    ],
    [
      'a table that is none',
      OptionError,
      { code: 'invalid', option: 'table' },
      () => library.postgresIntents({} as never, { table: 'a b' }),
    ],
    ['an id that leads elsewhere', PathError, { kind: 'path' }, () => clientWith({}).senders.get('..')],
    ['an edit of nothing', RequestError, { kind: 'request' }, () => clientWith({}).senders.edit('a', {})],
    [
      'an account that cannot be one',
      CheckError,
      { kind: 'check', code: 'wrong_account', operation: 'payout_methods.create' },
      () => clientWith({}).payoutMethods.create({ type: 'NGN::Bank', details: { bank_account: '1' } }),
    ],
    [
      'an intent that there is not',
      IntentError,
      { code: 'not_found', id: 'x' },
      () => clientWith({}).settle('x'),
    ],
    [
      'a file that is none',
      StoreError,
      { kind: 'unwritable' },
      () => library.sqliteIntents('/dev/null/a.db').list(),
    ],
    [
      'a handler without onEvent',
      webhooks.OptionError,
      { code: 'missing', option: 'onEvent' },
      () => webhooks.nodeWebhookHandler({ ...credentials, url: hook.url } as never),
    ],
    [
      'a delivery without secret',
      webhooks.OptionError,
      { code: 'missing', option: 'secret' },
      () => webhooks.verifyWebhook({ ...hook, secret: '' }),
    ],
    [
      'no number to keep',
      webhooks.OptionError,
      { code: 'invalid', option: 'keep' },
      () => webhooks.memoryNonces({ keep: 0 }),
    ],
    [
      'a body that is no event',
      webhooks.DeliveryError,
      { code: 'not_a_delivery' },
      () => webhooks.parseWebhook('{}'),
    ],
    [
      'a file of nonces that is none',
      webhooks.StoreError,
      { kind: 'unwritable' },
      () => webhooks.sqliteNonces('/dev/null/a.db').claim('a'),
    ],
    [
      'a delivery at an edge',
      edge.OptionError,
      { code: 'missing', option: 'secret' },
      () => edge.verifyWebhook({ ...hook, secret: '' }),
    ],
    [
      'a setting',
      doubles.OptionError,
      { code: 'invalid', option: 'settings' },
      () => doubles.startSandbox({ settings: { kyc: 'x' as never } }),
    ],
    [
      'a control',
      doubles.OptionError,
      { code: 'unknown', option: 'name' },
      () => sandbox.control('sandbox.x' as never),
    ],
    [
      'a fault that there is not',
      doubles.ControlError,
      { code: 'refused' },
      () => sandbox.control('sandbox.faults.arm', { body: { fault: 'x' as never } }),
    ],
    [
      'a payout that there is not',
      doubles.ControlError,
      { code: 'not_found' },
      () => sandbox.control('sandbox.payouts.answer', { id: 'x', body: { outcome: 'paid' } }),
    ],
  ])('%s', async (_, kind, words, work) => {
    const thrown = await new Promise((resolve) => {
      Promise.resolve().then(work).then(resolve, resolve);
    });
    expect(thrown).toBeInstanceOf(kind);
    expect(thrown).toMatchObject({ ...words, name: kind.name });
  });

  it('an intent of another account', async () => {
    const intents = library.sqliteIntents(temporaryStorePath());
    const { key, secret, url: baseUrl, fetch } = sandbox;
    const ours = clientWith({ baseUrl, key, secret, intents, fetch });
    const intent = intentOf(
      await ours.transactions.create(paymentBody('E', undefined, { sender: samplePerson }).transaction),
    );
    await expect(clientWith({ intents }).settle(intent)).rejects.toMatchObject({
      name: 'IntentError',
      code: 'other_account',
      id: intent.id,
    });
    await intents.end();
  });
});

describe('what the library says', () => {
  /** Node's own flags are no flags of ours. */
  const OF_NODE = /--(?:max-old-space-size|wasm-tiering-budget)=/g;
  const A_FLAG = /(?:^|[\s(`'"])--[a-z]/;
  const A_COMMAND =
    /\bremit (?:[a-z]+-)?(?:login|logout|tx|recipient|sender|batch|history|webhooks|profiles|doctor|whoami|api)\b/;

  function textsOf(path: string, text: string): string[] {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
        found.push(node.text);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  }

  it('names no flag and no command of the command line', () => {
    const files = sources('src', (path) => path.endsWith('.ts'));
    const imports = files.flatMap(importsOf);
    const entries = ['client', 'edge', 'sandbox', 'webhooks'].map((name) => `src/library/${name}.ts`);
    const reached = new Set(entries.flatMap((entry) => [...reach(entry, imports, ['static', 'lazy'])]));
    expect(reached.size).toBeGreaterThan(100);
    const said = files
      .filter(({ path }) => reached.has(path))
      .flatMap(({ path, text }) => textsOf(path, text).map((one) => `${path}: ${one.replace(OF_NODE, '')}`));
    expect(said.filter((one) => A_FLAG.test(one) || A_COMMAND.test(one))).toEqual([]);
    expect(A_FLAG.test('use https://, or --insecure if you must')).toBe(true);
    expect(A_COMMAND.test('`remit history settle` records it')).toBe(true);
  });
});
