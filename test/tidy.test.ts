/** House rules: layers, lazy start-up, banned calls, dead files, sizes and names. Each failure says what to do instead. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recipientStates } from '../src/contract/states/recipient.ts';
import { globalFlags } from '../src/frame/flags/globals.ts';
import { leaves } from '../src/program/tree.ts';
import { COMMANDS, FLOOR, isFace, LISTED, roomOf } from './support/house.ts';
import { TEST_MS } from './support/patience.ts';
import { lastTimes } from './support/slowest.ts';
import {
  circlesOf,
  functionsOf,
  importsOf,
  ROOT,
  reach,
  type Source,
  sources,
} from './support/source-tree.ts';

const ours = sources('src', (path) => /\.tsx?$/.test(path));
const code = ours.filter(({ path }) => !path.endsWith('.d.ts'));
/** An index.ts is a list for people and for the rule that reads it: nothing imports it, so that nothing loads a whole slice. */
const isIndex = (path: string): boolean => /^src\/(?!contract)[^/]+\/index\.ts$/.test(path);
const imports = code.filter(({ path }) => !isIndex(path)).flatMap(importsOf);
const entry = 'src/program/start.ts';
/** Where the machine's clock and dice come in: the program, and the library. */
const ENTRIES = [
  entry,
  ...['client', 'edge', 'sandbox', 'webhooks'].map((name) => `src/library/${name}.ts`),
  'src/library/client/machine.ts',
];
/** Three libraries give their errors no code. */
const TEXT_ONLY = [
  'src/frame/terminal/check-query.ts',
  'src/tables/xml-words.ts',
  'src/disk/postgres-pool.ts',
];

/** How long the short form takes on two processors that have nothing else to do. */
const WHOLE_RUN_S = 240;

/** Files that name states: the tables themselves, and words that are spelled like states. */
const NAMES_STATES = new Set([
  ...['payin-method', 'recipient', 'recipient-moves', 'transaction-moves'].map(
    (name) => `src/contract/states/${name}.ts`,
  ),
  // The state that a reason usually goes with, and the service's own words for reasons.
  'src/contract/categories.ts',
  // Outcomes that a sandbox can be told to play, their published types, and what each does.
  'src/contract/controls/index.ts',
  'src/sandbox/public.ts',
  'src/sandbox/control/decisions.ts',
  // Endings of a cancel.
  'src/payments/endings.ts',
]);

/** An empty list of breaches, or a failure that says what to do instead. */
function expectNone(breaches: string[], instead: string): void {
  if (breaches.length > 0) expect.fail(`${breaches.join('\n')}\n\nInstead: ${instead}`);
}

/** What every command loads. */
const STARTED = new Set(['core', 'contract', 'frame', 'program']);

/** What computes, and reads and writes nothing. */
const PURE = new Set(['node:crypto', 'node:zlib']);

describe('layers', () => {
  it('every file is in a room of the house', () => {
    expectNone(
      ours.map(({ path }) => path).filter((path) => FLOOR[roomOf(path)] === undefined),
      `put it in ${Object.keys(FLOOR).join(', ')}.`,
    );
  });

  it('arrows go down, and slices of one floor do not know each other; those that do are counted', () => {
    const counted = new Map<string, string[]>();
    for (const { from, to } of imports) {
      const [a, b] = [roomOf(from), roomOf(to)];
      if (!to.startsWith('src/') || a === b || (FLOOR[a] ?? 0) > (FLOOR[b] ?? 9)) continue;
      counted.set(`${a} -> ${b}`, [...(counted.get(`${a} -> ${b}`) ?? []), `${from} imports ${to}`]);
    }
    expectNone(
      [...counted].filter(([arrow, { length }]) => length > (LISTED[arrow] ?? 0)).flatMap(([, all]) => all),
      'describe what you need as a port in the slice that needs it, and let program hand it in.',
    );
    const now = Object.keys(LISTED).map((arrow) => [arrow, counted.get(arrow)?.length ?? 0]);
    expect(Object.fromEntries(now), 'take the smaller number into LISTED (test/support/house.ts)').toEqual(
      LISTED,
    );
  });

  it('a slice is entered by the files that its index.ts lists, and it lists no other', () => {
    const doors = new Map(
      ours
        .filter(({ path }) => isIndex(path))
        .map((index) => [roomOf(index.path), new Set(importsOf(index).map(({ to }) => to))]),
    );
    const sliceOf = (path: string) => roomOf(path).split('/')[0] ?? '';
    const entered = new Set<string>();
    const breaches = imports.filter(({ from, to }) => {
      const door = doors.get(sliceOf(to));
      if (
        door === undefined ||
        sliceOf(from) === sliceOf(to) ||
        /^src\/[^/]+(?:\/cli)?\/(?:tree|port)\.ts$/.test(to)
      )
        return false;
      entered.add(to);
      return !door.has(to);
    });
    expectNone(
      breaches.map(({ from, to }) => `${from} imports ${to}`),
      'let the slice answer it by a file of its index.ts, or name the file there where other slices need it.',
    );
    const unused = [...doors.values()].flatMap((files) => [...files]).filter((file) => !entered.has(file));
    expectNone(unused, 'no other slice imports it: take it out of the index.ts of its slice.');
  });

  it('nothing imports in a circle, types and lazy imports counted', () => {
    const breaches = circlesOf(imports).map((files) => files.join(', '));
    expectNone(breaches, 'move what both need into a file of its own, below them.');
  });
});

