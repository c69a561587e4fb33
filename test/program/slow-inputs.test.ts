/**
 * Inputs that somebody made to be slow: each is done, or refused in words, within a time that is generous for a busy machine. Before they
 * were mended they took ten seconds to minutes.
 */
import { describe, expect, it } from 'vitest';
import { match } from '../../src/books/reconcile/match.ts';
import { readMt940 } from '../../src/books/reconcile/mt940.ts';
import {
  type Side,
  type SideEntry,
  type SideKind,
  type SideRow,
  sideRowOf,
} from '../../src/books/reconcile/side.ts';
import { diagnose } from '../../src/contract/signatures/diagnose.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { fitsDecimals } from '../../src/core/currency.ts';
import { parseAmount, toDecimal } from '../../src/core/money.ts';
import { parseTextFile } from '../../src/frame/flags/text-file.ts';
import { maskData } from '../../src/payments/words/mask.ts';
import { spoken } from '../../src/payments/words/questions.ts';
import { Prints } from '../../src/runs/files/prints.ts';
import { readYaml } from '../../src/runs/files/yaml.ts';
import { readDocument } from '../../src/sandbox/rules/document.ts';
import { judgementView, shownJudgement } from '../../src/webhooks/cli/views/judged.ts';
import { isLong, some } from '../support/long.ts';

/** The times are of a machine that does this piece of work in 100 ms of the processor; a slower one has longer. */
const slowness = (): number => {
  const from = process.cpuUsage();
  const made = Array.from({ length: 200_000 }, (_, i) => ({ text: `${(i * 7_919) % 200_000}` }));
  made.sort((a, b) => (a.text < b.text ? -1 : 1));
  return Math.max(1, process.cpuUsage(from).user / 1_000 / 100);
};
const MOST_MS = 3_000 * slowness();

async function soon<T>(work: () => T | Promise<T>): Promise<T> {
  // Time of the processor: others may have it meanwhile.
  const from = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(from);
  expect((user + system) / 1_000).toBeLessThan(MOST_MS);
  return done;
}

const N = 100_000;
const repeated: [name: string, text: string][] = [
  ['backslashes', '\\'.repeat(N)],
  ['quotes', '"'.repeat(N)],
  ['escaped quotes', `"${'\\"'.repeat(N / 2)}`],
  ['blanks', ' '.repeat(N)],
  ['members that do not end', '\\"bank_account\\":\\"'.repeat(N / 20)],
];

describe.each(repeated)('100,000 characters of %s', (_, text) => {
  it('in the body of a log are masked soon', () =>
    soon(() => maskData({ request_body: text, response_body: `${text}\n` }, 'all')));

  it('in a body whose signature does not fit are looked into soon', async () => {
    const url = 'https://a.example/hooks';
    const credentials = { key: 'key_test_51ab', secret: 'secret-of-the-tests' };
    const headers = signedHeaders(credentials, { nonce: 'n-1', method: 'POST', url, body: 'another' });
    const finding = await soon(() =>
      diagnose({ rawBody: Buffer.from(text), url, headers }, { credentials, all: true }),
    );
    const shown = shownJudgement({ verdict: 'INVALID', finding }, false);
    expect(judgementView.details?.(shown)).toBeDefined();
  });
});

const ZEROS = '0'.repeat(99_000);

describe('an amount of 99,000 zeros', () => {
  it('is no decimal', () => {
    expect(toDecimal(`1${ZEROS}`)).toBeNull();
    expect(toDecimal(`0.${ZEROS}1`)).toBeNull();
    expect(() => parseAmount(`1.${ZEROS}`, 2, 'EUR')).toThrow(
      'an amount of 99002 characters is too long: at most 1000',
    );
  });

  it.each([`0.${ZEROS}1`, `1${ZEROS}`, `${ZEROS}1`])('takes no time where its text is looked at', (text) =>
    soon(() => {
      fitsDecimals(text, 'EUR');
      spoken(text, 'XAU');
    }),
  );
});

const piecesOf = async function* (text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
};

describe('YAML with 60,000 keys in one object', () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `  k${i}: v`).join('\n');

  it('is refused as a payment', async () => {
    const refused = soon(() => parseTextFile(`transaction:\n${text}`, 'a.yaml'));
    await expect(refused).rejects.toThrow('a.yaml has more than 20,000 keys and values');
  });

  it('is read soon as a pay run', async () => {
    const read = async () => {
      for await (const _ of readYaml(piecesOf(`-\n${text}`), {
        name: 'a.yaml',
        columns: new Map() as never,
      }));
    };
    await soon(() => read().catch(() => undefined));
  });
});

