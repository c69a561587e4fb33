/** Versions as npm counts them. */

interface Version {
  /** Major, minor and patch. */
  numbers: readonly number[];
  /** `beta.1` of `1.0.0-beta.1`. */
  before: string;
}

const FORM = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,60}))?(?:\+[0-9A-Za-z.-]{1,60})?$/;

export function versionOf(text: string): Version | undefined {
  const found = FORM.exec(text);
  return found === null ? undefined : { numbers: found.slice(1, 4).map(Number), before: found[4] ?? '' };
}

/** A version with a word behind it comes before the one without; between two such words nobody is told that one is newer. */
export function isNewer(one: Version, than: Version): boolean {
  const at = one.numbers.findIndex((number, index) => number !== than.numbers[index]);
  if (at >= 0) return (one.numbers[at] ?? 0) > (than.numbers[at] ?? 0);
  return one.before === '' && than.before !== '';
}

/** The first number that is not 0 has changed: what worked before may not work with it. */
export function isBreak(one: Version, than: Version): boolean {
  const leading = than.numbers.findIndex((number) => number > 0);
  const until = leading < 0 ? than.numbers.length : leading + 1;
  return one.numbers.slice(0, until).some((number, index) => number !== than.numbers[index]);
}
