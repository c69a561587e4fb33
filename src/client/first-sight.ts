/** Recognises a record that a list shows twice. */

const REMEMBERED = 1_000;

/**
 * Returns a function that is true for a record that comes for the first time. Records created while a list is read
 * push the rest to later pages. So a page repeats the end of the one before it, and never records from long before:
 * the latest thousand ids are enough, however long the list.
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