const NAMED: [string, Partial<SideEntry>][] = [
  ['of one id', { keys: ['one'] }],
  ['of one reference', { reference: 'one' }],
];

const ROWS = isLong ? 20_000 : 10_000;
describe.each(some(NAMED, 1))(`${ROWS} rows %s on either side`, (_, named) => {
  const sideOf = (kind: SideKind, amountOf: (i: number) => string): Side => {
    const plain: SideEntry = {
      keys: [],
      reference: undefined,
      amount: '1',
      currency: 'EUR',
      day: 1,
      kind: 'paid',
    };
    const rowAt = (i: number): SideRow => sideRowOf({ ...plain, ...named, amount: amountOf(i) });
    return { kind, name: kind, rows: Array.from({ length: ROWS }, (_, i) => rowAt(i)) };
  };

  it.each<[string, (i: number) => string]>([
    ['one amount', () => '1'],
    ['an amount each', (i) => String(i + 1)],
    ['as much back as out', (i) => (i % 2 === 0 ? '1' : '-1')],
  ])('are matched soon with %s', async (_, amountOf) => {
    const service = sideOf('service', (i) => String(i % 3 === 0 ? 1 : i + 1));
    const { left } = await soon(() => match(sideOf('ledger', amountOf), service));
    expect(left.fates.filter(({ ending }) => ending === 'matched').length).toBeGreaterThan(0);
  });
});

/** As the prints of a pay run have it. */
function lowOf(text: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  return (Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)) >>> 0;
}

describe('external ids of one place', () => {
  it('are told apart, in a small table and after it has grown', () => {
    const texts: string[] = [];
    for (let i = 0; texts.length < 300; i++) if (lowOf(`id-${i}`) % 4096 === 7) texts.push(`id-${i}`);
    const prints = new Prints();
    const claim = (text: string, row: number) => prints.claim(text, row);
    expect(texts.map((text, row) => claim(text, row + 1)).filter((row) => row !== undefined)).toEqual([]);
    expect(texts.map((text) => claim(text, 9_999))).toEqual(texts.map((_, row) => row + 1));
    for (let i = 0; i < 20_000; i++) claim(`other-${i}`, 1_000 + i);
    expect(texts.map((text) => claim(text, 9_999))).toEqual(texts.map((_, row) => row + 1));
  });
});

describe('an MT940 field of 200 MB', () => {
  it('is refused by its line, and not read to its end', async () => {
    let pieces = 0;
    const endless = async function* () {
      yield Buffer.from(':20:1\r\n:25:DE00\r\n:60F:C260101EUR1,00\r\n:61:2601010101C1,00NTRF1\r\n:86:a\r\n');
      for (; pieces < 3_200; pieces++)
        yield Buffer.from('words of the bank, and no end of them\r\n'.repeat(1_600));
    };
    const read = async () => {
      for await (const _ of readMt940(endless(), 'a.sta', { strict: true, isBooked: () => true } as never));
    };
    await expect(soon(read)).rejects.toThrow('a field of more than 100 kB, which is too long for MT940');
    expect(pieces).toBeLessThan(5);
  });
});

describe('a document of blanks', () => {
  const sent = (upload: string) => ({ upload, upload_file_name: 'a.png' });

  const BLANKS: [what: string, upload: string][] = [
    ['blanks that end in a mark', `data:image/png;base64,AAAA${' '.repeat(5_000_000)}!`],
    ['nothing but blanks', `data:image/png;base64,${' '.repeat(5_000_000)}`],
    ['line ends', `data:image/png;base64,${'\n'.repeat(5_000_000)}=A`],
  ];
  it.each(some(BLANKS, 1))('is refused soon: %s', async (_, upload) => {
    const { draft, problems } = await soon(() => readDocument(sent(upload)));
    expect({ draft, wire: problems.wire }).toEqual({ draft: null, wire: { upload: [{ error: 'invalid' }] } });
  });

  it('and one in lines is taken', () => {
    const { draft } = readDocument(sent(`data:image/png;base64,AAAA\r\n AAA=\n`));
    expect(draft).toMatchObject({ contentType: 'image/png', size: 5 });
  });
});
