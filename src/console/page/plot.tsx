/** Plots. Their places are rounded to pixels; the figures themselves stand beside them. */
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Point } from '../../payments/shapes/pieces.ts';
import type { PagePart } from '../wire.ts';

const LETTER_PX = 6.5;
/** All of them are there in the build that is bundled. */
const paths = UPlot.paths as Required<UPlot.Series.PathBuilderFactories>;
const scaleWords = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

type Plotted = Omit<NonNullable<PagePart['plot']>, 'as'>;

export const Plot = ({ plot: { as, ...plot } }: { plot: NonNullable<PagePart['plot']> }) =>
  as === 'bars' ? <Bars {...plot} /> : <Steps {...plot} />;

/** Bars lie below each other. */
const Bars = ({ label, points }: Plotted) => (
  <figure aria-label={label}>
    <dl>
      {points.map((one) => (
        <Fragment key={one.label}>
          <dt>{one.label}</dt>
          <dd>
            <progress
              max={Math.max(...points.map(({ place }) => place ?? 0))}
              value={one.place ?? 0}
              aria-hidden="true"
            />{' '}
            {one.text}
          </dd>
        </Fragment>
      ))}
    </dl>
  </figure>
);

/** Steps go from left to right on a canvas, and stay where they are until the next. */
function Steps({ label, points }: Plotted) {
  const box = useRef<HTMLDivElement>(null);
  const under = useSignal<Point | undefined>(undefined);
  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const size = () => ({ width: at.clientWidth, height: 200 });
    const setCursor = ({ cursor: { idx } }: UPlot): void => {
      under.value = points[idx ?? -1];
    };
    const data = [points.map((_, index) => index), points.map(({ place }) => place)] as UPlot.AlignedData;
    const options = {
      ...lookOf(at, points),
      ...size(),
      legend: { show: false },
      hooks: { setCursor: [setCursor] },
    };
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
      <figcaption class="quiet" aria-hidden="true">
        {under.value === undefined ? label : `${under.value.label}: ${under.value.text}`}
      </figcaption>
    </figure>
  );
}

const widthOf = (words: readonly string[] | null): number =>
  Math.max(0, ...(words ?? []).map((word) => word.length)) * LETTER_PX + 14;
const values = (_: UPlot, splits: number[]): string[] => splits.map((one) => scaleWords.format(one));

function lookOf(
  at: HTMLElement,
  points: readonly Point[],
): Pick<UPlot.Options, 'scales' | 'axes' | 'series' | 'cursor'> {
  // A canvas knows no custom properties: the colours are read from the element, which has them, whenever it is drawn.
  const own = getComputedStyle(at);
  const mark = (): string => own.caretColor;
  const grid = { stroke: () => own.borderBottomColor, width: 1 };
  const font = '12px system-ui, sans-serif';
  const axis = { font, stroke: () => own.color, ticks: { show: false }, size: 30, grid: { show: false } };
  const days = (_: UPlot, splits: number[]) => splits.map((one) => points[one]?.label.slice(8, 10) ?? '');
  const dots = { show: true, size: 5, fill: mark };
  return {
    scales: { x: { time: false, range: [0, Math.max(1, points.length - 1)] } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 10], values: days },
      { ...axis, grid, size: (_, words) => widthOf(words), values },
    ],
    series: [{}, { stroke: mark, width: 2, paths: paths.stepped({ align: 1 }), points: dots }],
    cursor: { y: false, drag: { x: false, y: false } },
  };
}
