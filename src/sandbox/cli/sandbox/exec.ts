/**
 * Runs one command against a sandbox of its own: a free port, the account in three variables, everything gone afterwards. The
 * command's exit code is ours.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { isLoopback } from '../../../core/hosts.ts';
import { type Problem, refuse, usage } from '../../../core/problem.ts';
import { type ExitCode, exitCodes } from '../../../frame/exit-codes.ts';
import type { Process } from '../../../frame/process.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import type { Result } from '../../../payments/cli/result.ts';
import { forgetControlToken, keepControlToken } from '../../../profiles/control-token.ts';

type Options = OptionsOf<typeof command>;

export const command = defineCommand({
  description: `Starts a sandbox on a free port, runs CMD with REMIT_BASE_URL, REMIT_API_KEY and
REMIT_API_SECRET set to it, and ends with CMD's exit code. Its clock stands:
what is due at once happens at once, and \`remit sandbox clock advance\`, inside
CMD, moves time.`,
  args: [
    { name: 'CMD', summary: 'the program to run, after --' },
    { name: 'ARGS', summary: 'its arguments', optional: true, many: true },
  ],
  flags: {
    webhook: {
      value: 'url',
      summary: 'register this endpoint, or http://127.0.0.1:PORT/ for a port, for every event',
    },
    seed: {
      value: 'seed',
      summary: 'the same seed and the same requests give the same ids; 1 if you do not say',
    },
    run: { summary: 'let time run' },
    deliverTo: {
      value: 'host',
      summary: 'also deliver webhooks to this host; this machine is always allowed; repeat it',
      many: true,
    },
  },
  exits: [exitCodes.interrupted],
  examples: ['remit sandbox exec -- npm test', 'remit sandbox exec --webhook 4011 -- ./tests.sh'],
  read(input) {
    const [program = '', ...args] = input.args;
    return {
      program,
      args,
      webhook: readWebhook(input.flags.webhook, input.flags.deliverTo),
      seed: input.flags.seed ?? '1',
      running: input.flags.run,
      deliverTo: input.flags.deliverTo,
    };
  },
  run: (context, options): Promise<Result> => runInside(context, options),
});

function readWebhook(text: string | undefined, deliverTo: readonly string[]): string | undefined {
  const isPort = /^\d{1,5}$/.test(text ?? '') && Number(text) <= 65_535;
  if (text === undefined || isPort) return text;
  if (!URL.canParse(text)) throw usage(`--webhook ${text} is neither a URL nor a port`);
  const { hostname } = new URL(text);
  if (isLoopback(hostname) || deliverTo.includes(hostname)) return text;
  throw usage(
    `a sandbox delivers to this machine, not to ${hostname}`,
    `--deliver-to ${hostname} if you mean it`,
  );
}

async function runInside(context: Context, options: Options): Promise<Result> {
  const { startWired } = await import('../../wired.ts');
  const { process } = context;
  const { webhook, seed, running, deliverTo } = options;
  const token = randomBytes(24).toString('hex');
  const sandbox = await startWired(
    {
      port: 0,
      seed,
      clock: running ? 'running' : 'standing',
      start: process.clock.now(),
      controlToken: token,
      deliverTo,
      ...(webhook === undefined ? {} : { webhook }),
    },
    process.clock,
    async () => (await import('../../../client/network-transport.ts')).createNetworkTransport(),
  );
  keepControlToken(process.env, sandbox.url, token);
  try {
    const code = await runChild(context, options, sandbox.env);
    return { done: true, exit: code as ExitCode };
  } finally {
    forgetControlToken(process.env, sandbox.url, token);
    await sandbox.close();
  }
}

/** Its streams are ours, and we wait for it, also after Ctrl-C. A signal's code is 128 and its number, as shells have it. */
function runChild(
  { process }: Context,
  { program, args }: Options,
  account: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { REMIT_PROFILE: _, REMIT_REPORTS_URL: __, REMIT_PARTNER_PATH: ___, ...env } = process.env;
    const child = spawn(program, args, {
      stdio: 'inherit',
      cwd: process.cwd,
      env: { ...env, ...account } as NodeJS.ProcessEnv,
    });
    const pass = (): void => passOn(process, child);
    if (process.interrupt.aborted) pass();
    else process.interrupt.addEventListener('abort', pass, { once: true });
    child.once('error', (error: NodeJS.ErrnoException) => reject(cannotRun(program, error)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** A terminal sends Ctrl-C to both processes: a second signal would end the child at once. */
function passOn({ interrupt, streams }: Process, child: ChildProcess): void {
  if (interrupt.reason !== 'SIGINT') child.kill('SIGTERM');
  else if (!streams.stdinIsTerminal) child.kill('SIGINT');
}

function cannotRun(program: string, error: NodeJS.ErrnoException): Problem {
  const missing = error.code === 'ENOENT';
  return refuse(
    'usage',
    missing ? 'no_such_program' : 'program_not_run',
    missing ? `there is no program ${program}` : `${program} cannot be run: ${error.message}`,
    { hint: 'remit sandbox exec -- npm test', cause: error },
  );
}
