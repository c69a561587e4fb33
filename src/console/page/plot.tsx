/** A plot on a canvas. Its places are rounded to pixels; the figures themselves stand in a table beside it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Point } from '../wire.ts';

const FONT = '12px system-ui, sans-serif';
/** All of them are there in the build that is bundled. */
const paths = UPlot.paths as Required<UPlot.Series.PathBuilderFactories>;
const LETTER_PX = 7;
const BAR_PX = 30;
const scaleWords = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

interface Given {
  points: readonly Point[];
  /** For those who do not see it. */
  label: string;
  /** `steps` go from left to right and stay where they are until the next; `bars` lie below each other. */
  as: 'steps' | 'bars';
}

export function Plot({ points, label, as }: Given) {
  const box = useRef<HTMLDivElement>(null);
  const under = useSignal<Point | undefined>(undefined);
  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const size = () => ({ width: at.clientWidth, height: as === 'bars' ? points.length * BAR_PX + 40 : 200 });
    const made =
      as === 'bars' ? bars(at, points) : steps(at, points, (index) => (under.value = points[index]));
    const data = [points.map((_, index) => index), points.map(({ place }) => place)] as UPlot.AlignedData;
    const plot = new UPlot({ ...made, ...size(), legend: { show: false } }, data, at);
    const fit = new ResizeObserver(() => plot.setSize(size()));
    fit.observe(at);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const again = (): void => plot.redraw(false, true);
    dark.addEventListener('change', again);
    return () => {
      dark.removeEventListener('change', again);
      fit.disconnect();
      plot.destroy();
    };
  }, [points]);
  return (
    <figure>
      <div class="plot" ref={box} role="img" aria-label={label} />
      <figcaption class="quiet" aria-hidden="true">
        {under.value === undefined ? label : `${under.value.label}: ${under.value.text}`}
      </figcaption>
    </figure>
  );
}

type Look = Omit<UPlot.Options, 'width' | 'height'>;

/** A canvas knows no custom properties: the colours are read from the element, which has them, whenever it is drawn. */
function colours(at: HTMLElement) {
  const own = getComputedStyle(at);
  const [text, grid, mark] = [() => own.color, () => own.borderBottomColor, () => own.caretColor];
  const axis = { font: FONT, stroke: text, ticks: { show: false } };
  return { text, mark, axis, grid: { stroke: grid, width: 1 } };
}

const widthOf = (words: readonly string[] | null): number =>
  Math.max(0, ...(words ?? []).map((word) => word.length)) * LETTER_PX + 14;
const inScale = (_: UPlot, splits: number[]): string[] => splits.map((one) => scaleWords.format(one));

function steps(at: HTMLElement, points: readonly Point[], over: (index: number) => void): Look {
  const { mark, axis, grid } = colours(at);
  const days = (_: UPlot, splits: number[]): string[] =>
    splits.map((one) => points[one]?.label.slice(8, 10) ?? '');
  return {
    scales: { x: { time: false, range: [0, Math.max(1, points.length - 1)] } },
    axes: [
      { ...axis, size: 30, grid: { show: false }, incrs: [1, 2, 5, 10], values: days },
      { ...axis, grid, size: (_, words) => widthOf(words), values: inScale },
    ],
    series: [
      {},
      {
        stroke: mark,
        width: 2,
        paths: paths.stepped({ align: 1 }),
        points: { show: true, size: 5, fill: mark },
      },
    ],
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor: { idx } }) => over(idx ?? -1)] },
  };
}

function bars(at: HTMLElement, points: readonly Point[]): Look {
  const { mark, axis, grid } = colours(at);
  const labels = points.map(({ label }) => label);
  return {
    scales: {
      x: { time: false, ori: 1, dir: -1, range: [-0.5, points.length - 0.5] },
      y: { ori: 0, dir: 1, range: (_, __, most) => [0, Math.max(1, most) * 1.05] },
    },
    axes: [
      {
        ...axis,
        side: 3,
        grid: { show: false },
        size: widthOf(labels),
        splits: () => points.map((_, n) => n),
        values: () => labels,
      },
      {
        ...axis,
        side: 2,
        grid,
        size: 30,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e6],
        values: inScale,
      },
    ],
    series: [
      {},
      { fill: mark, paths: paths.bars({ size: [0.6, BAR_PX] }), points: { show: false } },
    ],
    cursor: { show: false },
  };
}
