/** The report as one page for a browser, without scripts or anything to load. */
import { xmlText } from '../../tables/xml-text.ts';
import { requestLine } from './junit.ts';
import type { AuditReport } from './record.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}' +
  'h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}pre{background:#f4f4f4;padding:.8rem;overflow-x:auto;font-size:.85rem}' +
  'table{border-collapse:collapse}td{padding:.2rem 1rem .2rem 0;vertical-align:top}.found{border-left:4px solid #b00020;padding-left:1rem;margin:1.5rem 0}';

const t = xmlText;
const list = (items: readonly string[]): string =>
  `<ul>${items.map((one) => `<li>${t(one)}</li>`).join('')}</ul>`;

export function htmlOf(report: AuditReport): string {
  const { verdict, not_tried, findings, habits, wished, left_out, program, seed, remit, at } = report;
  const rows = (pairs: readonly (readonly [string, string])[]): string =>
    `<table>${pairs.map(([name, value]) => `<tr><td>${t(name)}</td><td>${t(value)}</td></tr>`).join('')}</table>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>Audit: ${t(verdict)}</title><style>${STYLE}</style></head><body><h1>Audit of ${t(program.command)}</h1>`,
    '<h2>Not tried</h2>',
    not_tried.length === 0 ? '<p>Everything that this version knows was tried.</p>' : list(not_tried),
    `<h2>Verdict</h2><p><strong>${t(verdict)}</strong></p>`,
    ...findings.map(
      ({ says, payment, count, cases, ways, case: shown, replay, requests }) =>
        `<div class="found"><p><strong>${t(payment)}</strong>: ${t(says)}, by ${count}. Seen in ${cases} cases (${t(ways.join(', '))}).</p>` +
        `<p>The shortest: <code>${t(shown)}</code></p><pre>${t(requests.map(requestLine).join('\n'))}</pre><p>Again: <code>${t(replay)}</code></p></div>`,
    ),
    '<h2>How it behaves</h2>',
    rows(habits.map(({ says, did, of }) => [says, `${did} of ${of} times`])),
    '<h2>What was compared</h2>',
    list(wished),
    left_out.length === 0
      ? ''
      : `<p>Left out, since it differs between two runs without a fault:</p>${list(left_out)}`,
    '<h2>Which code</h2>',
    rows([
      [
        'commit',
        program.commit === null ? 'no git' : `${program.commit}${program.is_dirty ? ', with changes' : ''}`,
      ],
      ['lock file', program.lock_file === null ? 'none' : `${program.lock_file} ${program.lock_sha256}`],
      ['seed', seed],
      ['remit', remit],
      ['at', at],
    ]),
    '<p>This is a report of what was tried. It is no certificate.</p></body></html>\n',
  ].join('\n');
}
