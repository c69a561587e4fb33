/** What a confirmation hears of a terminal's bytes. The instants are real: a question is deaf for 200 ms. */
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { FreshKeys, LISTENS } from '../../src/frame/terminal/asking.ts';

const BEGINS = '\u001b[200~';
const ENDS = '\u001b[201~';

function open() {
  const terminal = Object.assign(new PassThrough(), {
    raw: [] as boolean[],
    setRawMode(raw: boolean) {
      this.raw.push(raw);
    },
  });
  const screen = new PassThrough({ encoding: 'utf8' });
  const listens = new Promise<void>((resolve) =>
    screen.on('data', (text: string) => text.includes(LISTENS) && resolve()),
  );
  const keys = new FreshKeys(terminal, screen);
  onTestFinished(() => keys.close());
  let heard = '';
  keys.on('data', (text: string) => {
    heard += text;
  });
  const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const heardBy = async (): Promise<string> => {
    await settled();
    return heard;
  };
  return { terminal, keys, listens, heard: heardBy };
}

it('hears nothing that lay in the terminal, and nothing before it listens', async () => {
  const { terminal, listens, heard } = open();
  terminal.write('y\r');
  expect(await heard()).toBe('');
  terminal.write('yes\r');
  await listens;
  expect(await heard()).toBe('');
  terminal.write('y\r');
  expect(await heard()).toBe('y\r');
});

it('hears nothing of what lay there while the program was too busy to look', async () => {
  const { terminal, listens, heard } = open();
  const until = performance.now() + 300;
  setImmediate(() => terminal.write('y\r'));
  while (performance.now() < until);
  await listens;
  expect(await heard()).toBe('');
});

it('is stopped at any time', async () => {
  const { terminal, heard } = open();
  terminal.write('y\u0003y\u0004');
  expect(await heard()).toBe('\u0003\u0004');
});

// Each cut of one paste into two reads, marks included.
const PASTED = `a${BEGINS}y\r${ENDS}b${BEGINS}\u0003${ENDS}c`;
it.concurrent.each(Array.from({ length: PASTED.length + 1 }, (_, at) => at))(
  'hears nothing that is pasted, cut at %i',
  async (at) => {
    const { terminal, listens, heard } = open();
    await listens;
    for (const part of [PASTED.slice(0, at), PASTED.slice(at)].filter(Boolean)) {
      terminal.write(part);
      await heard();
    }
    expect(await heard()).toBe('abc');
  },
);

it('a paste that begins before it listens is pasted to its end', async () => {
  const { terminal, listens, heard } = open();
  terminal.write(`${BEGINS}y`);
  await listens;
  terminal.write(`\ry\r${ENDS}n`);
  expect(await heard()).toBe('n');
});

it('gives the terminal back: raw mode passes through, and it ends with it', async () => {
  const { terminal, keys, listens } = open();
  keys.setRawMode(true);
  keys.setRawMode(false);
  expect(terminal.raw).toEqual([true, false]);
  await listens;
  const ended = new Promise((resolve) => keys.once('end', resolve));
  terminal.end();
  await ended;
  keys.close();
  expect(terminal.listenerCount('data')).toBe(0);
});
