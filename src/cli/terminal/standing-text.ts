/**
 * A standing text is a value that stands already, as a prompt shows it: masked where it is not for every eye,
 * escaped always. Accepted unchanged it keeps its true value; a text that was made only to be looked at is
 * never sent back.
 */
import { escapeLine } from '../../desk/words/escape.ts';

export interface StandingText {
  /** The text as it is drawn; undefined where nothing stands. */
  shown: string | undefined;
  /** Returns the meaning of an answer: the true value where it is what was shown. */
  meant(answer: string): string;
  /** Says how an answer is wrong that has a piece of what was only shown. */
  mixed(answer: string): string | undefined;
}

const ESCAPE = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\}|[nt])/g;

export function standingText(value: string | undefined, masked: string | undefined): StandingText {
  const shown = value === undefined && masked === undefined ? undefined : escapeLine(masked ?? value ?? '');
  const isKept = (answer: string): boolean => answer === shown || answer.trim() === shown?.trim();
  // An escape that the value itself has is its own text.
  const made = (shown?.match(ESCAPE) ?? []).filter((piece) => !value?.includes(piece));
  return {
    shown,
    meant: (answer) => (isKept(answer) ? (value ?? '') : answer.trim()),
    mixed: (answer) =>
      !isKept(answer) && made.some((piece) => answer.includes(piece))
        ? 'this has a character that is shown escaped: type it whole, or press Enter to keep the present value'
        : undefined,
  };
}
