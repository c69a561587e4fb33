/** Which command argv means. Loads nothing but the tree and the names of the flags that every command takes. */
import type { Flag } from './flags/flag.ts';
import { globalFlags } from './flags/globals.ts';
import { type Leaf, leaves } from './tree.ts';

export interface Words {
  leaf: Leaf | undefined;
  /** Words that were recognised, also where they name a group only. */
  path: string[];
  rest: string[];
}

const namesOf = ({ flags }: Flag): string[] => flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
const TAKES_VALUE = new Set(globalFlags.filter(({ flags }) => flags.includes('<')).flatMap(namesOf));
const KNOWN = new Set([...globalFlags.flatMap(namesOf), '-h', '--help', '-V', '--version']);

/** `help` alone, or before a command's words, asks for help; before a topic it is a command of its own. */
export function findWords(argv: readonly string[]): Words {
  const [first, ...rest] = argv;
  if (first !== 'help') return wordsIn(argv);
  return rest.length === 0 || continues([rest[0] ?? '']) ? wordsIn([...rest, '--help']) : wordsIn(argv);
}

/** Finds the command's words wherever global flags stand before or between them. */
function wordsIn(argv: readonly string[]): Words {
  const path: string[] = [];
  const rest: string[] = [];
  let open = true;
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] ?? '';
    if (open && token.startsWith('-') && token !== '-') {
      rest.push(token);
      if (TAKES_VALUE.has(token) && i + 1 < argv.length) rest.push(argv[++i] ?? '');
    } else if (open && continues([...path, token])) {
      path.push(token);
      open = leaves.every(({ words }) => words !== path.join(' '));
    } else {
      open = false;
      rest.push(token);
    }
  }
  return { leaf: leaves.find(({ words }) => words === path.join(' ')), path, rest };
}

function continues(path: string[]): boolean {
  const words = path.join(' ');
  return leaves.some((leaf) => leaf.words === words || leaf.words.startsWith(`${words} `));
}

/** Of what is left when no command was named: its words, its flags by name, and the first flag that no command knows. */
export function splitFlags(rest: readonly string[]): {
  words: string[];
  flags: ReadonlySet<string>;
  unknown: string | undefined;
} {
  const words: string[] = [];
  const flags = new Set<string>();
  for (let i = 0; i < rest.length; i++) {
    const token = rest[i] ?? '';
    if (!token.startsWith('-') || token === '-') words.push(token);
    else {
      flags.add(/^-[a-zA-Z]./.test(token) ? token.slice(0, 2) : (token.split('=')[0] ?? ''));
      if (TAKES_VALUE.has(token)) i++;
    }
  }
  // Behind a word that is no command, flags are that command's: the word is what is wrong.
  const unknown = words.length > 0 && !rest[0]?.startsWith('-') ? undefined : [...flags].find(isUnknown);
  return { words, flags, unknown };
}

const isUnknown = (flag: string): boolean => !KNOWN.has(flag);
