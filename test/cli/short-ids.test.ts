/** Tables show eight characters of an id; whatever is read by its id takes them, and what is written asks for all. */
import { expect, it } from 'vitest';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const SHORT = /^([0-9a-f]{8}) /m;
/** The first short id that a list shows on a terminal. */
async function listed(...words: string[]): Promise<string> {
  const run = await bench.run([...words, 'list'], { tty: true, columns: 100 });
  expect(run.stdout, words.join(' ')).toMatch(SHORT);
  expect(run.stdout).not.toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/m);
  return SHORT.exec(run.stdout)?.[1] ?? '';
}
const firstLog = async (kind: string): Promise<string> => {
  const run = await bench.run(['logs', kind, '--limit', '1'], { tty: true, columns: 140 });
  return /\b[0-9a-f]{8}$/m.exec(run.stdout.trim())?.[0] ?? '';
};

it.each([
  ['tx', []],
  ['recipient', []],
  ['sender', ['disable']],
  ['payout-method', ['disable']],
] as const)(
  '%s: a list names what show takes; a write takes a full id, and says which',
  async (group, writes) => {
    const flags = [...paymentFlags('customer-1'), '--fund', '--max-input', '20'];
    expect((await bench.run(['tx', 'create', ...flags])).code).toBe(0);
    const kept = await bench.run([
      ...'payout-method create --type NGN::Bank --detail first_name=Ada --detail last_name=Obi'.split(' '),
      ...'--detail bank_code=044 --detail bank_account=0123456700'.split(' '),
    ]);
    expect(kept.code, kept.stderr).toBe(0);
    const id = await listed(group);
    const shown = await bench.run([group, 'show', id, '-o', 'json']);
    expect([shown.code, shown.data<{ id: string }>().id.slice(0, 8)]).toEqual([0, id]);
    for (const write of writes) {
      const refused = await bench.run([group, write, id]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(new RegExp(`it stands for ${id}-`));
      expect(refused.requests.every(({ method }) => method === 'GET')).toBe(true);
    }
  },
);

it('webhooks and logs', async () => {
  await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks']);
  const hook = await listed('webhooks');
  const refused = await bench.run(['webhooks', 'remove', hook]);
  expect([refused.code, refused.stderr.includes(`it stands for ${hook}-`)]).toEqual([2, true]);
  const log = await firstLog('api');
  expect((await bench.run(['logs', 'show', log])).code).toBe(0);
});

it('too few characters are told that they are; --fields has an id whole', async () => {
  const short = await bench.run(['payout-method', 'show', 'abcd']);
  expect([short.code, short.stderr.includes('needs six characters')]).toEqual([2, true]);
  const run = await bench.run(['sender', 'list', '--fields', 'id'], { tty: true });
  expect(run.stdout).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});
