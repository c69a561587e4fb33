/** The document and what goes with every answer: nothing is loaded from anywhere, nothing from outside becomes markup. */
import { createHash } from 'node:crypto';

/** The page as the build made it. */
export interface PageFiles {
  script: string;
  style: string;
}

export interface PageDocument {
  html: string;
  /** Sent with every answer, refusals too. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Holds no name and no number: it may be opened by anybody. The profile stands in it, so that the tab looks like what it is before the
 * first call is answered. No service of the browser's translates or spells what is in it.
 */
export function makeDocument(page: PageFiles, isProduction: boolean): PageDocument {
  // The end of an element would end the script, wherever in it that stands.
  const open = (text: string): string => text.replaceAll('</', '<\\/');
  const [script, style] = [open(page.script), open(page.style)];
  const kind = isProduction ? 'production' : 'sandbox';
  const html = `<!doctype html>
<html lang="en" translate="no" data-kind="${kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>remit</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon(isProduction))}">
<style>${style}</style>
</head>
<body spellcheck="false">
<div id="page"><p class="quiet">Opening…</p></div>
<noscript>This page needs JavaScript. In the terminal: remit --help</noscript>
<script type="module">${script}</script>
</body>
</html>
`;
  return { html, headers: headersFor(script, style) };
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const headersFor = (script: string, style: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
});

/** A filled square in production, an empty one on a sandbox: they differ in a row of small tabs, and without colour. */
const icon = (isProduction: boolean): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" y="2" width="12" height="12" rx="3" ${
    isProduction ? 'fill="#c2331f"' : 'fill="none" stroke="#2f6f5e" stroke-width="2"'
  }/></svg>`;
