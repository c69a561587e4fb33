/** The controls of a sandbox on the page: each does what its command does, compared with the sandbox's own ledger and clock. */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { controlTokenPath } from '../../src/profiles/control-token.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { baseUrl, paymentFlags, useBench } from '../support/cli.ts';
import { Asker, type OpenConsole, useConsole } from '../support/console.ts';
import { some } from '../support/long.ts';
import { heading, isSound, WINDOWS } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
afterEach(() => browser.closeAll());
const open = useConsole(bench);
const start = (flags: readonly string[] = ['--write'], env = {}): Promise<OpenConsole> => open(flags, env);
const state = async () =>
  (await bench.run(['sandbox', 'state', '-o', 'json'])).data<{
    clock: { now: string };
    balances: Record<string, string>;
    ledger: Record<string, Record<string, string>>;
    counts: Record<string, number>;
  }>();
async function pay(ending: string): Promise<{ id: string; recipient: string }> {
  const argv = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', 'wages-1'];
  const made = await bench.run(['tx', 'create', ...argv, '--fund', '--max-input', '900000', '-o', 'json']);
  const data = made.data<{ id: string; recipients: { id: string }[] }>();
  return { id: data.id, recipient: data.recipients[0]?.id ?? '' };
}

describe('a sandbox of ours', () => {
  it('is shown as its own commands show it', async () => {
    await pay('01');
    const asker = await Asker.from(await start([]));
    const { data } = await asker.ask('sandbox', {});
    const { clock, balances, ledger } = await state();
    expect(data.now).toBe(clock.now);
    const digits = (text: string): string => text.replaceAll(/[^\d.-]/g, '');
    for (const { label, text } of data.balances as { label: string; text: string }[]) {
      expect(Number(digits(text)), label).toBe(Number(balances[label]));
      expect(text).toContain(label);
    }
    expect(data.balances.map(({ label }: { label: string }) => label)).toEqual(Object.keys(balances));
    expect(data.ledger.map(({ label }: { label: string }) => label)).toEqual(Object.keys(ledger));
    expect(data.states[1].text).toMatch(/1 received/);
  });

  it('does what each control says, and nothing without --write', async () => {
    const { id, recipient } = await pay('01');
    const reading = await Asker.from(await start([]));
    const writing = await Asker.from(await start());
    const before = await state();
    for (const asked of [
      { control: 'sandbox.clock.advance', body: { advance_ms: 3_600_000 } },
      { control: 'sandbox.balances.credit', id: 'EUR', body: { amount: '1000.50' } },
      { control: 'sandbox.faults.arm', body: { fault: 'response-lost', times: 2 } },
      { control: 'sandbox.payouts.answer', id: recipient, body: { outcome: 'error' } },
      { control: 'sandbox.seed', body: {} },
    ] as const) {
      const held = await state();
      const refused = await reading.ask('arrange', asked);
      expect([refused.status, refused.data.problem.code], asked.control).toEqual([400, 'read_only']);
      expect(await state()).toEqual(held);
      expect((await writing.ask('arrange', asked)).status, asked.control).toBe(200);
    }
    const after = await state();
    expect(Date.parse(after.clock.now) - Date.parse(before.clock.now)).toBe(3_600_000);
    expect(after.counts.transactions).toBe((before.counts.transactions ?? 0) + 10);
    const shown = (await writing.ask('sandbox', {})).data;
    expect(shown.armed).toEqual([
      { id: 'f1', text: 'response-lost for all: 2 more', command: 'remit sandbox faults --disarm f1' },
    ]);
    await writing.ask('arrange', { control: 'sandbox.faults.disarm', id: 'f1', body: {} });
    expect((await writing.ask('sandbox', {})).data.armed).toEqual([]);
    // By the external id the story is that of the payment, and the terminal tells the same changes.
    const story = (await writing.ask('explain', { id: 'wages-1' })).data;
    const told = (await bench.run(['sandbox', 'explain', id, '-o', 'json'])).data<{ to: string }[]>();
    expect(story.changes).toHaveLength(told.length);
    expect(story.title).toBe(`transaction ${id} is received`);
    expect(story.changes.at(-1).text).toContain('error');
  });

  it('refuses what the sandbox refuses, in its words', async () => {
    const asker = await Asker.from(await start());
    const refusal = async (asked: Parameters<typeof asker.ask<'arrange'>>[1]) => {
      const { status, data } = await asker.ask('arrange', asked);
      return [status, data.problem.message];
    };
    expect(
      await refusal({ control: 'sandbox.balances.credit', id: 'EUR', body: { amount: 'a lot' } }),
    ).toEqual([422, expect.stringContaining('amount')]);
    expect(await refusal({ control: 'sandbox.payouts.answer', id: 'nobody', body: {} })).toEqual([
      404,
      expect.stringContaining('nobody'),
    ]);
    const none = await asker.ask('play', { name: 'constructor' });
    expect([none.status, none.data.problem.code]).toEqual([404, 'not_found']);
    // A control that throws all data away is no control of the page.
    const reset = await asker.ask('arrange', { control: 'sandbox.reset', body: {} } as never);
    expect(reset.status).toBe(400);
  });

  it('plays a scenario that comes with remit, and this sandbox hears nothing of it', async () => {
    const asker = await Asker.from(await start([]));
    const before = await state();
    const { data } = await asker.ask('play', { name: 'answer-lost' });
    const told = (await bench.run(['sandbox', 'scenario', 'answer-lost', '-o', 'json'])).data<object[]>();
    expect(data).toMatchObject({ failed: null });
    expect(data.steps).toHaveLength(told.length);
    expect(await state()).toEqual(before);
  });

  it('is nobody else’s: without its token there is no such view, and no control', async () => {
    rmSync(controlTokenPath({ REMIT_CONFIG_DIR: bench.dir }, baseUrl));
    const asker = await Asker.from(await start());
    expect((await asker.ask('about', {})).data.hasControls).toBe(false);
    for (const answer of [
      await asker.ask('sandbox', {}),
      await asker.ask('arrange', { control: 'sandbox.clock.run', body: {} }),
    ])
      expect(answer.data.problem.code).toBe('no_control_token');
  });
});

