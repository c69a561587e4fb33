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
  ['tx', ['cancel', 'fund']],
  ['recipient', ['cancel', 'edit --detail bank_account=0123456719']],
  ['sender', ['disable', 'edit --set city=Porto']],
  ['payout-method', ['disable', 'edit --detail bank_account=0123456719']],
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
      const [verb = '', ...given] = write.split(' ');
      const refused = await bench.run([group, verb, id, ...given]);
      expect(refused.code, `${write}: ${refused.stderr}`).toBe(2);
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

it('a short id of another kind is told what it is, with what shows it', async () => {
  const made = await bench.run([...['tx', 'create'], ...paymentFlags('customer-1'), '-o', 'json']);
  const { id, recipients, sender } = made.data<{
    id: string;
    recipients: { id: string }[];
    sender: { id: string };
  }>();
  const short = (whole = ''): string => whole.slice(0, 8);
  const recipient = recipients[0]?.id ?? '';
  const of = async (...words: string[]) => {
    const run = await bench.run(words);
    return [run.code, run.stderr.replaceAll(/\s+/g, ' ')];
  };
  for (const words of [['show'], ['cancel', '--yes']])
    expect(await of('tx', words[0] ?? '', short(recipient), ...words.slice(1))).toEqual([
      6,
      expect.stringContaining(`"${short(recipient)}" is a recipient's id, not a transaction's`),
    ]);
  const [, asTransaction] = await of('tx', 'show', short(recipient));
  expect(asTransaction).toContain(`remit recipient show ${recipient}; its transaction: remit tx show ${id}`);
  expect(await of('recipient', 'show', short(id))).toEqual([
    6,
    expect.stringMatching(`is a transaction's id, not a recipient's next remit tx show ${id} lists`),
  ]);
  expect(await of('sender', 'show', short(id))).toEqual([
    6,
    expect.stringContaining("is a transaction's id"),
  ]);
  expect(await of('tx', 'show', short(sender.id))).toEqual([6, expect.stringContaining("is a sender's id")]);
});

it('a short id of a search is known to what shows one', async () => {
  const flags = [...paymentFlags('customer-1'), '--fund', '--max-input', '20'];
  await bench.run(['tx', 'create', ...flags]);
  await bench.run(['books', 'sync']);
  const found = await bench.run(['search', '6700'], { tty: true, columns: 100 });
  const id = SHORT.exec(found.stdout)?.[1] ?? '';
  expect((await bench.run(['recipient', 'show', id])).code).toBe(0);
});
