/** JSON Schemas for editors and other languages: as plain JSON, so that a file of it can be used as it is. */
import { notFound, usage } from '../../core/problem.ts';
import { printDocument } from '../../frame/output/document.ts';
import type { Process } from '../../frame/process.ts';
import { defineCommand } from '../../payments/cli/command.ts';

const WHICH = {
  payment: 'a payment, as tx create --file reads it',
  profiles: 'the file of settings, with its profiles and mappings',
  events: 'the body of a webhook, by its event',
  results: 'what -o json prints, by its kind',
} as const;
type Which = keyof typeof WHICH;

export const command = defineCommand({
  description: `${Object.entries(WHICH)
    .map(([name, meaning]) => `${name.padEnd(9)} ${meaning}`)
    .join('\n')}
It is JSON Schema 2020-12, printed as plain JSON, or as YAML with -o yaml. What a schema cannot say, such as the check digits of an account, remit checks itself. A payment has the details of each payout type; lists of more than 100 banks or branches are in remit corridors.`,
  args: [
    { name: 'WHICH', summary: Object.keys(WHICH).join(', ') },
    { name: 'KIND', summary: 'with results: one kind, such as transaction', optional: true },
  ],
  flags: {},
  examples: [
    'remit schema payment > payment.schema.json',
    'remit schema results transaction',
    'remit schema events',
  ],
  read(input) {
    const [which = '', kind] = input.args;
    if (!Object.hasOwn(WHICH, which))
      throw usage(`there is no schema for "${which}"`, `choose one of ${Object.keys(WHICH).join(', ')}`);
    if (kind !== undefined && which !== 'results')
      throw usage(`${which} has no kinds`, 'remit schema results KIND');
    return { which: which as Which, kind };
  },
  async run(context, { which, kind }) {
    await printDocument(context, await MADE[which](context.process.tree, kind));
    return { done: true };
  },
});

type Tree = Process['tree'];

const MADE: Readonly<Record<Which, (tree: Tree, kind: string | undefined) => Promise<object>>> = {
  payment: async () => (await import('../../contract/schemas.ts')).paymentSchema(),
  events: async () => (await import('../../contract/schemas.ts')).eventsSchema(),
  async profiles() {
    const [{ schemaOf }, { settingsSchema }] = await Promise.all([
      import('../../contract/schemas.ts'),
      import('../../profiles/schema.ts'),
    ]);
    return schemaOf(settingsSchema);
  },
  async results(tree, kind) {
    const shapes = (await tree?.shapes()) ?? [];
    const found = kind === undefined ? shapes : shapes.filter((one) => one.kind === kind);
    if (found.length === 0) throw notFound(`no result is called "${kind}"`, 'remit commands --shapes');
    const envelopes = found.map(({ kind: name, version, schema: { $schema: _, ...record } }) => ({
      title: name,
      type: 'object',
      properties: {
        version: { const: version },
        kind: { const: name },
        data: { anyOf: [record, { type: 'array', items: record }, { type: 'null' }] },
      },
      required: ['version', 'kind', 'data'],
    }));
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return envelopes.length === 1 ? { $schema, ...envelopes[0] } : { $schema, oneOf: envelopes };
  },
};
