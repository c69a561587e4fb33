/**
 * The two forms of the tests. `npm test` is the short one; `npm run test:long` runs the long form of each file that has one, which is
 * each file that imports this one, and each `*.long.test.ts`.
 */

export const isLong = process.env.REMIT_TESTS === 'long';

/** CI runs one in so many cases of some matrices. CONTRIBUTING names them. */
export const oneIn = isLong ? Number(process.env.REMIT_ONE_IN ?? 1) : 1;

/** All of the cases in the long form. In the short form `most` of them, spread over all, and the same ones each time. */
export function some<T>(cases: readonly T[], most: number): readonly T[] {
  if (isLong || cases.length <= most) return cases;
  return Array.from({ length: most }, (_, at) => cases[Math.floor((at * cases.length) / most)] as T);
}

/** So many generated cases in the long form, and a fifth of them in the short one. */
export const generated = (cases: number): number => (isLong ? cases : Math.ceil(cases / 5));
