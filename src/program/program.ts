/**
 * The command tree as commander holds it. It grows along the words that were typed: of a group its commands by name, and only the
 * command that is meant is loaded, so that no run pays for its neighbours.
 */
import { Command as Commander, CommanderError, Option } from 'commander';
import { usage } from '../core/problem.ts';
import type { Argument, Flags } from '../frame/flags/flag.ts';
import { type GlobalInput, globalFlags } from '../frame/flags/globals.ts';
import { FlagOption } from '../frame/flags/option.ts';
import { headings } from '../frame/help/headings.ts';
import { GLOBAL, look, sectionsText } from '../frame/help/look.ts';
import type { Process } from '../frame/process.ts';
import type { Command } from '../payments/cli/command.ts';
import { groupSections, leafSections, rootSections } from './help/sections.ts';
import { children, groups, type Leaf, leaves } from './tree.ts';

type Printer = Pick<Process, 'version'> & { streams: Pick<Process['streams'], 'out' | 'columns' | 'colour'> };

/** A command of the tree with all that it declares. */
export interface Grown {
  leaf: Leaf;
  command: Command<never>;
  node: Commander;
}

export type FoundCommand = Omit<Grown, 'node'> & { input: GlobalInput };

/** The traces of one parse: commander tells neither in what it returns nor in its errors. */
interface Run {
  printer: Printer;
  found?: FoundCommand;
  stoppedAt?: Commander;
}

