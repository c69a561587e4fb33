/** Makes a signed delivery by hand. A fresh signature is a bearer cheque: one of a real secret goes to a file only. */

import { usage } from '../../../core/problem.ts';
import { writePrivateFile } from '../../../frame/output/private-file.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { result } from '../../../payments/cli/result.ts';
import { signedDeliveryShape } from '../../shapes.ts';
import { readHttpUrl } from './shared/handler-flags.ts';
import { makeBody, makingFlags, readToMake } from './shared/made-delivery.ts';
import { asProfileFlag, type SignedWith, signingKey } from './shared/signing-key.ts';

type ShownDelivery = DataOf<typeof signedDeliveryShape>;

const view: View<ShownDelivery> = {
  shape: signedDeliveryShape,
  columns: [
    { name: 'event', get: (row) => row.event },
    { name: 'url', get: (row) => row.url },
    { name: 'raw_body', head: 'body', get: (row) => row.raw_body },
    { name: 'saved', priority: 1, get: (row) => row.saved },
  ],
  details: (row) => [
    ['event', row.event],
    ['url', row.url],
    ...row.header_lines.map((line) => ['header', line] as const),
    ['body', row.raw_body],
    ['saved', row.saved],
  ],
};

export const command = defineCommand({
  description: `Prints the headers and the body of a delivery. It is signed with a test key that is made once and kept beside the settings: configure your handler with it. Made-up objects have ids that no real object has: UUIDs of version 8 that begin with 7e57da7a, where the service uses version 4. With --as-profile the delivery is written to --save FILE and never printed: whoever has it can use it.`,
  flags: {
    ...makingFlags,
    url: { value: 'url', summary: 'the URL that is signed: where your handler is registered' },
    ...asProfileFlag,
    save: { value: 'path', summary: 'write it to a file that only you can read, for verify --delivery' },
  },
  shows: [view],
  effect: 'read',
  examples: [
    'remit webhooks sign --event recipient.error --url http://127.0.0.1:3000/hooks -o json',
    'remit webhooks sign --event transaction.paid_out --tx invoice-2024-17 --url http://127.0.0.1:3000/hooks --save paid.json',
  ],
  read(input) {
    const asProfile = input.flags.asProfile;
    const save = input.flags.save;
    if (asProfile && save === undefined)
      throw usage(
        'a delivery signed with a profile’s secret is not printed: whoever sees it can use it',
        'write it to a file that only you can read: --save FILE',
      );
    return { make: readToMake(input), url: readHttpUrl(input.flags.url, 'url'), asProfile, save };
  },
  async run(context, { make, url: given, asProfile, save }) {
    const url = given ?? context.process.env.REMIT_PUBLIC_URL;
    if (url === undefined) throw usage('--url is missing', 'the signature covers the registered URL');
    const { event, body } = await makeBody(context, make);
    const key = await signingKey(context, asProfile, `sign ${event} for ${url}`);
    const headers = await headersFor(context, key, url, body);
    if (save !== undefined) await saveTo(context, save, { url, headers, body });
    const shown: ShownDelivery = {
      event,
      url,
      method: 'POST',
      header_lines: linesOf(save === undefined ? headers : cutShort(headers)),
      raw_body: Buffer.from(body).toString('utf8'),
      saved: save ?? null,
    };
    return result(view, shown);
  },
});

async function headersFor(
  { process }: Context,
  { credentials }: SignedWith,
  url: string,
  body: Uint8Array,
): Promise<Record<string, string>> {
  const { deliveryHeaders } = await import('../../conformance/delivery.ts');
  return deliveryHeaders(credentials, { url, body, nonce: process.nonce() });
}

async function saveTo(
  { process }: Context,
  path: string,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: Uint8Array },
): Promise<void> {
  const { writeDeliveryFile } = await import('../../intake/delivery-file.ts');
  const { pathname, search } = new URL(url);
  const text = writeDeliveryFile({
    id: process.nonce(),
    receivedAt: process.clock.now(),
    url,
    method: 'POST',
    target: pathname + search,
    headers: Object.entries(headers),
    body,
  });
  await writePrivateFile(process, path, text);
}

const linesOf = (headers: Record<string, string>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

const cutShort = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /nonce|signature/i.test(name) ? `${value.slice(0, 4)}…` : value,
    ]),
  );
