/** Methods that are loaded when one of them is called: a caller that only reads loads no writes. */
import type { Tracing } from './tracing.ts';
import type { Writes } from './writing.ts';

/** A method of this name. Where it cannot be loaded its call throws that, and nothing was written down or sent. */
export type Later = <Name extends keyof Writes>(name: Name) => Writes[Name];

type Method = (...given: unknown[]) => Promise<unknown>;

export const laterWrites =
  (load: () => Promise<Writes>, within?: Tracing['within']): Later =>
  (name) => {
    const method: Method = async (...given) => {
      const taken = given.map(copied);
      const run = async () => ((await load())[name] as Method)(...taken);
      return within === undefined ? run() : within(name, run);
    };
    return method as never;
  };

/** A caller may use its objects again for the next call: what they say now is what was asked for. One of a class is taken as it is. */
function copied(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(copied);
  if (!isPlain(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, copied(member)]));
}

const isPlain = (given: unknown): given is object =>
  typeof given === 'object' &&
  given !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(given));
