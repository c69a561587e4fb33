/** The target of a request, as it was sent. */

/** Path and query of a target, absolute or not, as they were sent. */
export function targetOf(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const target = start < 0 ? '/' : url.slice(start);
  const end = target.indexOf('#');
  const sent = end < 0 ? target : target.slice(0, end);
  const mark = sent.indexOf('?');
  return mark < 0 ? { path: sent, query: '' } : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}
