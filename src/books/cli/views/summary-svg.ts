/**
 * A summary as a picture for a report: a bar for each row, with its words beside it. It is SVG alone, without a script and without
 * anything to be loaded, is read by its title and its texts, and stands on a light and on a dark page. The same rows give the same bytes.
 */

import { money, thousands } from '../../../core/amount-words.ts';
import { xmlText } from '../../../tables/xml-text.ts';
import type { SummaryRow } from '../../summary/summary.ts';
import { groupName } from '../../summary/summary-notes.ts';

const WIDTH = 1_000;
const LABELS = 320;
const BARS = 340;
const GAP = 12;
const LINE = 28;
const TOP = 76;
/** More than a reader can tell apart. */
const MOST = 40;
const LONGEST = 38;

const STYLE = `
    .ink { fill: #1f2328; } .soft { fill: #59636e; } .bar { fill: #0969da; } .page { fill: #ffffff; }
    text { font: 14px system-ui, sans-serif; } .title { font-size: 18px; font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      .ink { fill: #f0f6fc; } .soft { fill: #9198a1; } .bar { fill: #4493f8; } .page { fill: #0d1117; }
    }`;

interface Words {
  /** `Payouts by corridor`. */
  title: string;
  /** The line that says of which time it is, and how old the books are. */
  below: string;
}

export function summarySvg(rows: readonly SummaryRow[], { title, below }: Words): string {
  const shown = rows.slice(0, MOST);
  const left = rows.length - shown.length;
  const most = Math.max(1, ...rows.map(({ payouts }) => payouts));
  const height = TOP + Math.max(1, shown.length) * LINE + (left > 0 ? LINE : 0) + GAP;
  const lines = shown.map((row, place) => lineOf(row, TOP + place * LINE, most));
  const rest =
    left > 0 ? [text(GAP, TOP + shown.length * LINE + 19, 'soft', `and ${thousands(left)} more rows`)] : [];
  const none = rows.length === 0 ? [text(GAP, TOP + 19, 'soft', 'no payouts')] : [];
  const desc = [below, ...shown.map((row) => `${nameOf(row)}: ${amountWords(row)}`)].join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${xmlText(title)}</title>
  <desc id="desc">${xmlText(desc)}</desc>
  <style>${STYLE}
  </style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
  ${text(GAP, 30, 'ink title', title)}
  ${text(GAP, 54, 'soft', below)}
${[...lines, ...none, ...rest].map((line) => `  ${line}\n`).join('')}</svg>
`;
}

/** Two rows of one group differ by their currencies: what is cut is the name before them. */
function nameOf(row: SummaryRow, most = Number.POSITIVE_INFINITY): string {
  const name = [...groupName(row)];
  const pair = [row.input_currency, row.output_currency].filter((one) => one !== null).join(' to ');
  if (name.join('') === pair) return pair;
  const room = most - pair.length - 2;
  return `${name.length > room ? `${name.slice(0, room - 1).join('')}…` : name.join('')}, ${pair}`;
}

function amountWords(row: SummaryRow): string {
  const cost = money(row.input_amount, row.input_currency);
  return `${thousands(row.payouts)} ${row.direction}${row.payouts === 1 ? '' : 's'}, ${cost}`;
}

function lineOf(row: SummaryRow, top: number, most: number): string {
  const width = Math.max(2, Math.round((row.payouts / most) * BARS));
  const y = top + 19;
  return [
    `<text class="ink" x="${LABELS}" y="${y}" text-anchor="end">${xmlText(nameOf(row, LONGEST))}</text>`,
    `<rect class="bar" x="${LABELS + GAP}" y="${top + 4}" width="${width}" height="${LINE - 8}" rx="2"/>`,
    text(LABELS + GAP + width + GAP, y, 'ink', amountWords(row)),
  ].join('');
}

const text = (x: number, y: number, name: string, words: string): string =>
  `<text class="${name}" x="${x}" y="${y}">${xmlText(words)}</text>`;
