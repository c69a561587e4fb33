/**
 * The prompt that chooses one of a list. Nothing is chosen in advance but what stands already, so that Enter alone never decides
 * anything (decision 0025). A long list is filtered by what is typed.
 */

import { styleText } from 'node:util';
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core';
import { fold } from '../../core/fold.ts';

export interface ShownChoice {
  value: string;
  /** The name as it is drawn, escaped. */
  name: string;
  /** Shown below the list while this is the one that is marked, escaped. */
  description?: string;
}

export interface Choosing {
  message: string;
  /** Said behind the message until one is chosen: `(47 banks, type to filter)`. */
  count: string;
  /** The choices that fit what was typed, the best first; all of them where nothing was. */
  matching(typed: string): readonly ShownChoice[];
  /** The value that Enter keeps. */
  standing?: string | undefined;
  /** Returns the typed text in the form in which it may be drawn. */
  drawn(typed: string): string;
}

const PAGE = 8;
const NONE = -1;
const HELP = [
  ['↑↓', 'navigate'],
  ['⏎', 'select'],
]
  .map(([key = '', action = '']) => `${styleText('bold', key)} ${styleText('dim', action)}`)
  .join(styleText('dim', ' • '));

export const choicePrompt = createPrompt<string, Choosing>((config, done) => {
  const theme = makeTheme({});
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState('');
  const items = config.matching(typed);
  const [active, setActive] = useState(standingAt(config, items));
  const chosen = items[active];
  useKeypress((key, rl) => {
    if (status === 'done') return;
    setWrong('');
    if (isEnterKey(key)) {
      // readline empties its line at Enter.
      if (chosen === undefined) {
        rl.write(typed);
        setWrong(
          items.length === 0
            ? 'Nothing fits. Type less of it.'
            : 'Choose one with ↑ and ↓, or type part of it.',
        );
        return;
      }
      setStatus('done');
      done(chosen.value);
    } else if (isUpKey(key) || isDownKey(key)) {
      setActive(moved(active, isUpKey(key) ? -1 : 1, items.length));
    } else {
      const now = rl.line;
      if (now === typed) return;
      setTyped(now);
      const left = config.matching(now);
      setActive(now.trim() === '' ? standingAt(config, left) : left.length > 0 ? 0 : NONE);
    }
  });
  const prefix = usePrefix({ status, theme });
  const page = usePagination({
    items,
    active: Math.max(active, 0),
    renderItem: ({ item, index }) =>
      index === active ? styleText('cyan', `❯ ${item.name}`) : `  ${item.name}`,
    pageSize: PAGE,
    loop: false,
  });
  const message = theme.style.message(config.message, status);
  if (status === 'done') return `${prefix} ${message} ${theme.style.answer(chosen?.name ?? '')}`;
  const head = [
    prefix,
    `${message}${config.count}`,
    typed === '' ? '' : styleText('cyan', config.drawn(typed)),
  ]
    .filter(Boolean)
    .join(' ')
    .trimEnd();
  const list = items.length > 0 || wrong !== '' ? page : theme.style.error('Nothing fits');
  return [
    head,
    [list, ' ', chosen?.description, wrong && theme.style.error(wrong), HELP].filter(Boolean).join('\n'),
  ];
});

const standingAt = ({ standing }: Choosing, items: readonly ShownChoice[]): number =>
  standing === undefined ? NONE : items.findIndex(({ value }) => value === standing);

/** From nothing the first step down is the first, the first step up the last. The ends meet. */
function moved(active: number, by: 1 | -1, count: number): number {
  if (count === 0) return NONE;
  if (active === NONE) return by === 1 ? 0 : count - 1;
  return (active + by + count) % count;
}

/**
 * Tells which choices fit what was typed: by code, by words, by the initials of the words. Case and accents do not
 * matter.
 */
interface Matchable {
  value: string;
  label: string;
}

/** `United Bank for Africa` is known as UBA: small words give no letter. */
const SMALL = new Set(['and', 'et', 'for', 'of', 'the', 'de', 'du', 'la']);

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const initials = (words: readonly string[]): string => words.map((word) => word.charAt(0)).join('');

/** All of them, as they stand, where nothing was typed; else those that fit, the best first. */
export function bestMatches<T extends Matchable>(typed: string, choices: readonly T[]): T[] {
  const wanted = fold(typed);
  if (wanted === '') return [...choices];
  const ranked = choices.map((choice, place) => ({ choice, place, rank: rankOf(wanted, choice) }));
  return ranked
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ choice }) => choice);
}

const NO_MATCH = 6;

function rankOf(wanted: string, { value, label }: Matchable): number {
  const [code, text] = [fold(value), fold(label)];
  const words = wordsOf(text);
  const letters = [initials(words), initials(words.filter((word) => !SMALL.has(word)))];
  if (code === wanted || text === wanted) return 0;
  if (letters.includes(wanted)) return 1;
  if (text.startsWith(wanted) || code.startsWith(wanted)) return 2;
  if (wordsOf(wanted).every((part) => words.some((word) => word.startsWith(part)))) return 3;
  if (letters.some((one) => one.startsWith(wanted))) return 4;
  return `${text} ${code}`.includes(wanted) ? 5 : NO_MATCH;
}
