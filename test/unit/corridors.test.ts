import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMarket, validationMarkets } from '../../src/contract/corridors/account-validation.ts';
import { balanceCurrency } from '../../src/contract/corridors/balance.ts';
import {
  adviceOn,
  checkDetails,
  checkSenderRequirements,
  describeFields,
  fieldsFor,
  optionsOf,
  rubyFormatToJs,
  unknownDetails,
} from '../../src/contract/corridors/check.ts';
import type { Corridor, CorridorBook, PartyKind } from '../../src/contract/corridors/corridor.ts';
import {
  corridorTypes,
  loadAllCorridors,
  loadCorridor,
  loadOptions,
  loadOptionsOf,
} from '../../src/contract/corridors/index.ts';
import { payinType, payinTypes } from '../../src/contract/corridors/payins.ts';
import { payoutProviders } from '../../src/contract/corridors/providers.ts';

let book: CorridorBook;
beforeAll(async () => {
  book = await loadAllCorridors();
});

const PHONES: Record<string, string> = { GH: '+233302123400', SN: '+221774044400' };
const SPECIAL: Record<string, string> = {
  iban: 'DE89370400440532013000',
  phone_number: '+233302123400',
  email: 'ada@example.com',
};

/** Every required field, and the first group of those of which one is needed. */
function sample(corridor: Corridor, kind: PartyKind): Record<string, string> {
  const wanted = new Set(corridor.requireOneOf?.[0] ?? []);
  const entries = fieldsFor(corridor, kind)
    .filter((field) => field.required || wanted.has(field.name))
    .map((field) => {
      const choices = Object.keys(optionsOf(field, book.options));
      return [field.name, SPECIAL[field.name] ?? choices[0] ?? 'Some text'] as const;
    });
  const details = Object.fromEntries(entries);
  if (corridor.type === 'XOF::Mobile') return { ...details, country: 'SN', mobile_provider: 'orange' };
  if (corridor.type === 'XAF::Mobile') return { ...details, country: 'CM', mobile_provider: 'orange' };
  return details;
}

const get = (type: string): Corridor => {
  const corridor = book.corridor(type);
  if (!corridor) throw new Error(`no ${type}`);
  return corridor;
};
const kinds = (corridor: Corridor) => Object.keys(corridor.recipientKinds) as PartyKind[];
const everyKind = () =>
  corridorTypes.flatMap(({ type }) => kinds(get(type)).map((kind) => [get(type), kind] as const));
const problems = (type: string, details: Record<string, unknown>, kind: PartyKind = 'person') =>
  checkDetails(get(type), kind, details, book.options);

describe('the book of corridors', () => {
  it('holds the thirteen active types, each under its own name', () => {
    expect(corridorTypes).toHaveLength(13);
    for (const { type, currency, kind } of corridorTypes) {
      expect(get(type)).toMatchObject({ type, currency, kind });
    }
  });

  it('holds every bank list whole', async () => {
    const counts = await Promise.all(
      ['ngn_banks', 'ghs_banks', 'zar_banks', 'brl_banks', 'transfer_reason', 'nature_of_business'].map(
        async (id) => Object.keys(await loadOptions(id)).length,
      ),
    );
    expect(counts).toEqual([47, 26, 39, 145, 123, 36]);
    expect((await loadOptions('ngn_banks'))['044']).toBe('Access Bank');
  });

  it('resolves every reference to an option set, and gives a select something to choose', () => {
    for (const [corridor, kind] of everyKind()) {
      for (const field of fieldsFor(corridor, kind)) {
        const count = Object.keys(optionsOf(field, book.options)).length;
        expect([corridor.type, field.name, count > 0]).toEqual([
          corridor.type,
          field.name,
          field.control === 'select',
        ]);
      }
    }
  });

  it('refers only to fields and options that exist', () => {
    for (const [corridor, kind] of everyKind()) {
      const fields = fieldsFor(corridor, kind);
      const names = fields.map((field) => field.name);
      expect(new Set(names).size).toBe(names.length);
      for (const group of [...(corridor.requireOneOf ?? []), ...Object.values(corridor.variants ?? {})]) {
        expect(names).toEqual(expect.arrayContaining([...group]));
      }
      for (const field of fields) {
        const choices = optionsOf(field, book.options);
        if (field.default && field.control === 'select') expect(choices).toHaveProperty(field.default);
        for (const code of Object.values(field.allowedBy?.values ?? {}).flat()) {
          expect(choices).toHaveProperty(code);
        }
      }
    }
  });

  it('knows nothing of other names, not even those every object has', async () => {
    expect(await loadCorridor('USD::Bank')).toBeUndefined();
    expect(await loadCorridor('constructor')).toBeUndefined();
    expect(await loadOptions('toString')).toEqual({});
  });

  it('offers the providers that the table of countries names', () => {
    for (const [currency, byCountry] of Object.entries(payoutProviders)) {
      const provider = fieldsFor(get(`${currency}::Mobile`), 'person').find(
        (f) => f.name === 'mobile_provider',
      );
      const offered = Object.keys(provider ? optionsOf(provider, book.options) : {});
      expect(offered.sort()).toEqual([...new Set(Object.values(byCountry).flat())].sort());
    }
  });
});

