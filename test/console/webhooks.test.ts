/**
 * Deliveries on the page, as they come: a sandbox, a listener and a console, each a process of its own, and an inbox that they share as
 * files. The page must have each delivery once, with its verdict, whatever breaks off in between.
 */
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MOST_DELIVERIES } from '../../src/console/wire/webhooks.ts';
import type { DeliveryOutput } from '../../src/payments/shapes/pieces.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { real } from '../support/clock.ts';
import { Asker } from '../support/console.ts';
import { credentialsIn, useListening } from '../support/listen-runs.ts';
import { bodyOf, headersFor } from '../support/listening.ts';
import { isLong, some } from '../support/long.ts';
import { PATIENCE_MS, TEST_MS } from '../support/patience.ts';
import { heading, isSound, WINDOWS } from '../support/sound.ts';

const { home, sandbox, listen, sender, listOf, stop, handlerFor } = useListening();
const browser = useBrowser();
afterEach(() => browser.closeAll());

async function openConsole(flags = ['--write']): Promise<{ url: string; origin: string }> {
  const program = home.start(['console', ...flags, '--no-browser']);
  const url = await program.line((line) => line.startsWith('http://127.0.0.1:'));
  return { url, origin: new URL(url).origin };
}

/** As the service delivers it, signed with the secret of the sandbox's profile, or with a wrong one. */
function deliver(to: string, id: string, secret?: string): Promise<Response> {
  const by = credentialsIn(home.dir);
  const body = bodyOf(id);
  const headers = headersFor(to, body, { by: secret === undefined ? by : { ...by, secret } });
  return fetch(to, { method: 'POST', body, headers });
}

/** The long form goes on for so many; ten of them are more than a page keeps. */
const MINUTES = Number(process.env.REMIT_MINUTES ?? 1);

const rowsIn = (told: readonly { rows: readonly DeliveryOutput[] }[]): Map<string, DeliveryOutput> =>
  new Map(told.flatMap(({ rows }) => [...rows].reverse().map((row) => [row.id, row] as const)));

describe('a live answer', () => {
  it('says where no listener ran yet, and tells what comes from the moment one does', async () => {
    await sandbox();
    const asker = await Asker.from(await openConsole());
    const [first] = await asker.hear('deliveries', { after: '' }, (told) => told.length > 0);
    expect(first).toMatchObject({ begin: 'remit webhooks listen', rows: [] });
    const isHandedOn = ({ event, state }: DeliveryOutput): boolean =>
      event === 'sender.approved' && state.word === 'verified, handed on';
    const hearing = asker.hear('deliveries', { after: '' }, (told) =>
      [...rowsIn(told).values()].some(isHandedOn),
    );
    const { program } = await listen();
    await sender('customer-1');
    expect([...rowsIn(await hearing).values()].some(isHandedOn)).toBe(true);
    await stop(program);
  });

  it('goes on behind the last one that the page has, and tells again what changed', async () => {
    await sandbox();
    const handler = await handlerFor();
    handler.answers.status = () => 500;
    const { ready, program } = await listen('--forward-to', handler.to);
    const asker = await Asker.from(await openConsole());
    await deliver(ready.registered ?? '', 'r-1');
    const before = await asker.hear('deliveries', { after: '' }, (told) =>
      [...rowsIn(told).values()].some(({ tries }) => tries > 0),
    );
    const [one] = [...rowsIn(before).values()];
    expect(one).toMatchObject({ state: { word: 'verified, waits for the handler' }, answer: '500' });
    handler.answers.status = () => 200;
    await deliver(ready.registered ?? '', 'r-2');
    const after = await asker.hear('deliveries', { after: before.at(-1)?.after ?? '' }, (told) => {
      const rows = [...rowsIn(told).values()];
      return rows.length === 2 && rows.every(({ state }) => state.word === 'verified, handed on');
    });
    expect([...rowsIn(after).values()].map(({ object }) => object).sort()).toEqual(['r-1', 'r-2']);
    await stop(program);
  });

  it('ends with the session that it was opened in', async () => {
    await sandbox();
    const opened = await openConsole();
    const asker = await Asker.from(opened);
    const { ready } = await listen();
    const hearing = asker.hear('deliveries', { after: '' }, () => false);
    await asker.ask('about', {});
    // The code a second time signs the page out: nothing more is told to it.
    await new Asker(opened.origin).signIn(opened.url);
    await deliver(ready.registered ?? '', 'r-1');
    expect(rowsIn(await hearing).size).toBe(0);
  });
});

