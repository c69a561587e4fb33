/** One delivery as it is given by flags: a file that remit wrote, or body and headers as they were received. */

import type { Headers, ReceivedRequest } from '../../../../contract/signatures/finding.ts';
import { usage } from '../../../../core/problem.ts';
import { flags, type Input } from '../../../../frame/flags/flag.ts';
import { parseTextFile, readStdinBytes, readTextFile } from '../../../../frame/flags/text-file.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { StoreChoice } from '../../../../payments/shared-store.ts';

export interface GivenDelivery {
  /** The id that the delivery has in the inbox. */
  id: string | undefined;
  delivery: string | undefined;
  url: string | undefined;
  body: string | undefined;
  headers: Record<string, string>;
  headersFile: string | undefined;
}

export const givenFlags = flags({
  delivery: { value: 'path', summary: 'a delivery that remit webhooks show --save or sign --save wrote' },
  url: { value: 'url', summary: 'the URL that was registered (or that of the file, or REMIT_PUBLIC_URL)' },
  body: { value: 'path', summary: 'a file with the raw body; - reads standard input' },
  header: {
    value: 'line',
    summary: 'a header as it was received, "Authorization-Nonce: …"; repeat it',
    many: true,
  },
  headersFile: { value: 'path', summary: 'all headers as a JSON object' },
});

/** @throws Problem (usage) where there is no delivery, or two */
export function readGiven(input: Input<typeof givenFlags>): GivenDelivery {
  const given: GivenDelivery = {
    id: input.args[0],
    delivery: input.flags.delivery,
    url: input.flags.url,
    body: input.flags.body,
    headers: readHeaders(input.flags.header),
    headersFile: input.flags.headersFile,
  };
  const byParts =
    given.body !== undefined || given.headersFile !== undefined || Object.keys(given.headers).length > 0;
  if (given.delivery !== undefined && byParts)
    throw usage('--delivery holds body and headers already', 'leave out --body, --header and --headers-file');
  if (given.id !== undefined && (byParts || given.delivery !== undefined))
    throw usage(
      'an id of the inbox stands for body and headers',
      'leave out the id, or everything but the id',
    );
  if (given.id === undefined && given.delivery === undefined && given.body === undefined)
    throw usage(
      'no delivery was named',
      'name an ID of the inbox, --delivery FILE, or --body FILE with --headers-file FILE (or --header, repeated)',
    );
  return given;
}

/** @throws Problem (usage) */
export async function requestGiven(
  context: Context,
  given: GivenDelivery,
  store: StoreChoice,
): Promise<ReceivedRequest> {
  if (given.id !== undefined) {
    const request = await fromInbox(context, given.id, store);
    return { ...request, url: given.url ?? request.url };
  }
  const publicUrl = context.process.env.REMIT_PUBLIC_URL;
  if (given.delivery !== undefined) {
    const request = await fromFile(context, given.delivery);
    return { ...request, url: given.url ?? request.url };
  }
  const url = given.url ?? publicUrl;
  if (url === undefined) throw usage('--url is missing', 'the signature covers the registered URL');
  const headers = {
    ...(given.headersFile === undefined ? {} : await headersFrom(context, given.headersFile)),
    ...given.headers,
  };
  return { rawBody: await rawBytes(context, given.body ?? '-'), url, headers };
}

/** Kept or refused: both are there as they came. */
async function fromInbox(context: Context, id: string, store: StoreChoice): Promise<ReceivedRequest> {
  const [{ findDelivery }, { openInbox }] = await Promise.all([
    import('../../../in-inbox.ts'),
    import('../../../open-inbox.ts'),
  ]);
  const { inbox } = await openInbox(context, store);
  const { kept, refused } = await findDelivery(inbox, id);
  const { url, headers, body } = kept ?? refused;
  if (refused && refused.bodyBytes > body.length)
    throw usage(`of ${id} only the first ${body.length} bytes were kept: it cannot be checked any more`);
  return { rawBody: body, url, headers: byName(headers), ...(refused ? { target: refused.target } : {}) };
}

/** Returns headers by their names. A header that came several times is a list. */
function byName(pairs: readonly (readonly [name: string, value: string])[]): Headers {
  const headers = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(headers);
}

async function fromFile(context: Context, path: string): Promise<ReceivedRequest> {
  const { DeliveryFileError, readDeliveryFile, requestIn } = await import('../../../intake/delivery-file.ts');
  const text = Buffer.from(await rawBytes(context, path)).toString('utf8');
  try {
    return requestIn(readDeliveryFile(text));
  } catch (error) {
    if (error instanceof DeliveryFileError)
      throw usage(
        `${path} is not a delivery that remit wrote: ${error.message}`,
        'remit webhooks show ID --save FILE',
      );
    throw error;
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw usage(`"${line.slice(0, 24)}" is not a header`, '"Name: value"');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

async function headersFrom({ process }: Context, path: string): Promise<Headers> {
  const read = await parseTextFile(await readTextFile(process, path), path);
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}

/** Byte for byte: not even a final line break is taken off. @throws Problem (usage) where there is no such file */
export async function rawBytes({ process }: Context, path: string): Promise<Uint8Array> {
  if (path === '-') return readStdinBytes(process);
  const [{ readFile }, { resolve }] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return readFile(resolve(process.cwd, path));
}