describe('details', () => {
  it('accepts a sample of every type and kind, without advice or unknown names', () => {
    for (const [corridor, kind] of everyKind()) {
      const details = sample(corridor, kind);
      expect([corridor.type, kind, checkDetails(corridor, kind, details, book.options)]).toEqual([
        corridor.type,
        kind,
        {},
      ]);
      expect(unknownDetails(corridor, kind, details)).toEqual([]);
    }
  });

  it('reports each required field as blank when it is missing, null, empty or white space', () => {
    for (const [corridor, kind] of everyKind()) {
      const details = sample(corridor, kind);
      for (const name of Object.keys(details).filter(
        (name) => name !== 'country' || corridor.currency !== 'XOF',
      )) {
        for (const blank of [undefined, null, '', '  ']) {
          const found = checkDetails(corridor, kind, { ...details, [name]: blank }, book.options);
          expect([corridor.type, name, found[name]]).toEqual([corridor.type, name, ['blank']]);
        }
      }
    }
  });

  it('never throws and never accepts a select outside its options, whatever it is given', () => {
    const junk = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()), fc.boolean());
    const cases = everyKind();
    fc.assert(
      fc.property(fc.nat(cases.length - 1), fc.dictionary(fc.string(), junk), junk, (i, extra, value) => {
        const [corridor, kind] = cases[i] ?? [get('NGN::Bank'), 'person'];
        for (const field of fieldsFor(corridor, kind)) {
          const given = { ...sample(corridor, kind), ...extra, [field.name]: value };
          const found = checkDetails(corridor, kind, given, book.options);
          const text = typeof value === 'number' ? String(value) : value;
          const chosen = typeof text === 'string' && Object.hasOwn(optionsOf(field, book.options), text);
          const blank = value === null || (typeof value === 'string' && value.trim() === '');
          const also = typeof text === 'string' && field.alsoAccepted?.includes(text);
          if (field.control === 'select' && !chosen && !blank && !also) {
            expect(found[field.name]).toEqual(['invalid']);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('wants one group whole: the one that was begun, else the first', () => {
    const base = { first_name: 'Ada', last_name: 'Obi' };
    expect(problems('GBP::Bank', base)).toEqual({ bank_account: ['blank'], sort_code: ['blank'] });
    expect(problems('GBP::Bank', { ...base, sort_code: '112233' })).toEqual({ bank_account: ['blank'] });
    expect(problems('GBP::Bank', { ...base, iban: 'GB33BUKB20201555555555' })).toEqual({});
    const brl = { ...base, city: 'Recife', identity_card_id: '1', transfer_reason: 'family_support' };
    expect(problems('BRL::Bank', { ...brl, branch_code: '1' })).toEqual({
      bank_code: ['blank'],
      bank_account: ['blank'],
      bank_account_type: ['blank'],
    });
    expect(problems('BRL::Bank', { ...brl, pix_key_type: 'cpf', pix_key_value: '1' })).toEqual({});
  });

  it('checks an IBAN by its check digits, spaces allowed', () => {
    const base = { first_name: 'Ada', last_name: 'Obi' };
    expect(problems('EUR::Bank', { ...base, iban: 'DE89 3704 0044 0532 0130 00' })).toEqual({});
    expect(problems('EUR::Bank', { ...base, iban: 'DE88370400440532013000' })).toEqual({ iban: ['invalid'] });
  });

  it('holds providers to the country, which may be the default', () => {
    const base = { first_name: 'Ada', last_name: 'Obi', phone_number: PHONES.SN };
    const wrong = { mobile_provider: ['invalid'] };
    expect(problems('XOF::Mobile', { ...base, mobile_provider: 'wave' })).toEqual({});
    expect(problems('XOF::Mobile', { ...base, mobile_provider: 'tmoney' })).toEqual(wrong);
    expect(problems('XOF::Mobile', { ...base, mobile_provider: 'tmoney', country: 'TG' })).toEqual({});
    expect(problems('XOF::Mobile', { ...base, mobile_provider: 'tmoney', country: 'XX' })).toEqual({
      country: ['invalid'],
    });
    expect(problems('XAF::Mobile', { ...base, mobile_provider: 'moov', country: 'CM' })).toEqual(wrong);
  });

  it('reads all spellings of the networks in Ghana', () => {
    const base = sample(get('GHS::Mobile'), 'person');
    for (const mobile_provider of ['airtel', 'tigo', 'airteltigo', 'mtn', 'vodafone']) {
      expect(problems('GHS::Mobile', { ...base, mobile_provider })).toEqual({});
    }
    expect(problems('GHS::Mobile', { ...base, mobile_provider: 'MTN' })).toEqual({
      mobile_provider: ['invalid'],
    });
  });

  it('takes phone numbers international, or national where the country is known', () => {
    const base = sample(get('ZAR::Bank'), 'person');
    const wrong = { phone_number: ['invalid'] };
    expect(problems('ZAR::Bank', { ...base, phone_number: '0821234567' })).toEqual({});
    expect(problems('ZAR::Bank', { ...base, phone_number: '082123', phone_country: 'ZA' })).toEqual({});
    expect(problems('ZAR::Bank', { ...base, phone_number: '082123', phone_country: 'South' })).toEqual(wrong);
    expect(problems('ZAR::Bank', { ...base, phone_number: '+0821234567' })).toEqual(wrong);
    expect(problems('ZAR::Bank', { ...base, phone_number: '082 123 4567' })).toEqual(wrong);
    expect(unknownDetails(get('ZAR::Bank'), 'person', { phone_country: 'ZA' })).toEqual([]);
  });

  it('keeps texts to their length, in characters', () => {
    const base = { first_name: 'Ada', last_name: 'Obi', iban: SPECIAL.iban };
    expect(problems('EUR::Bank', { ...base, narration: 'x'.repeat(30) })).toEqual({});
    expect(problems('EUR::Bank', { ...base, narration: 'x'.repeat(31) })).toEqual({ narration: ['invalid'] });
    expect(problems('NGN::Bank', { ...sample(get('NGN::Bank'), 'person'), email: 'no at' })).toEqual({
      email: ['invalid'],
    });
  });

  it('names details that the corridor does not know, and older names not', () => {
    const details = { bank_acount: '1', birth_date: '1990-01-01', bank_code: '044' };
    expect(unknownDetails(get('NGN::Bank'), 'person', details)).toEqual(['bank_acount']);
    expect(unknownDetails(get('NGN::Bank'), 'business', { first_name: 'Ada' })).toEqual(['first_name']);
  });

  it('advises on an unusual number of digits without refusing it', () => {
    const details = { ...sample(get('GHS::Bank'), 'person'), bank_code: '130100', bank_account: '123' };
    expect(problems('GHS::Bank', details)).toEqual({});
    expect(adviceOn(get('GHS::Bank'), 'person', details)).toEqual([
      'Account number has 3 characters; this bank usually has 13 or 16',
    ]);
    expect(adviceOn(get('GHS::Bank'), 'person', { ...details, bank_account: '1'.repeat(16) })).toEqual([]);
  });
});

describe('what corridors ask of the sender', () => {
  const check = (type: string, sender: object, details = {}) =>
    checkSenderRequirements(get(type), 'person', sender as Record<string, unknown>, details);

  it('asks for documents where cash is picked up', () => {
    expect(check('MAD::Cash', {})).toEqual({
      identification_type: ['blank'],
      identification_number: ['blank'],
    });
    expect(check('MAD::Cash', { identification_type: 'DL', identification_number: '1234' })).toEqual({
      identification_type: ['invalid'],
    });
    expect(corridorTypes.filter(({ type }) => !get(type).simplifiedSenders).map(({ type }) => type)).toEqual([
      'MAD::Cash',
      'XOF::Cash',
    ]);
  });

  it('asks for a phone only towards Togo', () => {
    expect(check('XOF::Mobile', {}, { country: 'TG' })).toEqual({ phone_number: ['blank'] });
    expect(check('XOF::Mobile', {}, { country: 'SN' })).toEqual({});
  });

  it('asks for a nationality as two letters towards Uganda', () => {
    const sender = {
      identification_type: 'PP',
      identification_number: '1234',
      phone_number: '1',
      country: 'NG',
    };
    expect(check('UGX::Mobile', { ...sender, nationality: 'Nigerian' })).toEqual({
      nationality: ['invalid'],
    });
    expect(check('UGX::Mobile', { ...sender, nationality: 'NG' })).toEqual({});
  });
});

describe('descriptors as the wire has them', () => {
  it('gives a select its options twice, and an input its format in Ruby syntax', () => {
    const fields = describeFields(get('NGN::Bank'), 'person', book.options);
    const banks = book.options('ngn_banks');
    expect(fields.bank_code).toEqual({
      type: 'select',
      options: banks,
      validations: { presence: true, inclusion: { in: banks } },
    });
    expect(fields.bank_account_type?.validations.inclusion?.allow_blank).toBe(true);
    expect(fields.email?.validations.format).toMatch(/^\\A.*\\z$/);
    expect(fields.first_name).toEqual({ type: 'input', validations: { presence: true } });
  });

  it('gives back its own formats when they are translated', () => {
    for (const [corridor, kind] of everyKind()) {
      const wire = describeFields(corridor, kind, book.options);
      for (const field of fieldsFor(corridor, kind).filter((field) => field.format)) {
        expect(rubyFormatToJs(wire[field.name]?.validations.format ?? '')).toBe(field.format);
      }
    }
  });

  it('works from the sets of one corridor alone', async () => {
    const corridor = get('ZAR::Bank');
    const own = await loadOptionsOf(corridor);
    expect(describeFields(corridor, 'business', own)).toEqual(
      describeFields(corridor, 'business', book.options),
    );
  });
});

describe('formats in Ruby syntax', () => {
  const matches = (source: string, text: string) => new RegExp(rubyFormatToJs(source) ?? 'unread').test(text);

  it('translates its anchors, and leaves classes and escapes alone', () => {
    expect(rubyFormatToJs('\\A\\d{10}\\z')).toBe('^\\d{10}$');
    expect(rubyFormatToJs('\\A[\\w+\\-.$^]+@x\\z')).toBe('^[\\w+\\-.$^]+@x$');
    expect(rubyFormatToJs('\\A\\\\A\\z')).toBe('^\\\\A$');
    expect(matches('\\A\\d+\\Z', '12\n')).toBe(true);
    expect(matches('\\A\\d+\\z', '12\n')).toBe(false);
    expect(matches('^\\d+$', 'a\n12\nb')).toBe(true);
    expect(matches('\\A^a$\\z', 'ab')).toBe(false);
  });

  it('refuses what it cannot carry over', () => {
    const unread = [
      '(?i-mx:a)',
      '\\A\\h+\\z',
      '[[:alpha:]]',
      'a++',
      '(?>a)',
      '\\p{L}',
      '(',
      '(?<n>a)',
      '(?#x)',
    ];
    for (const source of unread) expect([source, rubyFormatToJs(source)]).toEqual([source, null]);
  });

  it('gives a readable regular expression or null for any text', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        const js = rubyFormatToJs(source);
        if (js !== null) new RegExp(js);
      }),
    );
  });
});

describe('beside the corridors', () => {
  it('knows balance payouts by their currency', () => {
    expect(balanceCurrency('USD::Balance')).toBe('USD');
    expect(balanceCurrency('NGN::Bank')).toBeNull();
    expect(balanceCurrency('usd::Balance')).toBeNull();
  });

  it('holds seven payin types with eleven flows', () => {
    expect(payinTypes).toHaveLength(7);
    expect(payinTypes.flatMap(({ flows }) => Object.keys(flows))).toHaveLength(11);
    expect(payinType('BTC')?.currency).toBe('BTC');
    const permits = payinTypes.filter((row) => row.permitsWrongAmount).map(({ type }) => type);
    expect(permits).toEqual(['GHS::Mobile', 'UGX::Mobile', 'NGN::Bank']);
  });

  it('finds the market that can check an account', () => {
    expect(validationMarkets).toHaveLength(17);
    const asked = { method: 'mobile', country: 'UG', currency: 'UGX' };
    expect(findMarket({ ...asked, mobileProvider: 'mtn' })?.check).toBe('status');
    expect(findMarket({ ...asked, mobileProvider: 'airtel' })?.result).toBe('account_name');
    const ghana = { method: 'mobile', country: 'GH', currency: 'GHS' };
    expect(findMarket(ghana)?.type).toBe('GHS::Mobile');
    expect(findMarket({ ...ghana, mobileProvider: 'tigo' })?.check).toBe('name');
    expect(findMarket({ ...ghana, mobileProvider: 'vodafone' })).toBeUndefined();
    expect(findMarket({ method: 'bank', country: 'KE', currency: 'KES' })).toBeUndefined();
  });
});
