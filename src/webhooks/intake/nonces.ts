/** Tells which deliveries were taken before, in the memory of one process. */
import { OptionError } from '../../core/check-options.ts';
import type { NonceStore } from '../store/nonces-port.ts';

/** @param keep how many to remember; `all` grows with every delivery, a number forgets the oldest */
export function noncesInMemory(options: { keep: number | 'all' }): NonceStore & { readonly size: number } {
  const keep = (options as typeof options | undefined)?.keep;
  if (keep !== 'all' && !(typeof keep === 'number' && Number.isInteger(keep) && keep > 0))
    throw new OptionError('invalid', 'keep', 'keep is a whole number above 0, or "all"');
  const most = keep === 'all' ? Number.POSITIVE_INFINITY : keep;
  const taken = new Set<string>();
  const underWay = new Set<string>();
  return {
    get size() {
      return taken.size;
    },
    async claim(print) {
      if (taken.has(print)) return 'taken';
      if (underWay.has(print)) return 'under_way';
      underWay.add(print);
      return 'new';
    },
    async finish(print) {
      underWay.delete(print);
      taken.add(print);
      if (taken.size > most) taken.delete(taken.values().next().value as string);
    },
    async release(print) {
      underWay.delete(print);
    },
  };
}
