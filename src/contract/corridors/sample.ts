/** Made-up details that a corridor accepts: for scenarios, skeletons and samples. No such person exists, nothing is paid. */
import { byWord } from '../../core/by-word.ts';
import { fieldsFor, optionsOf, type ReadOptionSet } from './check.ts';
import type { Corridor, CorridorField, PartyKind } from './corridor.ts';

const samples: Readonly<Record<string, string>> = byWord({
  first_name: 'Chidi',
  middle_name: 'Obi',
  last_name: 'Eze',
  name: 'Eze Trading',
  email: 'chidi@example.com',
  phone_number: '+233302123400',
  street: '1 Market Street',
  city: 'Lagos',
  postal_code: '10115',
  bank_account: '0123456700',
  bank_name: 'Sample Bank',
  branch_code: '000001',
  sort_code: '200000',
  identity_card_id: 'A1234567',
  transfer_reason: 'personal_account',
  gender: 'F',
});

const phones: Readonly<Record<string, string>> = byWord({
  BR: '+5511912345600',
  CI: '+2250102030400',
  CM: '+237674044400',
  EG: '+201001234500',
  GA: '+24174709400',
  GH: '+233302123400',
  GN: '+224620123400',
  KE: '+254712123400',
  MA: '+212612345600',
  NG: '+2348012345600',
  SN: '+221774044400',
  UG: '+256772123400',
  ZA: '+27821234500',
});

const ibans: Readonly<Record<string, string>> = byWord({
  'EUR::Bank': 'DE89370400440532013000',
  'GBP::Bank': 'GB29NWBK60161331926819',
  'USD::Bank': 'EG050019000500000000000000002',
  'XAF::Bank': 'CM1910001000010000000000101',
  'XOF::Bank': 'CI0080111100000000000146',
});

const pixKeys: Readonly<Record<string, string>> = byWord({
  cnpj: '11222333000181',
  cpf: '52998224725',
  email: 'chidi@example.com',
  evp: '123e4567-e12b-12d1-a456-426655440000',
  phone: '+5511912345600',
});

/** Every required field, and those of the first group where one of several is asked for. */
export function sampleDetails(
  corridor: Corridor,
  kind: PartyKind,
  options: ReadOptionSet,
): Record<string, string> {
  const group = corridor.requireOneOf?.[0] ?? [];
  const wanted = fieldsFor(corridor, kind).filter(({ name, required }) => required || group.includes(name));
  const details: Record<string, string> = {};
  for (const field of wanted) details[field.name] = sampleOf(corridor, field, details, options);
  return details;
}

function sampleOf(
  corridor: Corridor,
  field: CorridorField,
  details: Readonly<Record<string, string>>,
  options: ReadOptionSet,
): string {
  if (field.control === 'select') return chosen(field, details, options);
  const country = details.country ?? corridor.countries[0] ?? '';
  if (field.check === 'phone') return phones[country] ?? '+233302123400';
  if (field.check === 'iban' || field.check === 'bban') return ibans[corridor.type] ?? '';
  if (field.guard === 'pix') return pixKeys[details.pix_key_type ?? ''] ?? '';
  if (field.judge) return 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const known = samples[field.name] ?? 'sample';
  if (!field.format || new RegExp(field.format).test(known)) return known;
  return fitting(new RegExp(field.format), country) ?? known;
}

/** The default, else the first that fits what was chosen before. */
function chosen(
  field: CorridorField,
  details: Readonly<Record<string, string>>,
  options: ReadOptionSet,
): string {
  const codes = Object.keys(optionsOf(field, options));
  const allowed = field.allowedBy?.values[details[field.allowedBy.field] ?? ''];
  const open = allowed ? codes.filter((code) => allowed.includes(code)) : codes;
  const wanted = field.default ?? samples[field.name];
  return wanted !== undefined && open.includes(wanted) ? wanted : (open[0] ?? '');
}

/** Digits or letters, or the country and digits, of a length that the format takes. */
function fitting(format: RegExp, country: string): string | undefined {
  for (let length = 1; length <= 40; length++) {
    for (const text of [
      '1'.repeat(length),
      'A'.repeat(length),
      `${'0'.repeat(length - 1)}1`,
      country + '1'.repeat(length),
    ]) {
      if (format.test(text)) return text;
    }
  }
  return undefined;
}
