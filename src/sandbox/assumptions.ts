/**
 * The rows of docs/assumptions.md, which people edit (decision 0027): what the service's description leaves open and the sandbox decides,
 * beside the moves in the state tables. Code that embodies one names it (`@assumes id`); a test holds both together.
 */
import page from '../../docs/assumptions.md?raw';

export interface Assumption {
  id: string;
  area: string;
  rule: string;
  why: string;
  /** The section of the service's description. */
  where: string;
}

const CELLS = 5;
const ID = /^`([a-z0-9-]+)`$/;

/** Rows of the tables of assumptions, by their last cell: an id. */
export const assumptions: readonly Assumption[] = page.split('\n').flatMap((line) => {
  const cells = line.startsWith('| ') && line.endsWith(' |') ? line.slice(2, -2).split(' | ') : [];
  const id = ID.exec(cells.at(-1) ?? '')?.[1];
  if (cells.length !== CELLS || id === undefined) return [];
  const [area = '', rule = '', why = '', where = ''] = cells;
  return [{ id, area, rule, why, where }];
});
