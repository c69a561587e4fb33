/** The console's list of all payments in a real Chromium: the time of each frame while it scrolls to its end, and while the whole of it scrolls. */
import { type Figure, forComparison } from '../support/figure.ts';
import { onAllCores } from '../support/processor.ts';

const MOST_MEDIAN_MS = 20;
const MOST_95_MS = 50;
/** Pixels in a frame: the list is read to its end in a hurry, and then scrolled as a hand does. */
const HURRY = 3_000;
const HAND = 150;

interface Scrolled {
  frames: number[];
  /** Rows in the document, at most. */
  most: number;
  last: string;
}

/** @param path of the Chromium; undefined where there is none */
export async function listFrames(
  path: string | undefined,
  { origin, token, rows }: { origin: string; token: string; rows: number },
): Promise<Figure> {
  const name = `console: frames of a list of ${rows} rows / ${MOST_MEDIAN_MS} and ${MOST_95_MS} ms`;
  if (path === undefined) return forComparison(name, 'not measured', 'there is no Chromium here');
  const { chromium } = await import('playwright-core');
  const browser = await onAllCores(() => chromium.launch({ executablePath: path, args: ['--no-sandbox'] }));
  try {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    await page.addInitScript(`sessionStorage.setItem('remit.session', ${JSON.stringify(token)})`);
    await page.goto(origin);
    await page.waitForSelector('tr[data-index]');
    const reading = await page.evaluate<Scrolled>(scrolling(HURRY, 0, 100_000));
    const whole = await page.evaluate<Scrolled>(scrolling(HAND, 0.5, 600));
    const sides = [reading, whole].map(({ frames, most, last }) => {
      const sorted = [...frames].sort((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      return { median: at(0.5), most95: at(0.95), longest: at(1), frames: frames.length, most, last };
    });
    // Judged as a hand scrolls. In the hurry each frame has other rows, and a piece is read in between: a fact beside it.
    const [, hand] = sides;
    const values = [(hand?.median ?? Number.NaN) / MOST_MEDIAN_MS, (hand?.most95 ?? Number.NaN) / MOST_95_MS];
    return {
      name,
      value: values.map((value) => value.toFixed(2)).join(' and '),
      asked: '<= 1',
      ok: values.every((value) => value <= 1) && reading.last === `${rows + 1}`,
      facts: sides
        .map(
          (one, index) =>
            `${index === 0 ? 'to the end in a hurry, while it is read' : 'the whole list, as a hand scrolls'}: median ${one.median.toFixed(1)} ms, 95 % under ${one.most95.toFixed(1)}, longest ${one.longest.toFixed(0)}, ${one.frames} frames, ${one.most} rows in the document at most, row ${one.last} at the end`,
        )
        .join('; '),
    };
  } finally {
    await browser.close();
  }
}

/** Ends with the list, or after so many frames. A frame is the time between two calls of `requestAnimationFrame`. */
const scrolling = (step: number, from: number, most: number): string => `new Promise((resolve) => {
  scrollTo(0, document.documentElement.scrollHeight * ${from});
  const frames = [];
  let mostRows = 0;
  let before;
  const isWhole = () => document.querySelector('table').ariaRowCount !== '-1';
  const turn = (now) => {
    if (before !== undefined) frames.push(now - before);
    before = now;
    mostRows = Math.max(mostRows, document.querySelectorAll('tr[data-index]').length);
    const isOver = isWhole() && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    if (isOver || frames.length >= ${most}) {
      const last = [...document.querySelectorAll('tr[data-index]')].at(-1)?.ariaRowIndex ?? '';
      resolve({ frames, most: mostRows, last });
    } else {
      scrollBy(0, ${step});
      requestAnimationFrame(turn);
    }
  };
  requestAnimationFrame(turn);
})`;
