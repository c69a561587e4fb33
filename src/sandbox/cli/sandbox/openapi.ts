import { checkBaseUrl, SANDBOX_URL } from '../../../contract/base-url.ts';
import { printDocument } from '../../../frame/output/document.ts';
import { defineCommand } from '../../../payments/cli/command.ts';

export const command = defineCommand({
  description:
    'Prints an OpenAPI 3.1 description of the 49 operations and of the webhooks, as JSON, or as YAML with -o yaml: for generators, mock servers and editors. It is made from the table that client and sandbox read. It needs no running sandbox.',
  flags: {
    baseUrl: {
      value: 'url',
      summary: `the address that it names, with the version segment; ${SANDBOX_URL} if you do not say`,
    },
  },
  examples: [
    'remit sandbox openapi > openapi.json',
    'remit sandbox openapi --base-url https://api.example.com/v1 -o yaml',
  ],
  read: (input) => ({
    baseUrl: checkBaseUrl(input.flags.baseUrl ?? SANDBOX_URL, { insecure: true }),
  }),
  async run(context, { baseUrl }) {
    const { openApi } = await import('../../../contract/openapi.ts');
    await printDocument(context, openApi({ version: context.process.version, baseUrl }));
    return { done: true };
  },
});
