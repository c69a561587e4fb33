/**
 * Checks the options that a partner's code gives, before anything is opened: a wait or a limit that is not a number
 * would never end or never limit, and a misspelt option would be believed. Each entry has a table; the compiler asks
 * for a check of each option.
 */

/** Says what is wrong with a value; undefined where it fits. */
export type Check = (value: unknown) => string | undefined;
export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** `unknown`: there is none of this name. `insecure`: it would send in plain text what others could read, or change. */
export type OptionErrorCode = 'unknown' | 'missing' | 'invalid' | 'insecure';

/**
 * An option of a partner's code is missing, unknown, or has a value that it cannot have: nothing was opened, and
 * nothing sent.
 */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  constructor(
    readonly code: OptionErrorCode,
    /** Its name, such as `baseUrl`. */
    readonly option: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const must =
  (words: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : `must be ${words}`;

export const isWhole = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least;

const isText = (value: unknown): boolean => typeof value === 'string';

export const aText = must('a text', isText);
export const someTexts = must(
  'a text, or a list of texts',
  (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
);
export const bytes = must('a text or bytes', (value) => isText(value) || ArrayBuffer.isView(value));
export const aFunction = must('a function', (value) => typeof value === 'function');
export const anObject = must('an object', (value) => typeof value === 'object' && value !== null);
export const aFlag = must('true or false', (value) => typeof value === 'boolean');
export const aCount = must('a whole number above 0', (value) => isWhole(value, 1));
export const aWordOf = (...words: string[]): Check =>
  must(words.join(' or '), (value) => words.includes(value as string));

/** An option that is undefined is one that was left out. @throws OptionError */
export function checkOptions(what: string, table: Readonly<Record<string, Check>>, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OptionError(
      'invalid',
      'options',
      `the options of ${what} must be an object: it takes ${Object.keys(table).join(', ')}`,
    );
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(table, name))
      throw new OptionError(
        'unknown',
        name,
        `${name} is no option of ${what}: it takes ${Object.keys(table).join(', ')}`,
      );
    const wrong = value === undefined ? undefined : table[name]?.(value);
    if (wrong !== undefined) throw new OptionError('invalid', name, `${name} ${wrong}`);
  }
}