/** What opens sockets and files, or runs a service: costly to load, and not needed by most commands. */
const ENGINES = [
  'src/client/client.ts',
  'src/client/network-transport.ts',
  'src/client/intents.ts',
  'src/client/writes.ts',
  'src/client/store/journal-file.ts',

  'src/sandbox/sandbox.ts',
  'src/sandbox/http/listen.ts',
];
/** Each is reached by all that writes. */
const WRITING = ['src/client/outcome.ts', 'src/client/intents.ts', 'src/library/client/writing.ts'];
/** The demo and the library: loaded only when they are run, and they wire all of them. */
const wiresAll = (path: string): boolean =>
  path.startsWith('src/sandbox/cli/demo') || path.startsWith('src/library/');

describe('the budget', () => {
  interface Grant {
    bytes: number;
    /** What a slice takes of it, in bytes, beside its own. */
    spent: Readonly<Record<string, number>>;
  }
  const { slices, grants, commands, flags } = JSON.parse(readFileSync(join(ROOT, 'budget.json'), 'utf8')) as {
    slices: Readonly<Record<string, number>>;
    grants: Readonly<Record<string, Grant>>;
    commands: number;
    flags: number;
  };
  const spentOf = (given: readonly [string, number][]): number =>
    given.reduce((all, [, bytes]) => all + bytes, 0);

  it('has room for every slice', () => {
    const sizes = new Map<string, number>();
    for (const { path, text } of sources('src', () => true)) {
      const slice = path.split('/')[1] ?? '';
      sizes.set(slice, (sizes.get(slice) ?? 0) + Buffer.byteLength(text));
    }
    const breaches = [...sizes].flatMap(([slice, bytes]) => {
      const more = Object.values(grants).flatMap(({ spent }) =>
        Object.entries(spent).filter(([of]) => of === slice),
      );
      const most = (slices[slice] ?? 0) + spentOf(more);
      return bytes > most ? [`src/${slice} has ${bytes} bytes, and may have ${most}`] : [];
    });
    expectNone(
      breaches,
      'take something out. A grant of budget.json may be spent on any slice; more takes a decision that names what left for it.',
    );
  });

  it('grants no more than there is', () => {
    const over = Object.entries(grants).filter(
      ([, { bytes, spent }]) => spentOf(Object.entries(spent)) > bytes,
    );
    expectNone(
      over.map(([name]) => name),
      'spend less of it.',
    );
  });

  it('has room for every command and flag', async () => {
    const loaded = await Promise.all(leaves.map(({ load }) => load()));
    const all = loaded.reduce((sum, command) => sum + Object.keys(command.flags ?? {}).length, 0);
    expect(leaves.length).toBeLessThanOrEqual(commands);
    expect(all + Object.keys(globalFlags).length).toBeLessThanOrEqual(flags);
  });
});