const ABOUT = `The partner's terminal for a cross-border money transfer service.
New here? remit demo shows the main job, end to end, on its own sandbox.`;
const SILENT: Printer = {
  version: '',
  streams: { out: () => {}, columns: 80, colour: { stdout: false, stderr: false } },
};
const HELP = ['-h, --help', 'show this help'] as const;
const SHOWN = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** Undefined where help or the version was printed instead. @throws Problem (usage) */
export async function findCommand(
  argv: readonly string[],
  printer: Printer,
): Promise<FoundCommand | undefined> {
  const run: Run = { printer };
  const root = rootOf(run);
  const typed = helpAsFlag(argv);
  try {
    await root.parseAsync(typed, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (SHOWN.includes(error.code)) return undefined;
    const at = run.stoppedAt ?? root;
    throw await (await import('./help/refusal.ts')).parseRefusal(error, { at, words: wordsOf(at), typed });
  }
  return run.found;
}

/** The whole tree, every command loaded, in the order of tree.ts. */
export async function wholeTree(printer = SILENT): Promise<{ root: Commander; commands: Grown[] }> {
  const run: Run = { printer };
  const root = rootOf(run);
  const below = async (node: Commander): Promise<Grown[]> => {
    const grown = await grow(node, run);
    return grown === undefined ? (await Promise.all(node.commands.map(below))).flat() : [grown];
  };
  const commands = (await Promise.all(root.commands.map(below))).flat();
  return { root, commands: leaves.flatMap((leaf) => commands.filter((one) => one.leaf === leaf)) };
}

/** Root help with its bold headings: what the build writes down for each width (rolldown.config.js). */
export function rootHelp(columns: number): string {
  const parts: string[] = [];
  const streams = {
    out: (text: string) => parts.push(text),
    columns,
    colour: { stdout: true, stderr: true },
  };
  rootOf({ printer: { version: '', streams } }).outputHelp();
  return parts.join('');
}

/** `help` before a command's words asks for help on it; before a topic it is a command of its own. */
function helpAsFlag(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  const isAsked = rest.length === 0 || children('').some(([name]) => name === rest[0]);
  return first === 'help' && isAsked ? [...rest, '--help'] : [...argv];
}

function rootOf(run: Run): Commander {
  const root = nodeOf('remit', run).description(ABOUT).usage('COMMAND [SUBCOMMAND] [ARGUMENTS] [FLAGS]');
  growGroup(root, '', run);
  return root
    .optionsGroup(GLOBAL)
    .version(run.printer.version, '-V, --version', 'print the version')
    .addHelpText('after', () => sectionsText(root, rootSections()));
}

/** Errors are thrown for the caller to report; help that was not asked for by name is still no error. */
function nodeOf(name: string, run: Run): Commander {
  const { streams } = run.printer;
  const node = new Commander(name)
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .helpOption(false)
    .helpCommand(false)
    .configureHelp(look)
    .configureOutput({
      writeOut: streams.out,
      writeErr: streams.out,
      outputError: () => {},
      getOutHelpWidth: () => streams.columns,
      getErrHelpWidth: () => streams.columns,
      getOutHasColors: () => streams.colour.stdout,
      getErrHasColors: () => streams.colour.stdout,
    });
  return node.exitOverride((error) => {
    run.stoppedAt = node;
    throw error;
  });
}

async function grow(node: Commander, run: Run): Promise<Grown | undefined> {
  const words = wordsOf(node);
  const leaf = leaves.find((one) => one.words === words);
  if (leaf !== undefined) return growLeaf(node, leaf, run);
  node.description(`${groups[words] ?? ''}.`).usage('COMMAND [ARGUMENTS] [FLAGS]');
  growGroup(node, words, run);
  node.addHelpText('after', () => sectionsText(node, groupSections(words)));
  return undefined;
}

function growGroup(node: Commander, group: string, run: Run): void {
  addFlags(node, globalFlags, GLOBAL);
  // Not commander's own: with that, `tx crate --help` would show the help of tx, and `tx --help create` too.
  node.addOption(new Option(...HELP).helpGroup(GLOBAL));
  const summaries = new Map(children(group));
  const under = headings[group] ?? { Commands: [...summaries.keys()].join(' ') };
  for (const [heading, names] of Object.entries(under)) {
    // A heading may name a command of a slice that this program is without.
    for (const name of names.split(' ').filter((one) => summaries.has(one))) {
      const next = nodeOf(name, run).helpGroup(`${heading}:`);
      node.addCommand(next.summary(summaries.get(name) ?? ''));
    }
  }
  node.hook('preSubcommand', async (_, next) => void (await grow(next, run)));
}

async function growLeaf(node: Commander, leaf: Leaf, run: Run): Promise<Grown> {
  const command = await leaf.load();
  const { description, args = [], flags = {} } = command;
  node
    .description(description === undefined ? `${leaf.summary}.` : `${leaf.summary}.\n\n${description}`)
    .usage([...args.map(shapeOf), '[FLAGS]'].join(' '))
    .addHelpOption(new Option(...HELP).helpGroup(GLOBAL))
    .addHelpText('after', () => sectionsText(node, leafSections(leaf.words, command)));
  for (const arg of args) node.argument(shapeOf(arg), arg.summary);
  addFlags(node, flags, 'Flags:');
  addFlags(node, globalFlags, GLOBAL);
  node.action(() => {
    run.found = { leaf, command, input: inputOf(node, args) };
  });
  if (pathOf(node).some((at) => at.opts().help === true)) node.help();
  return { leaf, command, node };
}

function addFlags(node: Commander, declared: Flags, group: string): void {
  for (const [key, flag] of Object.entries(declared))
    node.addOption(new FlagOption(key, flag).helpGroup(group));
}

const shapeOf = ({ name, optional, many }: Argument): string => {
  const shape = `${name}${many ? '...' : ''}`;
  return optional ? `[${shape}]` : `<${shape}>`;
};

/** @throws Problem (usage) */
function inputOf(node: Commander, args: readonly Argument[]): GlobalInput {
  for (const [index, { name, optional }] of args.entries()) {
    const given = node.args[index] ?? (optional ? undefined : '');
    if (given?.trim() === '') throw usage(`${name} cannot be empty`);
  }
  checkValues(pathOf(node));
  // Global flags stand before, between or behind the words: the last that was typed counts, a default never.
  const typed = pathOf(node).flatMap((at) =>
    Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) !== 'default'),
  );
  const values: Record<string, unknown> = { ...node.opts(), ...Object.fromEntries(typed) };
  const options = node.options.filter((option) => option instanceof FlagOption);
  const given = options.map((option) => [option.key, option.given(values[option.attributeName()])]);
  return { args: node.args, flags: Object.fromEntries(given) };
}

/** A value that is empty is a variable that was not set; only free text, such as `--email <text>`, may be. */
function checkValues(nodes: readonly Commander[]): void {
  for (const node of nodes)
    for (const option of node.options) {
      const values = [node.getOptionValue(option.attributeName())].flat();
      if (option.flags.endsWith('<text>') || !values.some((value) => String(value ?? '-').trim() === ''))
        continue;
      throw usage(`${option.long} is empty`, `give it a value, or leave ${option.long} out`);
    }
}

/** The commands from the root to this one, both included. */
function pathOf(node: Commander): Commander[] {
  return node.parent === null ? [node] : [...pathOf(node.parent), node];
}

const wordsOf = (node: Commander): string =>
  node.parent === null ? '' : `${wordsOf(node.parent)} ${node.name()}`.trimStart();
