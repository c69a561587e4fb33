/** The signature of a request that another program makes: its parts, and why it is another one. Nothing is sent. */
import { usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { readTextFile } from '../../frame/flags/text-file.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { result } from '../../payments/cli/result.ts';
import { checkFlags, credentialsOf, readCheckWith } from '../../webhooks/cli/flags/check-with.ts';
import { signedRequestView } from './views/signed-request.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

export const command = defineCommand({
  description: `For whoever writes a client in another language: prints nonce, method, URL and digest of the body, and the text that is signed. A path is added to the base URL of the profile. With --nonce the signature is printed too, if the key is one of a sandbox or is given by --key; a signature of a production account is a request that anybody could send once, and is never printed.
With --signature yours is compared, in production too. Where it differs, the one mistake that makes it is named, if it is a known one. Nothing is sent.`,
  args: [
    { name: 'METHOD', summary: METHODS.join(', ') },
    { name: 'URL', summary: 'the whole URL, as it is sent, or a path below the version segment' },
  ],
  flags: {
    data: {
      short: '-d',
      value: 'text',
      summary: 'the body, exactly as it is sent; @FILE reads a file, - standard input',
    },
    nonce: { value: 'text', summary: 'the nonce of the request' },
    signature: { value: 'hex', summary: 'the signature that your program made, to compare' },
    ...checkFlags,
  },
  shows: [signedRequestView],
  exits: [exitCodes.signature],
  examples: [
    'remit sign GET /accounts',
    `remit sign POST /senders -d @body.json --nonce n-1 --signature 0f3c…`,
    'remit sign GET https://api.example.com/v1/accounts --nonce n-1 --key K --secret-file secret.txt',
  ],
  read(input) {
    const [method = '', url = ''] = input.args;
    const { nonce, signature, data } = input.flags;
    if (!METHODS.includes(method.toUpperCase()))
      throw usage(`"${method}" is no method`, `choose one of ${METHODS.join(', ')}`);
    if (signature !== undefined && nonce === undefined)
      throw usage('--signature goes with --nonce: the nonce is a part of what is signed');
    return { method, url, nonce, signature, data, check: readCheckWith(input) };
  },
  async run(context, { data, check, ...request }) {
    const { signedRequest } = await import('../signed-request.ts');
    const body = Buffer.from(await textOf(context, data));
    const url = /^https?:\/\//.test(request.url) ? request.url : await below(context, request.url);
    const credentials = await credentialsOf(context, check);
    const isShown = check.with !== 'profile' || (await isSandbox(context));
    const made = signedRequest({ ...request, url, body }, credentials && { ...credentials, isShown });
    const isComparable = request.signature !== undefined && made.matches === null;
    if (isComparable)
      throw usage('there is no secret to compare with', 'name a profile, or give --key and --secret-file');
    return result(signedRequestView, made, {
      notes:
        credentials && !isShown
          ? ['the signature is not printed: with its nonce it is a request to production']
          : [],
      exit: made.matches === false ? exitCodes.signature : exitCodes.ok,
    });
  },
});

async function textOf({ process }: Context, data: string | undefined): Promise<string> {
  if (data === '-') return readTextFile(process, '-');
  return data?.startsWith('@') ? readTextFile(process, data.slice(1)) : (data ?? '');
}

const below = async (context: Context, path: string): Promise<string> =>
  `${(await context.connection()).baseUrl}/${path.replace(/^\//, '')}`;

const isSandbox = async (context: Context): Promise<boolean> => {
  const { environment } = await context.connection().catch(() => ({ environment: undefined }));
  return environment === 'sandbox';
};
