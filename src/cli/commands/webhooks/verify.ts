/** Checks one delivery offline, with the secret of the profile, and names the one cause where it does not verify. */
import { verifyDelivery } from '../../../intake/verify.ts';
import { command, flagMany, flagText, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { usage } from '../../failure.ts';
import { parseTextFile, readStdinBytes, readTextFile } from '../../payment/text-file.ts';
import type { View } from '../../view.ts';

export interface VerifyOptions {
  url: string | undefined;
  body: string;
  headers: Record<string, string>;
  headersFile: string | undefined;
}

export { verify as command };

interface Shown {
  verified: boolean;
  event: string | null;
  object_id: string | null;
  cause: string | null;
  message: string | null;
  hint: string | null;
}

const view: View<Shown> = {
  kind: 'verification',
  columns: [
    { name: 'verified', get: (row) => (row.verified ? 'yes' : 'no') },
    { name: 'event', get: (row) => row.event },
    { name: 'object_id', head: 'object', get: (row) => row.object_id },
    { name: 'cause', get: (row) => row.cause },
    { name: 'message', head: 'why', get: (row) => row.message },
    { name: 'hint', head: 'next', get: (row) => row.hint },
  ],
};

const verify = command<VerifyOptions>({
  description:
    'The body must be the raw bytes as they were received, and the URL the registered one. Nothing is sent.',
  flags: [
    { flags: '--url <url>', summary: 'the URL that was registered (or REMIT_PUBLIC_URL)' },
    { flags: '--body <path>', summary: 'a file with the raw body; - reads standard input' },
    {
      flags: '--header <line>',
      summary: 'a header as it was received, "Authorization-Nonce: …"; repeat it',
      many: true,
    },
    { flags: '--headers-file <path>', summary: 'all headers as a JSON object' },
  ],
  shows: [view],
  exits: [exitCodes.signature],
  examples: [
    'remit webhooks verify --url https://example.com/hooks --body body.json --headers-file headers.json',
  ],
  read(input) {
    const body = flagText(input, 'body');
    if (body === undefined)
      throw usage('--body is missing', 'a file with the raw bytes, or - for standard input');
    return {
      url: flagText(input, 'url'),
      body,
      headers: readHeaders(flagMany(input, 'header')),
      headersFile: flagText(input, 'headersFile'),
    };
  },
  async run(context, options) {
    const url = options.url ?? context.world.env.REMIT_PUBLIC_URL;
    if (!url) throw usage('--url is missing', 'the signature covers the registered URL');
    const { credentials } = await context.connection();
    const rawBody = await readRaw(context.world.cwd, options.body, () => readStdinBytes(context.world));
    const headers =
      options.headersFile === undefined
        ? options.headers
        : { ...(await headersFrom(context, options.headersFile)), ...options.headers };
    const verdict = verifyDelivery({ rawBody, url, headers }, credentials);
    if (verdict.ok) {
      const { event, object } = verdict.delivery;
      const data: Shown = {
        verified: true,
        event,
        object_id: object.id ?? null,
        cause: null,
        message: null,
        hint: null,
      };
      return result(view, data, { notes: verdict.remark ? [verdict.remark] : [] });
    }
    const { cause, message, hint } = verdict;
    return result<Shown>(
      view,
      { verified: false, event: null, object_id: null, cause, message, hint },
      { exit: exitCodes.signature },
    );
  },
});

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw usage(`"${line.slice(0, 24)}" is not a header`, '"Name: value"');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

async function headersFrom(
  { world }: { world: Parameters<typeof readTextFile>[0] },
  path: string,
): Promise<Record<string, string>> {
  const read = await parseTextFile(await readTextFile(world, path), path);
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [
      name,
      Array.isArray(value) ? String(value[0]) : String(value),
    ]),
  );
}

/** Byte for byte: not even a final line break is taken off. */
async function readRaw(cwd: string, path: string, stdin: () => Promise<Uint8Array>): Promise<Uint8Array> {
  if (path === '-') return stdin();
  const [{ readFile }, { resolve }] = await Promise.all([import('node:fs/promises'), import('node:path')]);
  return readFile(resolve(cwd, path));
}
