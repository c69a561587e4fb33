/**
 * A sign-in takes its values from flags, and on a terminal from questions that are asked until they are
 * right. A wrong answer never ends it, since a key and a secret that are pasted next would run in the shell.
 */
import { checkBaseUrl } from '../../contract/base-url.ts';
import { listAccounts } from '../../contract/operations/accounts.ts';
import { keyLast4 } from '../../core/account.ts';
import { usage } from '../../core/problem.ts';
import { readStdin, readTextFile } from '../../frame/flags/text-file.ts';
import type { Context } from '../../payments/cli/context.ts';
import { problemOf } from '../../payments/problem-of.ts';
import { connectionOf, environmentOf } from '../connection.ts';
import type { Environment, Profile } from '../schema.ts';

export type SecretFrom =
  | { kind: 'stdin' }
  | { kind: 'file'; path: string }
  | { kind: 'env'; name: string }
  | { kind: 'ask' };

export interface SignInGiven {
  baseUrl: string | undefined;
  environment: Environment | undefined;
  key: string | undefined;
  secretFrom: SecretFrom;
}

export interface SignIn {
  baseUrl: string;
  environment: Environment;
  key: string;
  secret: string;
}

type Answers = { [Name in keyof SignIn]?: SignIn[Name] | undefined };

/** `attempt` proves the sign-in at the service. What it refuses is asked again, as far as it was asked for. */
export async function signIn(
  context: Context,
  given: SignInGiven,
  attempt: (answers: SignIn) => Promise<void>,
): Promise<SignIn> {
  const answers: Answers = {};
  let urlBefore: string | undefined;
  for (;;) {
    const whole = await complete(context, given, { answers, urlBefore });
    try {
      await attempt(whole);
      return whole;
    } catch (error) {
      const asks = asksAgain(context, given, error);
      if (asks === undefined) throw error;
      context.say(problemOf(error).message, context.paint.yellow);
      const { dropTypedAhead } = await import('../../frame/terminal/asking.ts');
      await dropTypedAhead(context.streams);
      if (asks === 'key') {
        context.say('Enter key and secret again; the URL is kept.', context.paint.yellow);
        answers.secret = undefined;
        if (given.key === undefined) answers.key = undefined;
      } else {
        context.say('Enter the URL again; key and secret are kept.', context.paint.yellow);
        urlBefore = answers.baseUrl;
        answers.baseUrl = undefined;
        answers.environment = undefined;
      }
    }
  }
}

/** Undefined where what is wrong was given by flag, or is nothing that an answer could mend. */
function asksAgain(context: Context, given: SignInGiven, error: unknown): 'key' | 'url' | undefined {
  if (!context.interactive) return undefined;
  const { category } = problemOf(error).facts;
  if (category === 'auth') return given.secretFrom.kind === 'ask' ? 'key' : undefined;
  const isUrl = category === 'network' || category === 'not_found' || category === 'server';
  return isUrl && given.baseUrl === undefined ? 'url' : undefined;
}

async function complete(
  context: Context,
  given: SignInGiven,
  { answers, urlBefore }: { answers: Answers; urlBefore: string | undefined },
): Promise<SignIn> {
  const { insecure } = context.globals;
  const ask = asker(context);
  answers.baseUrl ??= checkBaseUrl(given.baseUrl ?? (await ask.url(urlBefore)), { insecure });
  answers.environment ??=
    given.environment ??
    (environmentOf(answers.baseUrl, undefined) === 'sandbox' ? 'sandbox' : await askEnvironment(context));
  answers.key ??= (given.key ?? (await ask.text('API key', '--key'))).trim();
  if (answers.key === '') throw usage('the API key is empty');
  answers.secret ??= (await rawSecret(context, given.secretFrom)).trim();
  if (answers.secret === '') throw usage('the secret is empty');
  return answers as SignIn;
}

const asker = (context: Context) => ({
  async text(message: string, flag: string): Promise<string> {
    refuseToAsk(context, flag);
    return (await import('../../frame/terminal/prompt.ts')).askText(context, message, { required: true });
  },
  async url(standing: string | undefined): Promise<string> {
    refuseToAsk(context, '--base-url');
    const { askText } = await import('../../frame/terminal/prompt.ts');
    return askText(context, 'Base URL of the service (ends in /v1)', {
      required: true,
      default: standing,
      validate: (text) => judgeUrl(text, context.globals.insecure),
    });
  },
});

function refuseToAsk(context: Context, flag: string): void {
  if (!context.interactive)
    throw usage(`${flag} is missing`, 'without a terminal everything is given by flag');
}

/**
 * Judges a base URL. A text that is no URL at all is not repeated: it may be the secret, pasted one question
 * early.
 */
function judgeUrl(text: string, insecure: boolean): true | string {
  if (!/^https?:\/\//i.test(text)) return 'A base URL begins with https:// and ends in /v1';
  try {
    checkBaseUrl(text, { insecure });
    return true;
  } catch (error) {
    return problemOf(error).message;
  }
}

async function askEnvironment(context: Context): Promise<Environment> {
  if (!context.interactive)
    throw usage('--environment is missing', '--environment sandbox or --environment production');
  const { askChoice } = await import('../../frame/terminal/prompt.ts');
  const choices = [
    { value: 'sandbox', label: 'sandbox: no real money', bare: true },
    { value: 'production', label: 'production: real money', bare: true },
  ];
  return (await askChoice(context, 'Which environment is it?', choices)) as Environment;
}

async function rawSecret(context: Context, from: SecretFrom): Promise<string> {
  if (from.kind === 'stdin') return readStdin(context.process);
  if (from.kind === 'file') return readTextFile(context.process, from.path);
  if (from.kind === 'env') return context.process.env[from.name] ?? '';
  if (!context.interactive)
    throw usage(
      'the secret is missing',
      '--secret-stdin, --secret-file or --secret-env; never as an argument',
    );
  const { askSecret } = await import('../../frame/terminal/prompt.ts');
  return askSecret(context, 'API secret', { required: true });
}

/** Reads once with exactly what is about to be kept, so that no other profile can make it look right. */
export async function tryAccount(
  context: Context,
  words: string,
  name: string,
  { profile, secret }: { profile: Profile; secret: string },
): Promise<void> {
  const trial = context.another(connectionOf(name, profile, { secret }), { words });
  try {
    await (await trial.client()).call(listAccounts);
    context.say(`accepted: key …${keyLast4(profile.key)}`);
  } finally {
    await trial.close();
  }
}
