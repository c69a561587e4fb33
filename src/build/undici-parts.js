/**
 * Leaves out of the build what undici's entry loads and this program has no use for (decision 0001): fetch, web sockets, caches,
 * interceptors, mocks and HTTP/2, which is never negotiated unless it is asked for. They are four fifths of what a write would
 * load before it is sent. Only where undici itself imports one of its own parts something empty stands in its place.
 */
const PARTS = ['cache/', 'interceptor/', 'mock/', 'web/', 'dispatcher/client-h2.js'];
const PART = /\/node_modules\/undici\/lib\/(.+)$/;
const EMPTY = '\0undici-part';

const left = new Set(PARTS);

export const undiciParts = {
  name: 'undici-parts',
  async resolveId(source, importer, options) {
    if (!source.startsWith('.') || !importer?.replaceAll('\\', '/').includes('/node_modules/undici/'))
      return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const [, path] = PART.exec(found?.id.replaceAll('\\', '/') ?? '') ?? [];
    const part = PARTS.find((one) => path?.startsWith(one));
    if (part === undefined) return found;
    left.delete(part);
    return EMPTY;
  },
  // The entry makes one of these for its own cache.
  load: (id) => (id === EMPTY ? 'export class CacheStorage {}' : null),
  // A new version that is laid out otherwise would bring all of it back, and nobody would notice.
  buildEnd(error) {
    if (!error && left.size > 0)
      throw new Error(
        `undici has no ${[...left].join(', ')} any more: look through src/build/undici-parts.js`,
      );
  },
};
