/** A plot on a canvas. Its places are rounded to pixels; the figures themselves stand in a table beside it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Point } from '../../desk/shapes/told.ts';
import type { MonthPart } from '../wire.ts';

const LETTER_PX = 6.5;
const BAR_PX = 30;
/** All of them are there in the build that is bundled. */
const paths = UPlot.paths as Required<UPlot.Series.PathBuilderFactories>;
const scaleWords = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** Steps go from left to right, and stay where they are until the next; bars lie below each other. */
export function Plot({ plot: { as, label, points } }: { plot: NonNullable<MonthPart['plot']> }) {
  const box = useRef<HTMLDivElement>(null);
  const under = useSignal<Point | undefined>(undefined);
  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const size = () => ({ width: at.clientWidth, height: as === 'bars' ? points.length * BAR_PX + 40 : 200 });
    const look = (as === 'bars' ? bars : steps)(at, points);
    const setCursor = ({ cursor: { idx } }: UPlot): void => {
      under.value = points[idx ?? -1];
    };
    const data = [points.map((_, index) => index), points.map(({ place }) => place)] as UPlot.AlignedData;
    const options = { ...look, ...size(), legend: { show: false }, hooks: { setCursor: [setCursor] } };
    const plot = new UPlot(options, data, at);
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
      <div class="plot quiet" ref={box} role="img" aria-label={label} />
      {as === 'steps' && (
        <figcaption class="quiet" aria-hidden="true">
          {under.value === undefined ? label : `${under.value.label}: ${under.value.text}`}
        </figcaption>
      )}
    </figure>
  );
}

type Look = Pick<UPlot.Options, 'scales' | 'axes' | 'series' | 'cursor'>;

/** A canvas knows no custom properties: the colours are read from the element, which has them, whenever it is drawn. */
function colours(at: HTMLElement) {
  const own = getComputedStyle(at);
  const axis = {
    font: '12px system-ui, sans-serif',
    stroke: () => own.color,
    ticks: { show: false },
    size: 30,
  };
  const grid = { stroke: () => own.borderBottomColor, width: 1 };
  return {
    mark: () => own.caretColor,
    axis: { ...axis, grid: { show: false } },
    scale: { ...axis, grid },
  };
}

const widthOf = (words: readonly string[] | null): number =>
  Math.max(0, ...(words ?? []).map((word) => word.length)) * LETTER_PX + 14;
const values = (_: UPlot, splits: number[]): string[] => splits.map((one) => scaleWords.format(one));

function steps(at: HTMLElement, points: readonly Point[]): Look {
  const { mark, axis, scale } = colours(at);
  const days = (_: UPlot, splits: number[]) => splits.map((one) => points[one]?.label.slice(8, 10) ?? '');
  const dots = { show: true, size: 5, fill: mark };
  return {
    scales: { x: { time: false, range: [0, Math.max(1, points.length - 1)] } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 10], values: days },
      { ...scale, size: (_, words) => widthOf(words), values },
    ],
    series: [{}, { stroke: mark, width: 2, paths: paths.stepped({ align: 1 }), points: dots }],
    cursor: { y: false, drag: { x: false, y: false } },
  };
}

const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e6];

function bars(at: HTMLElement, points: readonly Point[]): Look {
  const { mark, axis, scale } = colours(at);
  const labels = points.map(({ label }) => label);
  return {
    scales: {
      x: { time: false, ori: 1, dir: -1, range: [-0.5, points.length - 0.5] },
      y: { ori: 0, dir: 1, range: (_, __, most) => [0, Math.max(1, most) * 1.05] },
    },
    axes: [
      { ...axis, side: 3, size: widthOf(labels), splits: () => [...labels.keys()], values: () => labels },
      { ...scale, side: 2, incrs: COUNTS, values },
    ],
    series: [{}, { fill: mark, paths: paths.bars({ size: [0.6, BAR_PX] }), points: { show: false } }],
    cursor: { show: false },
  };
}