describe('start-up', () => {
  const reached = [...reach(entry, imports, ['static'])];

  it('the program starts without any slice but the frame', () => {
    expectNone(
      reached.filter((path) => path.startsWith('src/') && !STARTED.has(roomOf(path))),
      'load it with import() where it is used; import its types with `import type`.',
    );
  });

  it('and with no package at all that help and version do not need', () => {
    expectNone(
      reached.filter(
        (name) => !name.startsWith('src/') && !name.startsWith('node:') && name !== 'package.json',
      ),
      'load it with import() where it is used.',
    );
  });

  it('no command is loaded before it is known which one runs', () => {
    expectNone(
      reached.filter((path) => COMMANDS.includes(path)),
      'name it in src/program/tree.ts with a loader.',
    );
  });

  it('version and root help need no tree: the build wrote them down', () => {
    expectNone(
      reached.filter((path) => ['src/program/tree.ts', 'src/program/program.ts'].includes(path)),
      'load the tree with import(), behind the answer to root help (src/program/main.ts).',
    );
  });

  it('finding a command, and help, loads no other command, and no package but commander', () => {
    const help = [...reach('src/program/program.ts', imports, ['static'])];
    expectNone(
      help.filter(
        (name) => COMMANDS.includes(name) || ['client', 'sandbox', 'profiles'].includes(roomOf(name)),
      ),
      'read src/program/tree.ts, which holds words and loaders.',
    );
    expect(help.filter((name) => !name.startsWith('src/') && !name.startsWith('node:'))).toEqual([
      'commander',
    ]);
  });

  it('a command reaches the engines only when it runs them', () => {
    const commands = code
      .map(({ path }) => path)
      .filter((path) => isFace(path) && !ENGINES.includes(path) && !wiresAll(path));
    const breaches = commands.flatMap((path) =>
      [...reach(path, imports, ['static'])]
        .filter((to) => ENGINES.includes(to))
        .map((to) => `${path} reaches ${to}`),
    );
    expectNone(
      breaches,
      'take the lazy functions of the context (client, store), or import() it within the command.',
    );
  });

  it('the client of the library reaches what writes only when a call writes', () => {
    expectNone(
      [...reach('src/library/client.ts', imports, ['static'])].filter((path) => WRITING.includes(path)),
      'name the method in src/library/client/writing.ts, and call it by `later`.',
    );
  });

  it('a format is asked what it is, and never which: its name stands in the table of formats', () => {
    const named =
      /(?:===|!==|\?\?|\b(?:format|output):)\s*'(?:table|text|json|ndjson|csv|xlsx|yaml)'|case '(?:table|csv|xlsx|json|yaml)'/;
    const homes = ['src/frame/terminal/format.ts', 'src/frame/terminal/pages.ts'];
    const knows = code.filter(({ path, text }) => isFace(path) && named.test(text));
    expectNone(
      knows.map(({ path }) => path).filter((path) => !homes.includes(path)),
      'ask formatInfo for what the format is (terminal/format.ts)',
    );
  });

  it('states are asked by the columns of their tables: only these name two or more of them', () => {
    const word = new RegExp(`['"](${Object.keys(recipientStates).join('|')})['"]`, 'g');
    const breaches = code.filter(({ path, text }) => {
      const bare = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      const named = new Set([...bare.matchAll(word)].map(([, state]) => state));
      return named.size >= 2 !== NAMES_STATES.has(path);
    });
    expectNone(
      breaches.map(({ path }) => path),
      'ask a column of src/contract/states (recipient.ts, money.ts), or add one; a file that names them no longer leaves the list.',
    );
  });

  it('what a command reads is typed by its read alone, and it is exported under its own name', () => {
    const twice = /^(?:export )?interface \w*Options\b|^export \{ .*\bas command\b/m;
    const breaches = code.filter(({ path, text }) => COMMANDS.includes(path) && twice.test(text));
    expectNone(
      breaches.map(({ path }) => path),
      'write `export const command = defineCommand(…)`, and OptionsOf<typeof command> where a function takes its options.',
    );
  });

  it('no command imports another', () => {
    const breaches = imports.filter(
      ({ from, to }) => COMMANDS.includes(to) && !from.endsWith('/tree.ts') && isFace(from),
    );
    expectNone(
      breaches.map(({ from, to }) => `${from} imports ${to}`),
      'move what they share into a file beside them, or into a folder that is named by their noun.',
    );
  });

  it('the command line knows no store', () => {
    const breaches = imports.filter(
      ({ from, to }) =>
        isFace(from) &&
        from !== 'src/webhooks/intake/run-program.ts' &&
        /\/store\/|^src\/disk\/(?!own-file)/.test(to) &&
        !wiresAll(from) &&
        roomOf(from) !== 'program',
    );
    expectNone(
      breaches.map(({ from, to }) => `${from} imports ${to}`),
      'let a use case of the slice answer it, or take the type from what hands the thing over (src/payments/desk.ts).',
    );
  });
});

describe('use cases', () => {
  const slices = ['books', 'integration', 'payments', 'runs', 'webhooks'];
  const desk = code.filter(
    ({ path }) =>
      slices.includes(roomOf(path)) && !isFace(path) && !/\/(?:store|intake|conformance)\//.test(path),
  );
  const profiles = code.filter(({ path }) => roomOf(path) === 'profiles');

  it('knows no stream, no argv, no prompt and no exit code', () => {
    const breaches = grep(desk, /\bprocess\.(?:std|argv|exit)|\bexitCodes?\b|@inquirer|\bargv\b/);
    expectNone(breaches, 'answer data, or take a function from the face (src/payments/desk.ts).');
  });

  it('spells no command and no flag, nor do profiles', () => {
    const groups = [...new Set(leaves.map(({ words }) => words.split(' ')[0]))].join('|');
    expectNone(
      grep([...desk, ...profiles], new RegExp(`\\bremit (?:${groups})\\b|['"\`\\s]--[a-z]`)),
      'say it as data (src/core/next.ts): the face spells it (src/frame/output/spell.ts).',
    );
  });

  it('sends nothing without a pass: only these ask for a client that writes', () => {
    const senders = grep(desk, /writingClient\(\)/).map((line) => line.split(':')[0] ?? '');
    const unguarded = [...new Set(senders)].filter(
      (path) =>
        !/checkPass\(|import type \{[^}]*\bPass\b/.test(desk.find((one) => one.path === path)?.text ?? ''),
    );
    expectNone(
      unguarded.filter((path) => !['src/payments/desk.ts', 'src/payments/wait.ts'].includes(path)),
      'take a Pass, and begin with checkPass (src/payments/gate.ts).',
    );
  });
});

describe('commands', () => {
  const row =
    /^\| `remit ([a-z -]+)` \| [^|]+ \| [^|]+ \| (?:\[[\w-]+\]\(([\w-]+\.md)\)|`(test\/[\w./-]+)`) \|$/gm;
  const page = readFileSync(join(ROOT, 'docs/uses.md'), 'utf8');
  const uses = [...page.matchAll(row)].map(([, words = '', document, test]) => ({ words, document, test }));

  it('have each a row in docs/uses.md that says who uses it', () => {
    expect(uses.map(({ words }) => words).sort()).toEqual(leaves.map(({ words }) => words).sort());
  });

  it('are each walked by the page or the test that their row names', () => {
    const breaches = uses.filter(({ words, document, test }) => {
      const path = join(ROOT, document === undefined ? (test ?? '') : `docs/${document}`);
      const asked =
        document === undefined ? `'${words.split(' ').at(-1)}'|\\b${words}\\b` : `remit ${words}\\b`;
      return !existsSync(path) || !new RegExp(asked).test(readFileSync(path, 'utf8'));
    });
    expectNone(
      breaches.map(({ words, document, test }) => `${words}: ${document ?? test}`),
      'name a page of docs that shows the command, or a test that runs it.',
    );
  });
});

/** Lines of a file without comments, numbered from 1. */
function codeLines({ text }: Source): { line: string; number: number }[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''));
  return bare
    .split('\n')
    .map((line, index) => ({ line: line.replace(/(^|\s)\/\/.*$/, ''), number: index + 1 }));
}

