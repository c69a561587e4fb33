/** The skeleton as YAML for people: beside each empty place its label, what is needed, and its choices. */
import { fieldsFor, optionsOf } from '../../../contract/corridors/check.ts';
import type { Corridor, CorridorField, PartyKind } from '../../../contract/corridors/corridor.ts';
import { loadOptionsOf } from '../../../contract/corridors/index.ts';
import { roundsUp } from '../../../core/currency.ts';
import { yamlText } from '../../../frame/terminal/yaml.ts';
import { emptySkeleton } from './corridor-skeleton.ts';

/** More choices than this are pointed to. */
const MOST_CHOICES = 8;
const INDENT = ' '.repeat(8);

export async function commentedSkeleton(corridor: Corridor, kind: PartyKind): Promise<string> {
  const { type, currency, requireOneOf = [] } = corridor;
  const options = await loadOptionsOf(corridor);
  const [recipient] = emptySkeleton(corridor, kind).recipients;
  const details = recipient?.payout_method.details ?? {};
  const fields = fieldsFor(corridor, kind);
  const line = (field: CorridorField): string => {
    const isOpen = Object.hasOwn(details, field.name);
    const value = yamlText(isOpen ? details[field.name] : (field.default ?? '')).trim();
    const says = wordsOf(field, { type, isOpen, choices: optionsOf(field, options) });
    return `${INDENT}${isOpen ? '' : '# '}${field.name}: ${value} # ${says}`;
  };
  const [open, other] = [true, false].map((isOpen) =>
    fields.filter(({ name }) => Object.hasOwn(details, name) === isOpen).map(line),
  );
  const whole = roundsUp(currency) ? `; ${currency} is paid in whole units, rounded up` : '';
  const groups = requireOneOf.map((group) => group.join(' + ')).join('; or ');
  return [
    `# A payment to ${type}. Fill in the empty places: what is needed and left empty is refused.`,
    '# Then: remit tx create --file FILE --dry-run',
    'input_currency: "" # needed: the currency you pay in, such as EUR',
    'external_id: "" # your reference for this payment; without this line remit makes one',
    'sender:',
    '  external_id: "" # needed: the sender (your reference for it)',
    'recipients:',
    `  - type: ${kind}`,
    `    requested_amount: "" # needed: how much arrives, in ${currency}${whole}`,
    `    requested_currency: ${currency}`,
    '    payout_method:',
    `      type: ${yamlText(type).trim()}`,
    '      details:',
    ...(groups === '' ? [] : [`${INDENT}# one of these is needed: ${groups}`]),
    ...(open ?? []),
    ...(other?.length ? [`${INDENT}# These may be left out:`, ...other] : []),
    '',
  ].join('\n');
}

interface Surroundings {
  type: string;
  isOpen: boolean;
  choices: Readonly<Record<string, string>>;
}

function wordsOf(field: CorridorField, { type, isOpen, choices }: Surroundings): string {
  const all = Object.entries(choices);
  const few = all.map(([code, label]) => (code === label ? code : `${code} (${label})`)).join(', ');
  const listed =
    all.length > MOST_CHOICES
      ? `one of ${all.length}: remit corridors ${type} --options ${field.name}`
      : few && `one of ${few}`;
  const needed = isOpen && field.required ? 'needed: ' : '';
  return [`${needed}${field.label}`, listed, field.note ?? ''].filter((part) => part !== '').join('; ');
}
