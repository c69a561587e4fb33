/** Lines of `--log json`: only what the table declares, masked, and never a text that is no JSON. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/frame/log/log.ts';
import { maskText } from '../../src/payments/words/mask-text.ts';
import { asksForLog } from '../../src/program/logged-process.ts';
import { deliveryLog, traceIdOf } from '../../src/webhooks/cli/webhooks/listen/prepare.ts';
import type { ReceivedDelivery } from '../../src/webhooks/store/port.ts';
import { anyText } from '../support/any-text.ts';
import { linesOfLog, ofEvent } from '../support/log-lines.ts';

function logged() {
  let text = '';
  const log = createLog(
    { now: () => 0, uptime: () => 0 },
    (line) => {
      text += line;
    },
    maskText,
    (flush) => flush(),
  );
  return { log, lines: () => linesOfLog(text), text: () => text };
}

describe('a line', () => {
  it('has the head first, and only members that the table declares', () => {
    const { log, text } = logged();
    log.event('figures', { url: 'http://127.0.0.1:1', secret: 'hidden' } as { url: string });
    expect(text()).toBe(
      '{"v":1,"time":"1970-01-01T00:00:00.000Z","level":"info","event":"figures","url":"http://127.0.0.1:1"}\n',
    );
  });

  it('of a text for people has no colour, no name of the program and no line break', () => {
    const { log, lines } = logged();
    log.said('\u001b[31mremit: one\u001b[0m\r\n\n  two\n', 'warn');
    expect(lines().map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'one'],
      ['warn', 'two'],
    ]);
  });

  it('is one line and parses, whatever is said', () => {
    fc.assert(
      fc.property(anyText(), (said) => {
        const { log, lines } = logged();
        log.said(said);
        log.event('trouble', { message: said });
        expect(ofEvent(lines(), 'trouble')).toHaveLength(1);
      }),
    );
  });

  it('is left out below a warning where nobody wants notes, but for where it is and how it ended', () => {
    const { log, lines } = logged();
    log.hush();
    log.said('a note');
    log.event('draining', {});
    log.event('trouble', { message: 'x' });
    log.event('stopped', { exit_code: 0 });
    expect(lines().map(({ event }) => event)).toEqual(['trouble', 'stopped']);
  });
});

it('a store that is lost is told once, until it keeps a delivery again', () => {
  const { log, lines } = logged();
  const deliveries = deliveryLog(log);
  const received = {
    event: 'e',
    objectId: 'o',
    transactionId: null,
    headers: [],
    late: false,
  } as unknown as ReceivedDelivery;
  const keep = () => deliveries.onTakenIn({ outcome: 'new', id: '1', repeat: false, wanted: true, received });
  keep();
  deliveries.storeLost('the disk is full');
  deliveries.storeLost('the disk is full');
  keep();
  keep();
  expect(lines().map(({ event }) => event)).toEqual([
    'delivery_verified',
    'store_lost',
    'store_back',
    'delivery_verified',
    'delivery_verified',
  ]);
});

describe('a sentence', () => {
  it.each([
    ['account 0123456789 is unknown', 'account ••••6789 is unknown'],
    ['the account 0123 4567 89', 'the account ••••7 89'],
    ['to GB29NWBK60161331926819.', 'to ••••6819.'],
    ['to GB29 NWBK 6016 1331 9268 19', 'to ••••8 19'],
    ['phone +233 24 123 4567', 'phone ••••4567'],
    ['write to ada.obi@example.com', 'write to a•••'],
    ['at postgres://remit:hunter2@db.example.com/remit', 'at postgres://remit:…@db.example.com/remit'],
    ['https://a.example/x?token=abc&to=Ada', 'https://a.example/x?…'],
    ['Authorization-Signature: c2lnbmF0dXJl==', 'Authorization-Signature: …'],
    ['{"authorization_signature":"abcdefgh12345678x"}', '{"authorization_signature":"…"}'],
  ])('%j is told as %j', (text, shown) => expect(maskText(text)).toBe(shown));

  it.each([
    'recipient 3f2504e0-4f89-41d3-9a0c-0305e82c3301 is paid',
    '12345678-1234-4f43-9f0e-123456789012',
    'between 2026-11-27T03:40:24.000Z and 2026-11-28',
    '41000000.00 NGN at most',
    'digest 12345678-350794e7-d9e28cdd-e053217e',
    'http://127.0.0.1:40091/v1 has not answered',
    'postgres://remit@db.example.com/remit',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'waited 600 s, 3 times',
  ])('%j stays', (text) => expect(maskText(text)).toBe(text));

  it('takes a time that grows with its length, whatever it is', () => {
    for (const part of ['1', '1 ', '((((', 'A1', '://', 'a@', 'authorization-secret=']) {
      const before = process.cpuUsage();
      maskText(part.repeat(20_000));
      expect(process.cpuUsage(before).user / 1_000, part).toBeLessThan(2_000);
    }
  });
});

describe('a trace', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  it.each([
    [`00-${trace}-00f067aa0ba902b7-01`, trace],
    [`cc-${trace}-00f067aa0ba902b7-01-more`, trace],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    [`00-${trace}-00f067aa0ba902b7`, undefined],
    ['Ada Obi', undefined],
  ])('of %j is %j', (value, found) => {
    expect(
      traceIdOf([
        ['Host', 'x'],
        ['TraceParent', value],
      ]),
    ).toBe(found);
  });
  it('is none without the header', () => expect(traceIdOf([])).toBeUndefined());
});

it.each([
  [['webhooks', 'listen', '--log', 'json'], true],
  [['batch', 'work', '--log=JSON'], true],
  [['batch', 'work', '--log', 'text'], false],
  [['sandbox', 'exec', '--', 'node', 'x.js', '--log', 'json'], false],
  [['webhooks', 'listen'], false],
])('%j asks for it: %j', (argv, asks) => expect(asksForLog(argv)).toBe(asks));
