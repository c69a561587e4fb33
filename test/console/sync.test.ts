/** The copy of the payments that a page asks for: told as it goes, ended with the page, and gone on with. */
import { expect, it } from 'vitest';
import { answering, only, useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';

const bench = useBench({ sender: true });
const start = useConsole(bench);
const isList = ({ url }: { url: string }) => url.includes('/transactions?');

it('tells how far it is; one that its page left is gone on with', async () => {
  expect((await bench.run(['sandbox', 'seed', '--rounds', '30'])).code).toBe(0);
  const asker = await Asker.from(await start());
  let lists = 0;
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  bench.intercept(async (request, next) => {
    if (isList(request)) lists += 1;
    if (lists === 2) await left;
    return next(request);
  });
  const begun = await asker.hear('sync', {}, (told) => told.some(({ words }) => words.startsWith('100')));
  expect(begun.map(({ isDone }) => isDone)).not.toContain(true);
  leave();
  bench.restore();
  const whole = await asker.hear('sync', {}, (told) => told.at(-1)?.isDone === true);
  expect(whole[0]).toEqual({ isDone: false, words: 'Reading payments…' });
  expect(whole.filter(({ isDone }) => isDone)).toEqual([whole.at(-1)]);
  const { data } = await asker.ask('list', { behind: null });
  expect(data.hasBooks).toBe(true);
  const made = (await bench.run(['tx', 'list', '--all', '-o', 'json'])).data<object[]>();
  expect(data.rows).toHaveLength(made.length);
});

it('a sync that fails ends with the reason', async () => {
  const asker = await Asker.from(await start());
  bench.intercept(only(isList, answering(401, '{"error":"no such key"}')));
  const told: unknown[] = await asker.hear('sync', {}, (heard) => 'problem' in (heard.at(-1) ?? {}));
  expect(told.at(-1)).toMatchObject({ problem: { category: 'auth' } });
});
