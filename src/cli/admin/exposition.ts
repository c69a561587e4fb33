/** Writes figures as the text that Prometheus reads: its own format 0.0.4, or OpenMetrics 1.0. */
import { type Family, type FamilyName, families } from './families.ts';
import type { Distribution, Readings } from './meter.ts';

export type Exposition = 'prometheus' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<Exposition, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Answers OpenMetrics to whoever prefers it to plain text. */
export function expositionFor(accept: string): Exposition {
  const weightOf = (type: string): number => {
    const asked = accept.split(',').find((part) => part.trim().toLowerCase().startsWith(type));
    const [, q = '1'] = /;\s*q=([\d.]+)/i.exec(asked ?? '') ?? [];
    return asked === undefined ? 0 : Number(q);
  };
  const open = weightOf('application/openmetrics-text');
  return open > 0 && open >= weightOf('text/plain') ? 'openmetrics' : 'prometheus';
}

/** Families without a value are left out: zero would be a claim. */
export function writeMetrics(readings: Readings, as: Exposition): string {
  const lines: string[] = [];
  for (const name of Object.keys(families) as FamilyName[]) {
    const series = readings[name] ?? [];
    if (series.length === 0) continue;
    const family: Family = families[name];
    const title = as === 'openmetrics' && family.type === 'counter' ? name.replace(/_total$/, '') : name;
    lines.push(`# HELP ${title} ${family.help}`, `# TYPE ${title} ${family.type}`);
    for (const [values, value] of series) {
      const labels = (family.labels ?? []).map((label, at) => `${label}="${escaped(values[at] ?? '')}"`);
      if (typeof value === 'number') lines.push(`${name}${braced(labels)} ${value}`);
      else lines.push(...distributed(name, family.bounds ?? [], value));
    }
  }
  if (as === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function distributed(name: string, bounds: readonly number[], { counts, sum }: Distribution): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{le="${boundText(bounds[at])}"} ${total}`;
  });
  return [...buckets, `${name}_sum ${sum}`, `${name}_count ${total}`];
}

/** OpenMetrics wants `1.0`, and the other format takes it. */
const boundText = (bound: number | undefined): string =>
  bound === undefined ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound);

const braced = (labels: readonly string[]): string => (labels.length === 0 ? '' : `{${labels.join(',')}}`);
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
