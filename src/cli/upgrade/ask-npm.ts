/**
 * The newest version of remit, asked through npm: which registry there is, its certificates, proxy and password are npm's own settings, and remit
 * names no host (decision 0100).
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../../core/env.ts';
import { type Category, configProblem, interrupted, Problem } from '../../core/problem.ts';
import type { World } from '../world.ts';
import { versionOf } from './versions.ts';

export const PACKAGE = 'remit-cli';

export interface Asking {
  /** Another one than npm is set up with. */
  registry: string | undefined;
  timeoutMs: number;
}

/** @throws Problem where there is no npm, no answer, or none that is a version */
export async function newestVersion({ env, interrupt }: World, asking: Asking): Promise<string> {
  const npm = npmOnPath(env);
  if (npm === undefined)
    throw configProblem(
      'npm_missing',
      'npm is not on the PATH, and it is npm that is asked',
      `on a machine that has it: npm view ${PACKAGE} version`,
    );
  const answer = await runNpm(npm, { env, interrupt, asking });
  const version = textIn(answer);
  if (version === undefined || versionOf(version) === undefined)
    throw failure('server', 'registry_answer', `the registry's answer for ${PACKAGE} has no version`);
  return version;
}

/** Looks where a shell does. Node would look elsewhere where PATH is not set. */
function npmOnPath({ PATH = '' }: Env): string | undefined {
  const name = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const MOST_BYTES = 1_000_000;

interface Call {
  env: Env;
  interrupt: AbortSignal;
  asking: Asking;
}

function runNpm(npm: string, { env, interrupt, asking }: Call): Promise<string> {
  const { registry, timeoutMs } = asking;
  const argv = [
    // As `npm install --global` is set up: the folder that one stands in has no say in where is asked.
    ...['view', PACKAGE, 'version', '--json', '--global', '--fetch-retries=0', '--loglevel=error'],
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ];
  return new Promise((resolve, reject) => {
    execFile(
      npm,
      argv,
      {
        env: environmentOf(env),
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        signal: interrupt,
        maxBuffer: MOST_BYTES,
        // npm is a script there. The arguments are ours, and the URL was looked at (`readRegistry`).
        shell: process.platform === 'win32',
      },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(interrupt.aborted ? interrupted() : problemOfNpm(error, stdout, asking));
      },
    );
  });
}

/** The variables of remit do not go to another program, secrets least of all; and npm asks for no news of its own. */
const environmentOf = (env: Env): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('REMIT_'))),
  npm_config_update_notifier: 'false',
});

function problemOfNpm(error: ExecFileException, stdout: string, { timeoutMs }: Asking): Problem {
  if (error.killed === true)
    return failure('network', 'registry_slow', `the registry did not answer within ${timeoutMs / 1000} s`);
  const code = codeIn(stdout) ?? '';
  if (code === 'E404') return failure('not_found', 'package_unknown', `the registry offers no ${PACKAGE}`);
  if (code === 'E401' || code === 'E403' || code === 'ENEEDAUTH')
    return failure('auth', 'registry_refused', `the registry does not let this npm look (${code})`);
  if (
    /^E(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|SOCKET|IDLETIMEOUT)|^ERR_SOCKET/.test(code)
  )
    return failure('network', 'registry_unreachable', `the registry cannot be reached (${code})`);
  return failure(
    'server',
    'registry_answer',
    `npm could not read the registry's answer${code === '' ? '' : ` (${code})`}`,
  );
}

const failure = (category: Category, code: string, message: string): Problem =>
  new Problem({
    category,
    code,
    message,
    hint: 'npm config get registry shows whom npm asks; --registry URL asks another',
    retryable: category === 'network' || category === 'server',
  });

/** With --json npm writes an error on its output too: a word of its own in capitals. */
function codeIn(stdout: string): string | undefined {
  const { error } = (parsed(stdout) ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(error.code) ? error.code : undefined;
}

function textIn(stdout: string): string | undefined {
  const answer = parsed(stdout);
  return typeof answer === 'string' ? answer : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
