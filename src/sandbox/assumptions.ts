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

const ROW = /^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| `([a-z0-9-]+)` \|$/gm;

export const assumptions: readonly Assumption[] = [...page.matchAll(ROW)].map(
  ([, area = '', rule = '', why = '', where = '', id = '']) => ({ id, area, rule, why, where }),
);
