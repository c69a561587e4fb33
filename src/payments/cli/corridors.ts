import { fieldsFor, optionsOf } from '../../contract/corridors/check.ts';
import type { Corridor, PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor, loadOptionsOf } from '../../contract/corridors/index.ts';
import { currencyRule } from '../../core/currency.ts';
import { nearest } from '../../core/distance.ts';
import { notFound, usage } from '../../core/problem.ts';
import { formatInfo } from '../../frame/terminal/format.ts';
import { defineCommand } from './command.ts';
import type { Context } from './context.ts';
import { type Result, result, wholeList } from './result.ts';
import {
  type CorridorRow,
  corridorFieldView,
  corridorView,
  type FieldRow,
  optionView,
  roundingWords,
} from './views/corridor.ts';

/** From the contract's own data: nothing is asked of the service, and no profile is needed. */
export const command = defineCommand({
  description:
    'Lists payout types and their fields, offline; remit methods asks the service. With a currency in place of TYPE: the types that pay out that currency. --skeleton prints a payment to fill in, for remit tx create --file; a needed field that is left empty is refused. --sample fills it with made-up values that a sandbox accepts.',
  args: [{ name: 'TYPE', summary: 'such as NGN::Bank, or a currency such as NGN', optional: true }],
  flags: {
    business: { summary: 'for a recipient that is a business' },
    options: { value: 'field', summary: 'all choices of one field, such as bank_code' },
    search: { value: 'text', summary: 'only types, fields or choices with this in their name or label' },
    skeleton: { summary: 'a payment to fill in, as YAML with comments (or -o json)' },
    sample: { summary: 'the same, filled with made-up values' },
  },
  shows: [corridorView, corridorFieldView, optionView],
  examples: [
    'remit corridors',
    'remit corridors NGN::Bank',
    'remit corridors NGN::Bank --options bank_code --search access',
    'remit corridors NGN::Bank --skeleton > payment.yaml',
    'remit corridors GHS::Mobile --sample -o yaml',
  ],
  read(input) {
    const type = input.args[0];
    const [skeleton, sample] = [input.flags.skeleton, input.flags.sample];
    const options = input.flags.options;
    if (type === undefined && (skeleton || sample || options !== undefined))
      throw usage('which payout type?', 'such as remit corridors NGN::Bank --skeleton');
    const kind: PartyKind = input.flags.business ? 'business' : 'person';
    return {
      type,
      kind,
      options,
      search: input.flags.search?.toLowerCase(),
      skeleton: sample ? ('sample' as const) : skeleton ? ('empty' as const) : undefined,
    };
  },
  async run(context, { type, kind, options, search, skeleton }) {
    const found = type === undefined ? undefined : await corridorOf(type);
    if (found === undefined) return listed(type, search);
    if (fieldsFor(found, kind).length === 0)
      throw usage(`${found.type} pays persons only`, 'leave --business out');
    if (skeleton !== undefined) return printed(context, found, kind, skeleton);
    if (options !== undefined) return choices(found, kind, options, search);
    return described(found, kind, search);
  },
});

/** Undefined where a currency was given. @throws Problem (not found) */
async function corridorOf(type: string): Promise<Corridor | undefined> {
  const same = corridorTypes.find((one) => one.type.toLowerCase() === type.toLowerCase());
  if (same !== undefined) return loadCorridor(same.type);
  if (corridorTypes.some(({ currency }) => currency === type.toUpperCase())) return undefined;
  const close = nearest(
    type,
    corridorTypes.map((one) => one.type),
  );
  throw notFound(
    `there is no payout type "${type}"`,
    close.length > 0 ? `did you mean ${close.join(', ')}?` : 'remit corridors lists them',
  );
}

async function listed(currency: string | undefined, search: string | undefined): Promise<Result> {
  const wanted = corridorTypes.filter(
    (one) =>
      (currency === undefined || one.currency === currency.toUpperCase()) &&
      (search === undefined || `${one.type} ${one.summary}`.toLowerCase().includes(search)),
  );
  const rows = wanted.map(async ({ type, summary, status }): Promise<CorridorRow> => {
    const corridor = await loadCorridor(type);
    const code = corridor?.currency ?? '';
    return {
      type,
      summary,
      status,
      currency: code,
      decimals: currencyRule(code)?.decimals ?? null,
      countries: corridor?.countries ?? [],
      recipient_kinds: corridor?.recipientKinds.business ? ['person', 'business'] : ['person'],
      account_check: corridor?.accountCheck ?? null,
      timing: corridor?.timing ?? null,
    };
  });
  return wholeList(corridorView, await Promise.all(rows));
}

