/** A search without books says how far it looked: all that there is, or the newest of it. */
import { expect, it } from 'vitest';
import { payArgv, useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';

const bench = useBench({ sender: true, sandbox: { balances: { EUR: '1000000.00' } } });
const start = useConsole(bench);

it('looks through all payments where they are few, and through the newest thousand where they are more', async () => {
  expect((await bench.run(payArgv('0123456719', '--external-id', 'wages-1'))).code).toBe(0);
  const asker = await Asker.from(await start());
  const few = (await asker.ask('search', { words: 'obi' })).data;
  expect(few.rows).toMatchObject([{ to: 'Ada Obi', from: 'Ines Marques', by: 'name', reference: 'wages-1' }]);
  expect(few).toMatchObject({
    hasBooks: false,
    notes: [expect.stringMatching(/: 1 payment, and those are all\.$/)],
  });
  for (const rounds of ['100', '30'])
    expect((await bench.run(['sandbox', 'seed', '--rounds', rounds])).code).toBe(0);
  const many = (await asker.ask('search', { words: 'obi' })).data;
  expect(many.notes).toEqual([expect.stringContaining(': its newest 1,000 payments, and')]);
  expect(many.notes[0]).toContain('there are older ones');
  // Too short a word is refused in words, before anything is asked.
  expect((await asker.ask('search', { words: 'a' })).data.problem.message).toContain(
    'no word is long enough',
  );
});
