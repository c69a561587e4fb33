/** What makes one record of a list twice the same. */

const REMEMBERED = 1_000;

/**
 * Whether a record comes for the first time. What is created while a list is read pushes the rest to later pages, so a page
 * repeats the end of the one before it, and never what came long ago: the latest thousand ids are enough, however long the
 * list.
 */
export function firstSight<Item>(): (item: Item) => boolean {
  const latest = new Set<unknown>();
  return (item) => {
    const { id } = item as { id?: unknown };
    if (id === null || id === undefined) return true;
    if (latest.has(id)) return false;
    latest.add(id);
    if (latest.size > REMEMBERED) latest.delete(latest.values().next().value);
    return true;
  };
}
