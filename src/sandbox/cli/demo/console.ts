/**
 * `remit demo console`: a sandbox with sample payments, a listener for its webhooks, books, two pay runs, and a page over all of it. Each
 * is this program as a child, in a folder of its own. Nothing is left of it afterwards, whatever happens.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { type Process, selfWith } from '../../../frame/process.ts';
import type { Context } from '../../../payments/cli/context.ts';
import type { Result } from '../../../payments/cli/result.ts';
import { hold } from './play.ts';

const PEOPLE = ['Ada,Obi', 'Chidi,Bello', 'Ngozi,Okafor', 'Tunde,Bakare', 'Yemi,Alade'];
const wages = (month: string, naira: number, accounts: readonly string[]): string =>
  [
    'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account',
    ...PEOPLE.map(
      (name, n) =>
        `${month}-${n + 1},NGN::Bank,${naira + 27_500 * n},EUR,seed-sender,${name},044,${accounts[n]}`,
    ),
    '',
  ].join('\n');
const FILES = {
  'october.csv': wages('OCT', 380_000, [
    '0123457200',
    '0123456819',
    '0123457300',
    '0123457400',
    '0123457500',
  ]),
  'november.csv': wages('NOV', 395_000, [
    '0123457200',
    '0123456800',
    '0123457300',
    '0123457400',
    '0123457500',
  ]),
};

/** The steps that make something to see; each is a command that a visitor can repeat. */
const STEPS: readonly (readonly [argv: string, says: string])[] = [
  ['sandbox seed', 'ten payments were made: some are paid, some need you'],
  ['batch plan october.csv --name october --max-input EUR=5000', 'the wages of October were planned'],
  ['batch run october --yes', 'and sent'],
  ['batch watch october --timeout 20s', 'and followed to their end: one account was wrong'],
  ['batch plan november.csv --name november --max-input EUR=5000', 'those of November wait for approval'],
  ['books sync', 'the books have all of it'],
];

export async function showConsole(context: Context): Promise<Result> {
  const { process, streams, globals, paint } = context;
  const children = new Children(process);
  const say = (text: string): void => {
    if (!globals.quiet) streams.err(`  ${paint.green('✓')} ${text}\n`);
  };
  try {
    await children.serving(['sandbox', 'start', '--port', '0', '-o', 'json']);
    say('a sandbox runs on this machine');
    await children.run(['books', 'sync']);
    await children.serving(['webhooks', 'listen', '--books', '-o', 'ndjson']);
    say('a listener takes in its webhooks');
    for (const [argv, says] of STEPS) {
      await children.run(argv.split(' '));
      say(`${says}: remit ${argv}`);
    }
    const output = globals.output === undefined ? [] : ['-o', globals.output];
    const code = await children.attended(['console', '--write', ...output]);
    return { done: true, exit: process.interrupt.aborted || code === 0 ? exitCodes.ok : exitCodes.failed };
  } finally {
    await children.close();
  }
}

/** Children of the demo. Ctrl-C in a terminal reaches them as well as us, and a signal to us alone is handed on. */
class Children {
  readonly #parent: Process;
  readonly #folder = mkdtempSync(join(tmpdir(), 'remit-demo-'));
  readonly #alive = new Set<ChildProcess>();
  /** The last thing that any of them said without a request. */
  #said = '';

  constructor(parent: Process) {
    this.#parent = parent;
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(this.#folder, name), text);
    parent.interrupt.addEventListener('abort', this.#stop);
    // Also where a second Ctrl-C ends the process at once.
    process.once('exit', this.#tidy);
  }

  readonly #stop = (): void => {
    for (const child of this.#alive) child.kill('SIGINT');
  };

  readonly #tidy = (): void => {
    for (const child of this.#alive) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  };

  #spawn(argv: readonly string[], attended: boolean): ChildProcess {
    const { env } = this.#parent;
    const own = Object.entries(env).filter(([name]) => !name.startsWith('REMIT_'));
    const child = spawn(...selfWith(this.#parent, argv), {
      stdio: attended ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      cwd: this.#folder,
      env: { ...Object.fromEntries(own), REMIT_CONFIG_DIR: this.#folder },
    });
    this.#alive.add(child);
    child.stderr?.on('data', (data: Buffer) => {
      this.#said = data.toString('utf8');
    });
    child.once('close', () => this.#alive.delete(child));
    if (this.#parent.interrupt.aborted) child.kill('SIGINT');
    return child;
  }

  /** Resolves when it says that it is ready. */
  async serving(argv: readonly string[]): Promise<void> {
    const child = this.#spawn(argv, false);
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    const isReady = await Promise.race([
      once(lines, 'line').then(() => true),
      once(child, 'close').then(() => false),
    ]);
    this.#goOn(isReady, argv);
  }

  /** Runs it to its end. A pay run with a row that needs a user did its part too. */
  async run(argv: readonly string[]): Promise<void> {
    const child = this.#spawn(argv, false);
    child.stdout?.resume();
    const [code] = await once(child, 'close');
    this.#goOn(code === exitCodes.ok || (argv[1] === 'watch' && code === exitCodes.check), argv);
  }

  /** With the terminal that we have. Returns its exit code. */
  async attended(argv: readonly string[]): Promise<number | null> {
    const [code] = await once(this.#spawn(argv, true), 'close');
    return code;
  }

  #goOn(isDone: boolean, argv: readonly string[]): void {
    if (!this.#parent.interrupt.aborted) hold(isDone, `remit ${argv.join(' ')} works: ${this.#said.trim()}`);
  }

  async close(): Promise<void> {
    this.#stop();
    await Promise.all([...this.#alive].map((child) => once(child, 'close')));
    this.#parent.interrupt.removeEventListener('abort', this.#stop);
    process.off('exit', this.#tidy);
    this.#tidy();
  }
}
