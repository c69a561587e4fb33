import { describe, expect, it } from 'vitest';
import { payArgv, useBench, words } from '../support/cli.ts';

const bench = useBench({ sender: true });

interface Tx {
  data: { id: string; recipients: { id: string }[] };
}
/** Creates and funds a payment; answers the ids of transaction and recipient. */
async function pay(
  account: string,
  externalId = `pay-${account}`,
): Promise<{ tx: string; recipient: string }> {
  const run = await bench.run(payArgv(account, '--external-id', externalId));
  expect(run.stderr).not.toContain('remit:');
  const { data } = run.json<Tx>();
  return { tx: data.id, recipient: data.recipients[0]?.id ?? '' };
}
interface Shown {
  data: {
    state: string;
    payout_method: { details: Record<string, string> };
    state_reason_details?: { code: string };
  };
}

describe('recipient edit', () => {
  it('sends only what changed, shows it first, and the next try pays', async () => {
    const { tx, recipient } = await pay('0123456719');
    const change = words('--detail bank_account=0123456700 --detail bank_code=044 --name-as-given -o json');
    const run = await bench.run(['recipient', 'edit', recipient, ...change]);
    expect(run.code).toBe(0);
    expect(run.requests.find(({ method }) => method === 'PATCH')).toEqual({
      method: 'PATCH',
      path: `/recipients/${recipient}`,
      query: '',
      body: { recipient: { payout_method: { details: { bank_account: '0123456700' } } } },
    });
    expect(run.stderr).toContain('bank_account: ••••6719 -> 0123456700');
    await bench.sandbox.advance(60_000);
    expect((await bench.run(['tx', 'show', tx, '-o', 'json', '--query', 'state'])).stdout.trim()).toBe(
      '"paid"',
    );
  });

  it('on a terminal masks the old number and shows the new one whole', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(
      ['recipient', 'edit', recipient, '--detail', 'bank_account=0123456700', '--yes', '--name-as-given'],
      {
        tty: true,
      },
    );
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('••••6719 -> 0123456700');
    expect(run.stderr).not.toContain('0123456719');
  });

  it('without a change nothing is sent', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(['recipient', 'edit', recipient, '--detail', 'bank_account=0123456719']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('nothing was sent');
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('without a terminal and without a detail it names the flag', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(['recipient', 'edit', recipient]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--detail bank_account=');
  });

  it.each([
    ['bank_account=••••6719', 'masked value'],
    ['bank_acount=1', 'bank_acount'],
    ['bank_account', 'NAME=VALUE'],
  ])('--detail %s is refused before anything is sent', async (detail, message) => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(['recipient', 'edit', recipient, '--detail', detail]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(run.requests.some(({ method }) => method === 'PATCH')).toBe(false);
  });

  it('a bank code that does not exist is 5, with the field', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(`recipient edit ${recipient} --detail bank_code=xyz --name-as-given`);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('payout_method.bank_code  is not valid');
    expect(run.stderr).toContain('outcome   not applied');
  });

  it('a sender error cannot be mended by an edit, and that is said', async () => {
    const { recipient } = await pay('0123456771');
    const run = await bench.run(['recipient', 'edit', recipient, '--detail', 'bank_account=0123456700']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`remit recipient cancel ${recipient}`);
  });
});

describe('recipient cancel', () => {
  it('in error: one DELETE, refunded, 0', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(['recipient', 'cancel', recipient, '--wait', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      `/recipients/${recipient}`,
    ]);
    expect(run.data<{ ending: string }>().ending).toBe('refunded');
  });

  it('with the bank: refused in the words of the product, nothing sent', async () => {
    const { recipient } = await pay('0123456701');
    const run = await bench.run(['recipient', 'cancel', recipient], { tty: true, columns: 200 });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      new RegExp(`^remit: recipient ${recipient} cannot be cancelled at once: the payout`),
    );
    expect(run.stderr).toContain('  outcome   not applied (nothing was sent)\n');
    expect(run.stderr).toContain(`  next      remit recipient cancel ${recipient} --request --wait asks the`);
    expect(run.requests.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('cancellation requested and paid all the same: said as it is', async () => {
    const { recipient } = await pay('0123456701');
    expect((await bench.run(['recipient', 'cancel', recipient, '--request'])).code).toBe(8);
    await bench.sandbox.advance(3 * 3_600_000);
    const run = await bench.run(['recipient', 'cancel', recipient]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('it is paid');
  });

  it("a transaction's id given for a recipient's is named as one", async () => {
    const { tx } = await pay('0123456719');
    const run = await bench.run(['recipient', 'cancel', tx]);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain("is a transaction's id, not a recipient's");
    expect(run.requests.some(({ method }) => method === 'DELETE')).toBe(false);
  });
});

describe('recipient list and show', () => {
  it('filters go out Rails-style', async () => {
    await pay('0123456719');
    const run = await bench.run('recipient list --state error --state pending --currency eur -o json');
    expect(run.code).toBe(0);
    expect(run.requests[0]?.query).toBe('?state[]=error&state[]=pending&currency[]=EUR&per=100&page=1');
    expect(run.data<unknown[]>()).toHaveLength(1);
  });

  it('an amount filter needs a currency', async () => {
    const run = await bench.run(['recipient', 'list', '--amount-from', '5']);
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });

  it('shows why a payout failed and who must act', async () => {
    const { recipient } = await pay('0123456719');
    const run = await bench.run(['recipient', 'show', recipient], { tty: true });
    expect(run.stdout).toMatch(/reason +the account number is wrong \(416\): Invalid account number/);
    expect(run.stdout).toMatch(/who must act +you/);
    expect(run.stdout).toContain('••••6719');
  });

  it('finds one that this machine never saw, by scanning, or through --tx', async () => {
    const { tx, recipient } = await pay('0123456719');
    const elsewhere = { env: { REMIT_STORE: `${bench.dir}/other.db` } };
    const scanned = await bench.run(['recipient', 'show', recipient, '-o', 'json'], elsewhere);
    expect(scanned.code).toBe(0);
    expect(scanned.requests[0]?.path).toBe('/recipients');
    expect(scanned.json<Shown>().data.state_reason_details?.code).toBe('416');
    const named = await bench.run(['recipient', 'show', recipient, '--tx', tx], {
      env: { REMIT_STORE: `${bench.dir}/third.db` },
    });
    expect(named.requests.map(({ path }) => path)).toEqual([
      `/transactions/${tx}`,
      '/_sandbox/clock',
      '/recipients',
    ]);
  });

  it('not found says how far it looked', async () => {
    const run = await bench.run(['recipient', 'show', '00000000-0000-4000-8000-000000000000']);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('among the 0 latest of this account');
  });
});