async function described(corridor: Corridor, kind: PartyKind, search = ''): Promise<Result> {
  const read = await loadOptionsOf(corridor);
  const wanted = fieldsFor(corridor, kind).filter(({ name, label }) =>
    `${name} ${label}`.toLowerCase().includes(search),
  );
  const rows = wanted.map(
    (field): FieldRow => ({
      field: field.name,
      label: field.label,
      required: field.required,
      control: field.control,
      options: optionsOf(field, read),
      format: field.format ?? null,
      max_length: field.maxLength ?? null,
      default: field.default ?? null,
      note: field.note ?? null,
    }),
  );
  const groups = (corridor.requireOneOf ?? []).map((group) => group.join(' + '));
  return result(corridorFieldView, rows, {
    notes: [
      roundingWords(corridor.currency),
      ...(groups.length > 0 ? [`one of these is needed: ${groups.join('; or ')}`] : []),
      ...senderWords(corridor),
      ...(corridor.timing ? [`usual time: ${corridor.timing}`] : []),
      ...corridor.notes,
    ],
  });
}

/** `the sender needs identification_type (passport, …)`. */
function senderWords({ senderRequirements }: Corridor): string[] {
  return (['person', 'business'] as const).flatMap((kind) => {
    const needed = (senderRequirements[kind] ?? []).map(({ field, values, when }) => {
      const only = when
        ? `, where ${Object.entries(when)
            .map((pair) => pair.join(' is '))
            .join(' and ')}`
        : '';
      return `${field}${values ? ` (${values.join(', ')})` : ''}${only}`;
    });
    return needed.length > 0 ? [`a ${kind} that sends needs ${needed.join('; ')}`] : [];
  });
}

async function choices(
  corridor: Corridor,
  kind: PartyKind,
  name: string,
  search: string | undefined,
): Promise<Result> {
  const fields = fieldsFor(corridor, kind).filter(({ control }) => control === 'select');
  const field = fields.find((one) => one.name === name);
  if (field === undefined)
    throw notFound(
      `${corridor.type} has no choices for "${name}"`,
      fields.length > 0 ? `it has for ${fields.map((one) => one.name).join(', ')}` : undefined,
    );
  const all = Object.entries(optionsOf(field, await loadOptionsOf(corridor)));
  const rows = all.map(([code, label]) => ({ code, label }));
  return result(
    optionView,
    rows.filter(
      ({ code, label }) => search === undefined || `${code} ${label}`.toLowerCase().includes(search),
    ),
  );
}

/**
 * Prints the file as it is, without what stands around JSON output: it is a file to fill in. An empty one has
 * comments, but for JSON.
 */
async function printed(
  context: Context,
  corridor: Corridor,
  kind: PartyKind,
  filling: 'empty' | 'sample',
): Promise<Result> {
  const { output } = context.globals;
  context.streams.out(await fileOf(corridor, kind, { filling, output }));
  return { done: true };
}

async function fileOf(
  corridor: Corridor,
  kind: PartyKind,
  { filling, output }: { filling: 'empty' | 'sample'; output: string | undefined },
): Promise<string> {
  const isJson = output === undefined ? filling === 'sample' : formatInfo(output).isYaml !== true;
  if (filling === 'empty' && !isJson)
    return (await import('./views/corridor-commented.ts')).commentedSkeleton(corridor, kind);
  const { emptySkeleton, sampleSkeleton } = await import('./views/corridor-skeleton.ts');
  const skeleton = filling === 'empty' ? emptySkeleton(corridor, kind) : await sampleSkeleton(corridor, kind);
  return isJson
    ? `${JSON.stringify(skeleton, null, 2)}\n`
    : (await import('../../frame/terminal/yaml.ts')).yamlText(skeleton);
}
