/** What is typed ahead reaches the question that it was meant for. Real prompts, on a terminal that the test types to. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { DEAF, LISTENS } from '../../src/frame/terminal/asking.ts';
import { askChoice, askConfirm, askSecret, askText } from '../../src/frame/terminal/prompt.ts';
import type { Streams } from '../../src/frame/terminal/streams.ts';
import type { Context } from '../../src/payments/cli/context.ts';

function open() {
  const stdin = Object.assign(new PassThrough(), { setRawMode() {} });
  const interrupt = new AbortController();
  // A process's own is never ended by who writes to it.
  const stderr = Object.assign(new PassThrough().resume(), { end() {} });
  const written: string[] = [];
  const streams: Partial<Streams> = { stdin, stderr, columns: 100, err: (text) => void written.push(text) };
  const context = { streams, process: { interrupt: interrupt.signal } } as unknown as Context;
  let drawn = '';
  const listens = new Promise<void>((resolve) =>
    stderr.on('data', (text: Buffer) => {
      drawn += String(text);
      if (drawn.includes(DEAF) && drawn.lastIndexOf(LISTENS) > drawn.lastIndexOf(DEAF)) resolve();
    }),
  );
  return { context, streams, written, listens, types: (typed: string) => void stdin.write(typed) };
}

/** The service looks at it, and answers later. */
const looked =
  (fits: (text: string) => boolean = () => true) =>
  async (text: string): Promise<true | string> => {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    return fits(text) || 'It does not fit';
  };

it('answers of several questions that came at once reach each its own', async () => {
  const { context, types } = open();
  const typed = 'Ada\rObi\nsecond\rhidden\r';
  types(typed);
  const form = async () => [
    await askText(context, 'First name', { validate: looked() }),
    await askText(context, 'Last name'),
    await askChoice(context, 'Which one?', [
      { value: 'first', label: 'first' },
      { value: 'second', label: 'second' },
    ]),
    await askSecret(context, 'Secret'),
  ];
  expect(await form()).toEqual(['Ada', 'Obi', 'second', 'hidden']);
});

it('what is typed while an answer is looked at is of the next question', async () => {
  const { context, types } = open();
  const form = async () => [
    await askText(context, 'Account', {
      validate: async (text) => {
        types('Obi');
        const judged = await looked()(text);
        types(' senior\r');
        return judged;
      },
    }),
    await askText(context, 'Last name'),
  ];
  types('0123456700\r');
  expect(await form()).toEqual(['0123456700', 'Obi senior']);
});

it('a question that refuses an answer hears the next one', async () => {
  const { context, types } = open();
  const typed = 'wrong\r\u0015right\rnext\r';
  types(typed);
  const form = async () => [
    await askText(context, 'Amount', { validate: looked((text) => text === 'right') }),
    await askText(context, 'Reference'),
  ];
  expect(await form()).toEqual(['right', 'next']);
});

it('Ctrl-C is heard while an answer is looked at', async () => {
  const { context, types } = open();
  const asked = askText(context, 'Account', {
    validate: async (text) => {
      types('next\r\u0003');
      return looked()(text);
    },
  });
  types('0123456700\r');
  await expect(asked).rejects.toThrow('SIGINT');
});

it('a confirmation hears nothing of what was typed ahead for it', async () => {
  const { context, types, listens } = open();
  types('Ada\ry\r');
  expect(await askText(context, 'Name')).toBe('Ada');
  const confirmed = askConfirm(context, 'Send it?');
  await listens;
  types('n\r');
  expect(await confirmed).toBe(false);
});

it('what is written to stderr while a question is drawn comes behind it, and then at once again', async () => {
  const { context, streams, written, types } = open();
  const asked = askText(context, 'Name');
  streams.err?.('one\n');
  streams.err?.('two\n');
  expect([streams.isHeld, written]).toEqual([true, []]);
  types('Ada\r');
  await asked;
  expect([streams.isHeld, written]).toEqual([false, ['one\ntwo\n']]);
  streams.err?.('three\n');
  expect(written.at(-1)).toBe('three\n');
});
