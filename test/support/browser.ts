/** A real Chromium, where there is one. Its console and its requests are listened to: the page logs nothing and asks nobody else. */
import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

const PATH = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) => {
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim();
  } catch {
    return [];
  }
})[0];

/** `.ci/run` asks for it; elsewhere what needs a browser is skipped where there is none. */
export const noBrowser = PATH === undefined && process.env.REMIT_REQUIRE_BROWSER !== '1';

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Messages of its console, and errors that nobody caught. */
  complaints: string[];
  /** Requests to anywhere but the page's own origin. */
  foreign: string[];
}

export interface Window {
  width?: number;
  height?: number;
  dark?: boolean;
}

export function useBrowser() {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    if (noBrowser) return;
    // As root Chromium starts only without its sandbox; it opens nothing but our own pages. A name of somebody else leads here too.
    browser = await chromium.launch({
      executablePath: PATH as string,
      args: ['--no-sandbox', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
    });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    /** A tab of a window of its own, with nothing kept from another one. */
    async open(url: string, { width = 1_400, height = 900, dark = false }: Window = {}): Promise<Tab> {
      if (browser === undefined) throw new Error('there is no browser');
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const tab: Tab = { page, context, complaints: [], foreign: [] };
      page.on('console', (message) => tab.complaints.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => tab.complaints.push(String(error)));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== new URL(url).origin && protocol !== 'data:') tab.foreign.push(request.url());
      });
      await page.goto(url);
      return tab;
    },
    /** Closes every window of the test that ends. */
    async closeAll(): Promise<void> {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    },
  };
}
