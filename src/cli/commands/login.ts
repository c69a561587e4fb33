/** Adds an account. The secret comes by prompt, standard input, environment or file, never in argv, where others see it. */
import { resolve } from 'node:path';
import { checkBaseUrl } from '../../contract/base-url.ts';
import { listAccounts } from '../../contract/operations/accounts.ts';
import { usage } from '../../core/problem.ts';
import { environmentOf, keyLast4 } from '../../profiles/connection.ts';
import { changeSettings } from '../../profiles/profiles.ts';
import type { Environment, Profile, ProfileLimits, Settings } from '../../profiles/schema.ts';
import { keepSecret, whereKept } from '../../profiles/secrets.ts';
import { command, result } from '../command.ts';
import { type Context, createContext } from '../context.ts';
import { flagOn, flagText, type Input } from '../flags/flag.ts';
import { readMaxAmounts } from '../flags/profile-settings.ts';
import { readStdin, readTextFile } from '../flags/text-file.ts';
import { profileView, shownProfile } from '../views/profile.ts';

export interface LoginOptions {
  name: string | undefined;
  baseUrl: string | undefined;
  environment: Environment | undefined;
  key: string | undefined;
  secretFrom:
    | { kind: 'stdin' }
    | { kind: 'file'; path: string }
    | { kind: 'env'; name: string }
    | { kind: 'ask' };
  secretScheme: boolean;
  caFile: string | undefined;
  inFile: boolean;
  check: boolean;
  makeDefault: boolean;
  limits: ProfileLimits;
}

export { login as command };

const login = command<LoginOptions>({
  description:
    'Asks for what is not given. The profile’s name is --profile (“default” if you give none). One request checks that the account is accepted before anything is kept.',
  flags: [
    { flags: '--base-url <url>', summary: 'where the service is; ends in /v1' },
    {
      flags: '--environment <name>',
      summary: 'sandbox or production; what is not declared sandbox counts as production',
      choices: ['sandbox', 'production'],
    },
    { flags: '--key <key>', summary: 'the API key' },
    { flags: '--secret-stdin', summary: 'read the secret from standard input' },
    { flags: '--secret-file <path>', summary: 'read the secret from a file' },
    { flags: '--secret-env <name>', summary: 'read the secret from this environment variable' },
    {
      flags: '--send-secret',
      summary: 'use the scheme that sends the secret itself: TLS or this machine only',
    },
    { flags: '--ca-file <path>', summary: 'trust these certificate authorities (PEM)' },
    { flags: '--no-keychain', summary: 'keep the secret in a file that only you can read' },
    { flags: '--no-check', summary: 'keep it without asking the service' },
    { flags: '--default', summary: 'make it the default profile' },
    { flags: '--read-only', summary: 'refuse every write with this profile' },
    {
      flags: '--max-amount <amounts>',
      summary: 'refuse payments above these, and in other currencies: EUR=5000,GBP=4000',
    },
  ],
  shows: [profileView],
  effect: 'read',
  examples: [
    'remit login',
    'remit login --profile live --base-url https://api.example.com/v1 --environment production --key K --secret-stdin < secret.txt',
  ],
  read(input) {
    const sources = [
      flagOn(input, 'secretStdin') ? ({ kind: 'stdin' } as const) : undefined,
      flagText(input, 'secretFile') === undefined
        ? undefined
        : ({ kind: 'file', path: flagText(input, 'secretFile') ?? '' } as const),
      flagText(input, 'secretEnv') === undefined
        ? undefined
        : ({ kind: 'env', name: flagText(input, 'secretEnv') ?? '' } as const),
    ].filter((source) => source !== undefined);
    if (sources.length > 1) throw usage('the secret is given in more than one way');
    return {
      name: flagText(input, 'profile'),
      baseUrl: flagText(input, 'baseUrl'),
      environment: flagText(input, 'environment') as Environment | undefined,
      key: flagText(input, 'key'),
      secretFrom: sources[0] ?? { kind: 'ask' },
      secretScheme: flagOn(input, 'sendSecret'),
      caFile: flagText(input, 'caFile'),
      inFile: input.flags.keychain === false,
      check: input.flags.check !== false,
      makeDefault: flagOn(input, 'default'),
      limits: limitsIn(input),
    };
  },
  async run(context, options) {
    const { env } = context.world;
    const name = options.name ?? 'default';
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/.test(name))
      throw usage(`"${name}" cannot be a profile's name`, 'letters, digits, points and dashes');
    const profile = await complete(context, options);
    const secret = await readSecretFrom(context, options);
    if (options.check) await tryIt(context, profile, secret);
    const where = await keepSecret(context.world, name, secret, options.inFile ? 'file' : 'keychain');
    let kept: Profile = { ...profile, secretIn: where };
    let isDefault = false;
    await changeSettings(context.world, (settings) => {
      kept = { ...limitsBefore(settings, name), ...kept, ...options.limits };
      isDefault = options.makeDefault || [undefined, name].includes(settings.defaultProfile);
      return {
        ...settings,
        ...(isDefault ? { defaultProfile: name } : {}),
        profiles: { ...settings.profiles, [name]: kept },
      };
    });
    return result(profileView, shownProfile(name, kept, isDefault), {
      notes: [`the secret is kept in ${whereKept(env, where)}`],
    });
  },
});

