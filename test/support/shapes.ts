/** The published shapes, of every slice: each by its kind, and the check that what a command printed has the shape it names. */
import { join } from 'node:path';
import type { Shape } from '../../src/frame/shape.ts';
import { ROOT, sources } from './source-tree.ts';

const modules = await Promise.all(
  sources('src', (path) => /\/shapes(?:\/[\w-]+)?\.ts$/.test(path)).map(
    ({ path }) => import(join(ROOT, path)) as Promise<Record<string, unknown>>,
  ),
);

export const allShapes: readonly Shape[] = modules
  .flatMap((module) => Object.values(module))
  .filter((one): one is Shape => typeof one === 'object' && one !== null && 'kind' in one && 'schema' in one);

const byKind = new Map(allShapes.map((one) => [one.kind, one]));

interface Printed {
  version: number;
  kind: string;
  data: unknown;
}

/** Throws where a document of the output is not of the shape that it names. What --fields or --query chose is part of one. */
export function checkShapes(argv: readonly string[], stdout: string): void {
  if (argv.some((word) => /^--(?:fields|query)\b/.test(word))) return;
  for (const { version, kind, data } of documentsOf(stdout)) {
    const shape = byKind.get(kind);
    if (shape?.version !== version)
      throw new Error(`no shape is published as ${kind} ${version}: ${argv.join(' ')}`);
    for (const record of Array.isArray(data) ? data : [data]) {
      const { error } = shape.schema.safeParse(record);
      if (error !== undefined)
        throw new Error(
          `remit ${argv.join(' ')} prints no ${kind}: ${error.message}\n${JSON.stringify(record).slice(0, 2_000)}`,
        );
    }
  }
}

/** One for the whole, or one for each line. */
function documentsOf(stdout: string): Printed[] {
  if (!stdout.startsWith('{')) return [];
  const found = [stdout, ...stdout.split('\n')].map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  });
  const [whole, ...lines] = found;
  return (whole === undefined ? lines : [whole]).filter(isPrinted);
}

const isPrinted = (value: unknown): value is Printed =>
  typeof value === 'object' && value !== null && 'version' in value && 'kind' in value && 'data' in value;
