/** A question that is stopped with Ctrl-Z is asked again when the program goes on; Esc is heard, whatever is typed soon after it. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { asking, GoBack } from '../../src/frame/terminal/asking.ts';

type Context = Parameters<typeof asking>[0];

function stage(act: (input: NodeJS.EventEmitter, time: number) => void) {
  const stdin = new PassThrough();
  const context = {
    streams: { stdin, stderr: new PassThrough() },
    process: { interrupt: new AbortController().signal },
  } as unknown as Context;
  let asked = 0;
  const ask = ({ input, signal }: { input: NodeJS.EventEmitter; signal: AbortSignal }): Promise<string> =>
    new Promise((resolve, reject) => {
      asked += 1;
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      if (asked === 3) resolve('answered');
      else act(input, asked);
    });
  return { run: (back = false) => asking(context, ask, { back }), asked: () => asked };
}

it('after Ctrl-Z and fg the question stands again, as often as that happens', async () => {
  const { run, asked } = stage((input) => {
    input.emit('keypress', undefined, { name: 'z', ctrl: true });
    input.emit('pause');
  });
  expect(await run()).toBe('answered');
  expect(asked()).toBe(3);
});

it('input that ends without it cancels the question', async () => {
  const { run, asked } = stage((input) => void input.emit('pause'));
  await expect(run()).rejects.toThrow('stopped');
  expect(asked()).toBe(1);
});

it.each([
  ['Esc', ['\u001b'], { name: 'escape' }, true],
  ['Esc, and a letter soon after it', ['\u001b', 'a'], { name: 'a', meta: true }, true],
  ['Alt and a letter', ['x', '\u001ba'], { name: 'a', meta: true }, false],
  ['a letter', ['a'], { name: 'a' }, false],
])('%s', async (_, chunks, key, goesBack) => {
  const { run } = stage((input) => {
    for (const chunk of chunks) input.emit('data', chunk);
    input.emit('keypress', undefined, key);
    if (!goesBack) input.emit('end');
  });
  await expect(run(true)).rejects.toSatisfy((error) => error instanceof GoBack === goesBack);
});