function limitsIn(input: Input): ProfileLimits {
  const most = flagText(input, 'maxAmount');
  return {
    ...(flagOn(input, 'readOnly') ? { read_only: true } : {}),
    ...(most === undefined ? {} : { max_amount: readMaxAmounts(most) }),
  };
}

/** Signing in again changes a key, not what the profile may do. */
function limitsBefore({ profiles }: Settings, name: string): ProfileLimits {
  const { max_amount, read_only } = (Object.hasOwn(profiles, name) ? profiles[name] : undefined) ?? {};
  return { ...(max_amount ? { max_amount } : {}), ...(read_only ? { read_only } : {}) };
}

async function complete(context: Context, options: LoginOptions): Promise<Profile> {
  const baseUrl = checkBaseUrl(
    options.baseUrl ?? (await ask(context, 'Base URL of the service (ends in /v1)', '--base-url')),
    { insecure: context.globals.insecure },
  );
  const declared =
    environmentOf(baseUrl, 'production') === 'sandbox'
      ? 'sandbox'
      : (options.environment ?? (await askEnvironment(context)));
  const key = (options.key ?? (await ask(context, 'API key', '--key'))).trim();
  if (key === '') throw usage('the API key is empty');
  return {
    baseUrl,
    environment: declared,
    key,
    secretIn: 'file',
    ...(options.secretScheme ? { scheme: 'secret' as const } : {}),
    ...(options.caFile === undefined ? {} : { caFile: resolve(context.world.cwd, options.caFile) }),
    ...(context.globals.insecure ? { insecure: true } : {}),
  };
}

async function ask(context: Context, message: string, flag: string): Promise<string> {
  if (!context.interactive)
    throw usage(`${flag} is missing`, 'without a terminal everything is given by flag');
  const { askText } = await import('../terminal/prompt.ts');
  return askText(context, message, { required: true });
}

async function askEnvironment(context: Context): Promise<Environment> {
  if (!context.interactive)
    throw usage('--environment is missing', '--environment sandbox or --environment production');
  const { askChoice } = await import('../terminal/prompt.ts');
  const choices = [
    { value: 'sandbox', label: 'sandbox: no real money' },
    { value: 'production', label: 'production: real money' },
  ];
  return (await askChoice(context, 'Which environment is it?', choices)) as Environment;
}

async function readSecretFrom(context: Context, { secretFrom }: LoginOptions): Promise<string> {
  const secret = (await rawSecret(context, secretFrom)).trim();
  if (secret === '') throw usage('the secret is empty');
  return secret;
}

async function rawSecret(context: Context, from: LoginOptions['secretFrom']): Promise<string> {
  if (from.kind === 'stdin') return readStdin(context.world);
  if (from.kind === 'file') return readTextFile(context.world, from.path);
  if (from.kind === 'env') return context.world.env[from.name] ?? '';
  if (!context.interactive)
    throw usage(
      'the secret is missing',
      '--secret-stdin, --secret-file or --secret-env; never as an argument',
    );
  const { askSecret } = await import('../terminal/prompt.ts');
  return askSecret(context, 'API secret');
}

/** Reads once with exactly what is about to be kept, so that no other profile can make it look right. */
async function tryIt(context: Context, profile: Profile, secret: string): Promise<void> {
  const env = { REMIT_BASE_URL: profile.baseUrl, REMIT_API_KEY: profile.key, REMIT_API_SECRET: secret };
  const { world } = context;
  const proxies = Object.fromEntries(
    Object.entries(world.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name)),
  );
  const trial = createContext(
    { ...world, env: { ...proxies, ...env } },
    { ...context.globals, profile: undefined, insecure: profile.insecure ?? false },
    'login',
  );
  try {
    await (await trial.client()).call(listAccounts);
    context.say(`accepted: key …${keyLast4(profile.key)}`);
  } finally {
    await trial.close();
  }
}