const grep = (files: readonly Source[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    codeLines(file)
      .filter(({ line }) => pattern.test(line))
      .map(({ line, number }) => `${file.path}:${number}: ${line.trim()}`),
  );

describe('banned calls', () => {
  const rest = code.filter(({ path }) => !ENTRIES.includes(path));
  it.each([
    [
      'process.exit',
      /\bprocess\.exit\(/,
      'throw a Problem, or set the exit code of the result: one place ends the process.',
    ],
    ['console', /\bconsole\.(?!tsx?\b)/, 'write to the streams of the context.'],
    ['Math.random', /\bMath\.random\b/, 'take a Random as an argument (src/core/random.ts).'],
    ['Date.now', /\bDate\.now\b/, 'take a Clock as an argument (src/core/clock.ts).'],
    ['new Date()', /\bnew Date\(\s*\)/, 'take a Clock as an argument; new Date(ms) is fine.'],
    ['timeOrigin', /\btimeOrigin\b/, 'take when the process began as an argument.'],
    [
      'process.execPath',
      /\bprocess\.(?:execPath|argv0\b|argv\[0\])/,
      'start this program again by selfWith (src/frame/process.ts): it can be one file, and has no script then.',
    ],
    ['eval', /\beval\(|\bnew Function\(/, 'write the code.'],
    ['randomUUID', /\brandomUUID\b/, 'take newId or nonce as an argument.'],
    [
      'a second table of what is over',
      /\bconst (?:OVER|FUNDED|SETTLED|TERMINAL|FINAL)\b/,
      'ask src/contract/states/money.ts.',
    ],
  ])('%s', (_, pattern, instead) => expectNone(grep(rest, pattern), instead));

  it('a table by words from outside that is a plain object: it has constructor and __proto__ too', () => {
    const own = code.filter(({ path }) => path !== 'src/contract/corridors/index.ts');
    expectNone(
      grep(own, /^(?:export )?const \w+: (?:Readonly<)?(?:Partial<)?Record<string,.*> = (?!byWord\()/),
      'make it with byWord (src/core/by-word.ts). The corridors ask Object.hasOwn: a bundler leaves out what it sees is not used.',
    );
  });

  it('errors told apart by their text', () => {
    expectNone(
      grep(
        code.filter(({ path }) => !TEXT_ONLY.includes(path)),
        /\bmessage\.(?:includes|startsWith|endsWith|match)\(|\.test\((?:\w+\.)?message\)|\bmessage === '[^']/,
      ),
      'give the error a code, a kind or a type.',
    );
  });

  it('the core neither reads nor writes: no module of Node', () => {
    const breaches = imports.filter(({ from, to }) => from.startsWith('src/core/') && to.startsWith('node:'));
    expectNone(
      breaches.map(({ from, to }) => `${from} imports ${to}`),
      'put it on floor 2, behind a port.',
    );
  });

  it('the contract does no input or output: it takes hashing and packing of Node', () => {
    const breaches = imports.filter(
      ({ from, to }) => from.startsWith('src/contract/') && to.startsWith('node:') && !PURE.has(to),
    );
    expectNone(
      breaches.map(({ from, to }) => `${from} imports ${to}`),
      'put it on floor 2.',
    );
  });
});

const tests = sources('test', (path) => path.endsWith('.ts') && path !== 'test/tidy.test.ts');
const written = sources(
  '',
  (path) =>
    /\.(?:ts|js|json|md|yml|yaml|sh)$|^\.ci\//.test(path) &&
    !/^package-lock\.json$|^test\/tidy\.test\.ts$/.test(path),
);

describe('files', () => {
  it('none is dead', () => {
    const config = sources('', (path) => path === 'rolldown.config.js')[0]?.text ?? '';
    const aliases = [...config.matchAll(/'\.\/(src\/[^']+)'/g)].map(([, path]) => path ?? '');
    const alive = new Set(
      [entry, ...aliases].flatMap((start) => [...reach(start, imports, ['static', 'lazy', 'type'])]),
    );
    expectNone(
      code.map(({ path }) => path).filter((path) => !alive.has(path) && !isIndex(path)),
      'delete it, or import it from where it is needed.',
    );
  });

  it('none is longer than 300 lines, tables and what a partner’s compiler reads as one excepted', () => {
    const isTable = (path: string): boolean =>
      path.startsWith('src/contract/corridors/data/') || /^src\/library\/[\w-]+-types\.ts$/.test(path);
    expectNone(
      code
        .filter(({ path, text }) => !isTable(path) && text.trimEnd().split('\n').length > 300)
        .map(({ path, text }) => `${path} has ${text.trimEnd().split('\n').length} lines`),
      'split it by what changes together.',
    );
  });

  it('no function is longer than 70 lines, closures counted', () => {
    expectNone(
      code
        .filter(({ text }) => text.split('\n').length > 70)
        .flatMap(functionsOf)
        .filter(({ lines }) => lines > 70)
        .map(({ path, name, lines }) => `${path}: ${name} has ${lines} lines`),
      'split it: control flow in the parent, leaves beside it.',
    );
  });

  it('names are in kebab case', () => {
    const breaches = [...ours, ...tests]
      .map(({ path }) => path)
      .filter((path) => !path.split('/').every((name) => /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(name)));
    expectNone(breaches, 'write small-words-with-hyphens.ts.');
  });

  it('exports have names', () => {
    const breaches = grep(code, /^export default\b/).filter(
      (line) =>
        !line.startsWith('src/build/no-schema.ts') && !line.startsWith('src/build/lazy-child-process.ts'),
    );
    expectNone(breaches, 'export it by its name; only what stands in for another package has a default.');
  });

  it('nothing is left for later', () => {
    const breaches = [...ours, ...tests, ...written].filter(({ text }) =>
      /\b(?:TODO|FIXME|HACK)\b|\bplaceholder\b(?!=)/i.test(text),
    );
    expectNone(
      breaches.map(({ path }) => path),
      'do it now, or write an issue.',
    );
  });

  it('none names the machine it was written on', () => {
    const pattern = /(?<![\w.:/-])\/(?:work|home|Users|root)\/[\w.]/;
    expectNone(
      written
        .filter(({ text }) => pattern.test(text))
        .map(({ path, text }) => `${path}: ${pattern.exec(text)?.[0]}…`),
      'use a path from the project, or a temporary folder.',
    );
    expect(written.filter(({ text }) => text.includes(`${ROOT}/`)).map(({ path }) => path)).toEqual([]);
  });
});

/** The first line of a doc comment that has no subject. */
const RIDDLE = /\/\*\*\s*(?:\*\s+)?((?:What|That|Whether|Nothing|No more|As|So|Those|Of)\b[^\n]*)/g;

describe('comments', () => {
  it('for the documentation begin with a subject or a verb', () => {
    expectNone(
      ours.flatMap(({ path, text }) =>
        [...text.matchAll(RIDDLE)].map(
          ({ index, 1: words }) => `${path}:${text.slice(0, index).split('\n').length}: ${words}`,
        ),
      ),
      'begin with the thing or with what it does: "The time that …", "True while …", "Absent where …", "Returns …".',
    );
  });
});

/** Decisions, rules and facts of the wire are cited by number, and each number leads somewhere. */
describe('citations', () => {
  const docs = written.filter(({ path }) => path.startsWith('docs/'));
  const cited = [...ours, ...tests, ...written.filter(({ path }) => path.endsWith('.md'))];
  const headings = (path: string): number[] =>
    [...(docs.find((one) => one.path === path)?.text ?? '').matchAll(/^## (\d+)\. /gm)].map(([, n]) =>
      Number(n),
    );
  const decisions = docs.flatMap(
    ({ path }) => /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? [],
  );

  it.each(['docs/rules.md', 'docs/wire.md'])('of %s resolve', (page) => {
    const known = headings(page);
    expect(known).toEqual(known.map((_, index) => index + 1));
    expect(known.length).toBeGreaterThan(0);
    const breaches = [...ours, ...tests].flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`${page.replace('.', '\\.')}(?: (\\d+)(?:(?: and | to )(\\d+))?)?`, 'g'))]
        .filter(([, first, last = first]) => !known.includes(Number(first)) || !known.includes(Number(last)))
        .map(([words]) => `${path}: ${words}`),
    );
    expectNone(breaches, `cite a section that ${page} has, by its number.`);
  });

  it('of decisions resolve, and a number is given once: that of a decision that left stays free', () => {
    expect(decisions).toEqual([...new Set(decisions)]);
    const breaches = cited.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdecisions? (\d+)(?:(?:, | and )(\d+))*/g)].flatMap(([words]) =>
        (words.match(/\d+/g) ?? [])
          .filter((number) => !decisions.includes(number))
          .map(() => `${path}: ${words}`),
      ),
    );
    expectNone(breaches, 'write docs/decisions/NNNN-name.md, or cite one that is there.');
  });

  it('of decisions begin with a number that is their file, and say four things', () => {
    const breaches = docs
      .filter(({ path }) => path.startsWith('docs/decisions/'))
      .filter(
        ({ path, text }) =>
          !text.startsWith(`# ${/\d{4}/.exec(path)?.[0]}. `) ||
          !['Context', 'Decision', 'Measured', 'Look again'].every((part) => text.includes(`**${part}.** `)),
      );
    expectNone(
      breaches.map(({ path }) => path),
      'begin with "# NNNN. ", and give Context, Decision, Measured and Look again.',
    );
  });

  it('lead to nothing outside the project', () => {
    const breaches = [...ours, ...tests].filter(({ text }) =>
      /\bPRODUCT\b|\bwire facts\b|`spec`|\bDESIGN,/.test(text),
    );
    expectNone(
      breaches.map(({ path }) => path),
      'cite docs/rules.md or docs/wire.md.',
    );
  });

  it('of files resolve in the documents of the project', () => {
    const path = new RegExp(
      `\`((?:src|test|bench|docs|\\.ci|${Object.keys(FLOOR).join('|')})/[\\w./-]*\\w)\``,
      'g',
    );
    const breaches = written
      .filter((one) => one.path.endsWith('.md') && one.path !== 'CHANGELOG.md')
      .flatMap((one) =>
        [...one.text.matchAll(path)]
          .filter(([, file = '']) => !existsSync(join(ROOT, file)) && !existsSync(join(ROOT, 'src', file)))
          .map(([, file]) => `${one.path}: ${file}`),
      );
    expectNone(breaches, 'name a file that is there, from the project or from src.');
  });

  it('and these are no walls: a line of prose has at most 200 characters', () => {
    const handmade = written.filter(
      ({ path }) => /^(?:docs\/[\w-]+|[A-Z]+)\.md$/.test(path) && !/CHANGELOG|THIRD|commands\.md/.test(path),
    );
    const breaches = handmade.flatMap(({ path, text }) =>
      text
        .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
        .split('\n')
        .flatMap((line, i) => (line.length > 200 && !line.startsWith('|') ? [`${path}:${i + 1}`] : [])),
    );
    expect(handmade.length).toBeGreaterThan(20);
    expectNone(breaches, 'shorten the sentence, make it two, or make a table of it.');
  });
});

