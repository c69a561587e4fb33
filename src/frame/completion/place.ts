/** Where the cursor stands in a command line: which words may follow there, or where the values come from. */
import type { Choice, CompletionIndex, IndexedFlag } from './completion-index.ts';

export interface CompletionPlace {
  /** The word under the cursor, up to the value: `--output=`, or the @ before a file. */
  before: string;
  /** The value, as far as it is typed. */
  want: string;
  /** The profile that the line names; empty where it names none. */
  profile: string;
  /** Commands, topics or flags that may stand here. */
  rows: readonly Choice[];
  /** The source of the values (sources.ts); empty where there is none. */
  source: string;
}

/** The facts that the words before the cursor tell. */
interface Walk {
  /** The words of the command, as far as they are typed. */
  path: string;
  /** The first argument of the command. */
  first: string;
  /** Tells which argument comes next, from 1. */
  argument: number;
  /** The flag whose value comes next, and the source of that value. */
  flag: string;
  source: string;
  given: Set<string>;
  profile: string;
  /** The line asks for help. */
  isHelp: boolean;
  /** A `--` ended the flags. */
  isEnded: boolean;
}

/** @param line the words after `remit`; the last one is under the cursor */
export function placeIn(line: readonly string[], index: CompletionIndex): CompletionPlace {
  const walk: Walk = {
    path: '',
    first: '',
    argument: 1,
    flag: '',
    source: '',
    given: new Set(),
    profile: '',
    isHelp: false,
    isEnded: false,
  };
  for (const word of line.slice(0, -1)) walkOver(word, walk, index);
  return placeAfter(walk, line.at(-1) ?? '', index);
}

function walkOver(word: string, walk: Walk, index: CompletionIndex): void {
  if (walk.source !== '') {
    if (walk.flag === '--profile') walk.profile = word;
    walk.source = '';
  } else if (walk.isEnded || !/^-./.test(word)) {
    walkOverArgument(word, walk, index);
  } else if (word === '--') {
    walk.isEnded = true;
  } else {
    walkOverFlag(word, walk, index);
  }
}

function walkOverFlag(word: string, walk: Walk, index: CompletionIndex): void {
  const [name, value] = partsOf(word);
  walk.flag = name;
  walk.given.add(name);
  if (value === undefined) walk.source = sourceOfFlag(name, walk, index);
  else if (name === '--profile') walk.profile = value;
}

function walkOverArgument(word: string, walk: Walk, { words }: CompletionIndex): void {
  const isWord = walk.argument === 1 && words[walk.path]?.some(([name]) => name === word);
  if (!isWord) {
    if (walk.argument === 1) walk.first = word;
    walk.argument += 1;
  } else if (walk.path === '' && word === 'help') {
    walk.isHelp = true;
  } else {
    walk.path = `${walk.path} ${word}`.trimStart();
  }
}

function placeAfter(walk: Walk, want: string, index: CompletionIndex): CompletionPlace {
  const { profile } = walk;
  const place = (part: Partial<CompletionPlace>): CompletionPlace => ({
    before: '',
    want,
    profile,
    rows: [],
    source: '',
    ...part,
  });
  if (walk.source !== '') return behindAt(place({ source: walk.source }));
  if (!walk.isEnded && want.startsWith('-')) {
    const [name, value] = partsOf(want);
    if (value === undefined) return place({ rows: flagsLeft(walk, index) });
    return behindAt(place({ before: `${name}=`, want: value, source: sourceOfFlag(name, walk, index) }));
  }
  const rows = wordsAfter(walk, index);
  if (rows.length > 0 || walk.isHelp) return place({ rows });
  return behindAt(place({ source: sourceOfArgument(walk, index) }));
}

/** The path of a file whose content is the value stands behind an @. */
function behindAt(place: CompletionPlace): CompletionPlace {
  const { source, want, before } = place;
  if (source !== 'atfile') return place;
  return want.startsWith('@')
    ? { ...place, before: `${before}@`, want: want.slice(1), source: 'file' }
    : { ...place, source: '' };
}

function wordsAfter({ path, argument, isHelp }: Walk, { words, topics }: CompletionIndex): readonly Choice[] {
  const rows = argument === 1 ? (words[path] ?? []) : [];
  return isHelp && path === '' ? [...rows, ...topics] : rows;
}

/** Flags that may still be given. */
function flagsLeft({ path, given }: Walk, { flags }: CompletionIndex): Choice[] {
  const isLeft = ({ name, short, many }: IndexedFlag): boolean =>
    many || !(given.has(name) || (short !== undefined && given.has(short)));
  return [...(flags[path] ?? []), ...(flags['*'] ?? [])]
    .filter(isLeft)
    .map(({ name, about }) => [name, about]);
}

/** Empty where the flag takes no value. */
const sourceOfFlag = (name: string, { path }: Walk, { sources }: CompletionIndex): string =>
  sources[`${path} ${name}`] ?? sources[`* ${name}`] ?? '';

function sourceOfArgument({ path, first, argument }: Walk, { sources }: CompletionIndex): string {
  const afterFirst = argument > 1 ? sources[`${path} ${first} ${argument}`] : undefined;
  const exact = afterFirst ?? sources[`${path} ${argument}`];
  if (exact !== undefined) return exact;
  for (let from = argument; from > 0; from--) {
    const source = sources[`${path} ${first} ${from}+`] ?? sources[`${path} ${from}+`];
    if (source !== undefined) return source;
  }
  return '';
}

/** `--flag=value` in two; without a value, where there is no `=`. */
function partsOf(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
