/** The texts that an entry is found by, as one text: each of them on a line. */
import { isUuid } from '../core/ids.ts';
import { type Find, ID_INDEXED } from '../core/ports/books.ts';

const UUID_LENGTH = 36;

/** An id is found by its beginning: its other digits would be half of the index, and as much of the time to write it. */
export const foundBy = (finds: readonly Find[]): string =>
  finds
    .map(({ text }) => (text.length === UUID_LENGTH && isUuid(text) ? text.slice(0, ID_INDEXED) : text))
    .join('\n');