describe('tests', () => {
  it('use real things', () => {
    expectNone(
      grep(tests, /\bvi\.(?:mock|doMock|stubGlobal)\(/),
      'pass the thing as an argument: everything takes its clock, dice and transport.',
    );
  });

  it('leave the timers of their process alone: files share it, and a faked one was seen to hang a later file', () => {
    expectNone(
      grep(tests, /\buseFakeTimers\((?!\{ toFake: \['setInterval', 'clearInterval'\] \})/),
      'hand in a clock, or run a program of its own.',
    );
  });

  it('name files of src that are there, in the programs too that they write', () => {
    const named = /\$\{(?:source|root|ROOT)\}\/((?:src\/)?[\w/-]+\.ts)\b/g;
    const breaches = tests.flatMap(({ path, text }) =>
      [...text.matchAll(named)]
        .filter(([, file = '']) => !existsSync(join(ROOT, file)) && !existsSync(join(ROOT, 'src', file)))
        .map(([, file]) => `${path}: ${file}`),
    );
    expectNone(breaches, 'name the file where it lies now.');
  });

  it('all run', () => {
    expectNone(
      grep(tests, /\b(?:it|test|describe)\.(?:only|skip|todo)\b/),
      'fix the test, or delete it; skipIf says why and is printed.',
    );
  });

  it('listen to the errors of a pool: one cut connection would end the process', () => {
    expectNone(
      grep(
        tests.filter(
          ({ path }) => !['test/support/postgres.ts', 'test/library/library-webhooks.test.ts'].includes(path),
        ),
        /\bnew pg\.Pool\(/,
      ),
      'take `openPool` (test/support/postgres.ts).',
    );
  });

  it('have their time from one place', () => {
    expectNone(
      grep(
        tests.filter(({ path }) => path !== 'test/support/clock.ts'),
        /\bDate\.now\(\)|\bnew Date\(\)|\btimeOrigin\b/,
      ),
      'take `machine`, or `real` beside another program (test/support/clock.ts).',
    );
  });

  it('share a process: what they share registers its hooks when it is asked to, and not when it is loaded', () => {
    const shared = tests.filter(
      ({ path }) => path.startsWith('test/support/') && !path.endsWith('/each-file.ts'),
    );
    expectNone(
      grep(shared, /^(?:before|after)(?:Each|All)\(/),
      'put it into a function that each file calls.',
    );
  });

  it('do not sleep', () => {
    expectNone(
      grep(tests, /timers\/promises|\bawait (?:sleep|delay)\(\d|setTimeout\(resolve, [1-9]/),
      'await an event, or move the virtual clock.',
    );
  });

  it('have no patience of their own that a slow machine would use up', () => {
    const said = /\btimeout: ([^,}\n]+)|^\s*\}, ([\d_]+)\);$|^\s*\},\n\s+([\d_]+),?\n\s*\);$/gm;
    const numbersIn = (text: string): number[] =>
      [...text.replaceAll('_', '').matchAll(/\d+/g)].map(([one]) => Number(one));
    expectNone(
      tests.flatMap(({ path, text }) =>
        [...text.matchAll(said)].flatMap(([, ...given]) => {
          const limit = given.find(Boolean) ?? '';
          const most = Math.max(0, ...numbersIn(limit));
          // Of a sum too: what is added for each of some counts for nothing where there are few.
          return most >= 1_000 && most < TEST_MS && !/_MS\b/.test(limit) ? [`${path}: ${limit}`] : [];
        }),
      ),
      'take PATIENCE_MS (test/support/patience.ts), or the limit that every test has.',
    );
  });

  it('take ten seconds a file at most in the short form', () => {
    const last = lastTimes();
    // Beside something else a file takes longer: only a run that was quick as a whole says anything of its files,
    // and none says it on a machine that runs CI, where a browser's start alone took twenty seconds once.
    if (process.env.OWN_CI || last === undefined || last.seconds > WHOLE_RUN_S) return;
    const slow = Object.entries(last.files).filter(
      ([path, seconds]) => existsSync(join(ROOT, path)) && seconds > 10,
    );
    expectNone(
      slow.map(([path, seconds]) => `${path}: ${seconds} s`),
      'run in process what needs no process, split the file, or leave cases to the long form (test/support/long.ts).',
    );
  });
});

/** Bugs are planted in what decides about money and masks, and so many of a hundred are found (npm run mutate). */
describe('floors of the mutation run', () => {
  const path = 'test/mutation/named.json';
  type Named = Record<string, { floor: number; tests: string[] }>;
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  const now = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Named;

  it('are of files and tests that are there', () => {
    const named = Object.entries(now).flatMap(([file, { tests: theirs }]) => [file, ...theirs]);
    expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it('only rise', () => {
    const breaches: string[] = [];
    for (const commit of git('rev-list', 'HEAD', '--', path).split('\n').filter(Boolean)) {
      const then = JSON.parse(git('show', `${commit}:${path}`)) as Named;
      for (const [file, { floor }] of Object.entries(then)) {
        const held = now[file]?.floor;
        if (held === undefined ? existsSync(join(ROOT, file)) : held < floor)
          breaches.push(`${file}: ${held ?? 'not named'}, and ${floor} in ${commit.slice(0, 8)}`);
      }
    }
    expectNone(breaches, 'write the test that finds the bug.');
  });
});

describe('the lock file', () => {
  it('has an integrity for every package, those of other platforms too', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const without = Object.entries(lock.packages).filter(
      ([path, { integrity, link }]) => path !== '' && link !== true && integrity === undefined,
    );
    expectNone(
      without.map(([path]) => path),
      'delete these entries and run npm run lock: npm asks the registry for entries that are missing, and for no others.',
    );
  });
});