describe('one delivery', () => {
  it('is shown whole without its signature, is handed on again, and one that does not verify never is', async () => {
    await sandbox();
    const handler = await handlerFor();
    const { ready } = await listen('--forward-to', handler.to);
    const asker = await Asker.from(await openConsole());
    await deliver(ready.registered ?? '', 'r-1');
    await deliver(ready.registered ?? '', 'r-2', 'another-made-up-secret');
    const told = await asker.hear(
      'deliveries',
      { after: '' },
      (all) =>
        [...rowsIn(all).values()].every(({ state }) => /handed on|does not/.test(state.word)) &&
        rowsIn(all).size === 2,
    );
    const rows = [...rowsIn(told).values()];
    const [good, bad] = ['r-1', null].map((object) => rows.find((row) => row.object === object));
    expect(bad).toMatchObject({ event: null, object: null, state: { word: 'does not verify', look: 'bad' } });
    expect(bad?.answer).toMatch(/secret|key/);
    const { data } = await asker.ask('delivery', { id: good?.id ?? '' });
    expect(data).toMatchObject({ canReplay: true, row: { object: 'r-1' } });
    expect(JSON.parse(data.body)).toMatchObject({ object: { id: 'r-1' } });
    const listed = await listOf('webhooks', 'show', good?.id ?? '');
    expect(data.headers.map(({ label }: { label: string }) => label).sort()).toEqual(
      Object.keys(listed.headers).sort(),
    );
    const { secret } = credentialsIn(home.dir);
    const signature = handler.got.all[0]?.headers['authorization-signature'];
    expect(JSON.stringify(data)).not.toContain(signature ?? 'no signature came');
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(handler.got.all).toHaveLength(1);
    expect((await asker.ask('replay', { id: good?.id ?? '' })).status).toBe(200);
    await expect.poll(() => handler.got.all.length).toBe(2);
    const refused = await asker.ask('replay', { id: bad?.id ?? '' });
    expect([refused.status, refused.data.problem.message]).toEqual([
      400,
      expect.stringContaining('never replayed'),
    ]);
  });

  it('that was missed is found by a comparison with the service’s log, and comes then', async () => {
    await sandbox();
    const { program, ready } = await listen();
    await sender('customer-1');
    const asker = await Asker.from(await openConsole());
    await asker.hear('deliveries', { after: '' }, (told) => rowsIn(told).size >= 2);
    program.signal('SIGKILL');
    await program.ended;
    await sender('customer-2');
    const { data } = await asker.ask('compare', {});
    expect(data.said).toMatch(/^\d deliver(?:y was|ies were) missed/);
    expect(data.missed.length).toBeGreaterThan(0);
    const told = await asker.hear('deliveries', { after: '' }, (all) => rowsIn(all).size > 2);
    expect([...rowsIn(told).values()].some(({ marks }) => marks === 'from the log')).toBe(true);
    expect(ready.url).toBeDefined();
  });

  it('is read on a page that only reads: nothing is handed on, fetched or made up there', async () => {
    await sandbox();
    const { ready } = await listen();
    await deliver(ready.registered ?? '', 'r-1');
    const asker = await Asker.from(await openConsole([]));
    const told = await asker.hear('deliveries', { after: '' }, (all) => rowsIn(all).size > 0);
    const [id = ''] = rowsIn(told).keys();
    expect((await asker.ask('delivery', { id })).status).toBe(200);
    for (const answer of [
      await asker.ask('replay', { id }),
      await asker.ask('compare', {}),
      await asker.ask('test', { to: ready.url ?? '', event: 'recipient.error' }),
    ])
      expect([answer.status, answer.data.problem.code]).toEqual([400, 'read_only']);
  });

  it('is made up for a handler of this machine, and for no other', async () => {
    await sandbox();
    const handler = await handlerFor();
    handler.answers.status = () => 204;
    const asker = await Asker.from(await openConsole());
    const sent = await asker.ask('test', { to: handler.to, event: 'recipient.error' });
    expect(sent.data.said).toMatch(/^Signed with the test key; the handler answered 204/);
    expect(JSON.parse(handler.got.all[0]?.body ?? '')).toMatchObject({ event: 'recipient.error' });
    for (const to of ['http://192.0.2.7/hooks', 'file:///etc/passwd', 'hooks'])
      expect((await asker.ask('test', { to, event: 'recipient.error' })).data.problem.message, to).toContain(
        'no handler of this machine',
      );
    expect((await asker.ask('test', { to: handler.to, event: 'nothing.known' })).status).toBe(400);
  });
});

/** Asks for changes until the text is there: an earlier delivery may change once more, and the pointer is then over the list. */
const shown = (page: Page, text: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const show = page.getByRole('button', { name: /change.*, show/ });
      if (await show.isVisible()) await show.click({ timeout: PATIENCE_MS / 100 });
      await page.getByText(text).waitFor({ timeout: PATIENCE_MS / 100 });
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );

describe.skipIf(noBrowser)('on the page', () => {
  it.each(some(WINDOWS, 1))('$size and $look', async ({ size, look, ...window }) => {
    await sandbox();
    const { ready } = await listen();
    const { url } = await openConsole();
    const tab = await browser.open(url, window);
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.keyboard.press('w');
    await heading(page, 'Webhooks');
    for (const id of ['r-1', 'r-2', 'r-3']) await deliver(ready.registered ?? '', id);
    await deliver(ready.registered ?? '', 'r-4', 'another-made-up-secret');
    await page.getByText('does not verify').waitFor();
    await page.getByText('r-3').waitFor();
    // While somebody points at the list nothing in it moves.
    const first = page.getByRole('link', { name: 'recipient.error' }).first();
    await first.hover();
    const held = await page.locator('tbody').textContent();
    await deliver(ready.registered ?? '', 'r-5');
    await page.getByRole('button', { name: /change.*, show/ }).waitFor();
    expect(await page.locator('tbody').textContent()).toBe(held);
    await shown(page, 'r-5');
    // Nor with the focus in it, or a marked text.
    await page.mouse.move(0, 0);
    for (const [n, hold] of [
      ['focus', 'document.querySelector("tbody a.name").focus()'],
      [
        'mark',
        'document.activeElement.blur(); getSelection().selectAllChildren(document.querySelector("tbody td"))',
      ],
    ] as const) {
      await page.evaluate(hold);
      const before = await page.locator('tbody').textContent();
      await deliver(ready.registered ?? '', `r-${n}`);
      await page.getByRole('button', { name: /change.*, show/ }).waitFor();
      expect(await page.locator('tbody').textContent(), n).toBe(before);
      await shown(page, `r-${n}`);
    }
    await page.evaluate('getSelection().removeAllRanges()');
    // A press that began before something came ends on the row on which it began.
    const pressed = page.getByRole('link', { name: 'not known' });
    await pressed.hover();
    await page.mouse.down();
    await deliver(ready.registered ?? '', 'r-6');
    await page.getByRole('button', { name: /change.*, show/ }).waitFor();
    await page.mouse.up();
    await heading(page, 'Delivery');
    await page.goBack();
    await page.getByText('r-6').waitFor();
    // The one that does not verify stands where it came: its id says nothing of that.
    const objects = page.locator('tbody td:last-child');
    expect(await objects.allTextContents()).toEqual([
      'r-6',
      'r-mark',
      'r-focus',
      'r-5',
      '',
      'r-3',
      'r-2',
      'r-1',
    ]);
    await isSound(tab, `webhooks-${size}-${look}`);
    await first.click();
    await heading(page, 'recipient.error');
    await page.getByText('authorization-nonce').first().waitFor();
    await isSound(tab, `webhook-${size}-${look}`);
  });

  it('a tab that nobody sees hears nothing, and goes on when it is seen again', async () => {
    await sandbox();
    const { ready } = await listen();
    const { url, origin } = await openConsole();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    await page.goto(`${origin}/#/webhooks`);
    await page.getByText('No delivery came yet.').waitFor();
    const becomes = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`,
      );
    const isLive = (request: { url(): string }) => request.url().endsWith('/api/webhooks');
    const ended = page.waitForEvent('requestfailed', isLive);
    const hidden: string[] = [];
    page.on('request', (request) => hidden.push(request.url()));
    await becomes('hidden');
    await ended;
    await deliver(ready.registered ?? '', 'r-1');
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    expect(hidden).toEqual([]);
    const begun = page.waitForEvent('request', isLive);
    await becomes('visible');
    await begun;
    await page.getByText('r-1').waitFor();
  });

  it('keeps up with 100 deliveries a second, each once', {
    timeout: TEST_MS + 60_000 * MINUTES,
  }, async () => {
    await sandbox();
    const { ready } = await listen();
    const { url, origin } = await openConsole();
    const { page, complaints } = await browser.open(url);
    await heading(page, 'Find a payout');
    await page.goto(`${origin}/#/webhooks`);
    await heading(page, 'Webhooks');
    const seconds = isLong ? 60 * MINUTES : 5;
    const startedAt = real.now();
    let sent = 0;
    while (sent < seconds * 100) {
      const due = Math.min(seconds * 100, Math.ceil((real.now() - startedAt) / 10));
      await Promise.all(
        Array.from({ length: Math.min(25, due - sent) }, () =>
          deliver(ready.registered ?? '', `r-${++sent}`),
        ),
      );
    }
    const shown =
      sent > MOST_DELIVERIES ? `The newest ${MOST_DELIVERIES} deliveries.` : `${sent} deliveries.`;
    await page.getByText(shown).waitFor();
    // The tab answers while they come, and a break in between loses none and doubles none.
    await page.reload();
    await page.getByText(shown).waitFor();
    expect(complaints).toEqual([]);
  });
});