describe.skipIf(noBrowser)('on the page', () => {
  it.each(some(WINDOWS, 1))('$size and $look', async ({ size, look, ...window }) => {
    const { recipient } = await pay('01');
    const { url } = await start();
    const tab = await browser.open(url, window);
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.keyboard.press('x');
    await heading(page, 'Sandbox');
    const before = await state();
    await page.getByRole('button', { name: 'Move on' }).click();
    await page.getByText('The clock has moved').waitFor();
    expect(Date.parse((await state()).clock.now) - Date.parse(before.clock.now)).toBe(61 * 60_000);
    // Beside each control stands the command that does the same, with the fields as they are.
    const commandsOf = (label: string) => page.getByLabel(label, { exact: true }).locator('.command code');
    expect(await commandsOf('Clock').allTextContents()).toEqual([
      'remit sandbox clock advance 61m',
      expect.stringMatching(/^remit sandbox clock (run|stop)$/),
      'remit sandbox seed',
    ]);
    await page.getByRole('textbox', { name: 'amount' }).fill('250');
    expect(await commandsOf('Balances and ledger').allTextContents()).toEqual([
      'remit sandbox balance EUR +250',
    ]);
    await page.getByRole('textbox', { name: 'amount' }).fill('1; rm -r');
    expect(await commandsOf('Balances and ledger').allTextContents()).toEqual([
      'remit sandbox balance EUR +AMOUNT',
    ]);
    expect(await commandsOf('Faults').allTextContents()).toEqual(['remit sandbox fail refused --next 1']);
    expect(await commandsOf('Scenario').allTextContents()).toEqual(['remit sandbox scenario demo']);
    expect(await commandsOf('The provider’s answer').allTextContents()).toEqual([
      'remit sandbox payout PAYMENT --outcome paid',
    ]);
    expect(await commandsOf('Why it is so').allTextContents()).toEqual(['remit sandbox explain ID']);
    await page.getByLabel('Faults').getByRole('button', { name: 'Arm' }).click();
    await page.getByText('refused for all: 1 more').waitFor();
    await page.getByRole('button', { name: 'Disarm refused for all: 1 more' }).click();
    await page.getByText('No fault is armed.').waitFor();
    await page.getByLabel('Scenario').getByRole('button', { name: 'Run' }).click();
    await page.getByText('and the books balance.').waitFor();
    await page.goto(`${new URL(url).origin}/#/p/${recipient}`);
    await page.getByRole('link', { name: 'In the sandbox' }).click();
    await heading(page, 'Sandbox');
    expect(new URL(page.url()).hash).toBe(`#/sandbox?of=${recipient}`);
    await page.getByText(`recipient ${recipient} is pending`).waitFor();
    await isSound(tab, `sandbox-${size}-${look}`);
  });
});
