/** What is typed ahead reaches the question that it was meant for. Real prompts, on a terminal that the test types to. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { askChoice, askConfirm, askSecret, askText } from '../../src/cli/terminal/prompt.ts';

const until = <T>(work: Promise<T>, typed: string): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(reject, 3_000, new Error(`not heard: ${JSON.stringify(typed)}`)),
    ),
  ]);

function open() {
  const stdin = Object.assign(new PassThrough(), { setRawMode() {} });
  const interrupt = new AbortController();
  // A process's own is never ended by who writes to it.
  const stderr = Object.assign(new PassThrough().resume(), { end() {} });
  const streams = { stdin, stderr, columns: 100, err() {} };
  const context = { streams, world: { interrupt: interrupt.signal } } as unknown as Context;
  return { context, types: (typed: string) => void stdin.write(typed) };
}

/** The service looks at it, and answers later. */
const looked =
  (fits: (text: string) => boolean = () => true) =>
  async (text: string): Promise<true | string> => {
    await new Promise((resolve) => setTimeout(resolve, 30));
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
  expect(await until(form(), typed)).toEqual(['Ada', 'Obi', 'second', 'hidden']);
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
  expect(await until(form(), 'Obi')).toEqual(['0123456700', 'Obi senior']);
});

it('a question that refuses an answer hears the next one', async () => {
  const { context, types } = open();
  const typed = 'wrong\r\u0015right\rnext\r';
  types(typed);
  const form = async () => [
    await askText(context, 'Amount', { validate: looked((text) => text === 'right') }),
    await askText(context, 'Reference'),
  ];
  expect(await until(form(), typed)).toEqual(['right', 'next']);
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
  await expect(until(asked, '^C')).rejects.toThrow('SIGINT');
});

it('a confirmation hears nothing of what was typed ahead for it', async () => {
  const { context, types } = open();
  types('Ada\ry\r');
  expect(await until(askText(context, 'Name'), 'Ada')).toBe('Ada');
  const confirmed = askConfirm(context, 'Send it?');
  setTimeout(() => types('n\r'), 400);
  expect(await until(confirmed, 'n')).toBe(false);
});
