import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMarket, validationMarkets } from '../../src/contract/corridors/account-validation.ts';
import { balanceCurrency } from '../../src/contract/corridors/balance.ts';
import {
  checkDetails,
  checkSenderRequirements,
  describeFields,
  fieldsFor,
  optionsOf,
  rubyFormatToJs,
  unknownDetails,
} from '../../src/contract/corridors/check.ts';
import type { Corridor, CorridorBook, PartyKind } from '../../src/contract/corridors/corridor.ts';
import { payoutProviders } from '../../src/contract/corridors/data/shared.ts';
import {
  corridorTypes,
  loadAllCorridors,
  loadCorridor,
  loadOptions,
  loadOptionsOf,
} from '../../src/contract/corridors/index.ts';
import { payinType, payinTypes } from '../../src/contract/corridors/payins.ts';
import { currencyRule } from '../../src/core/currency.ts';

let book: CorridorBook;
beforeAll(async () => {
  book = await loadAllCorridors();
});

const PHONES: Record<string, string> = { GH: '+233302123400', SN: '+221774044400' };
const IBANS: Record<string, string> = {
  'USD::Bank': 'EG380019000500000000263180002',
  'XAF::Bank': 'CM2110002000300277976315008',
  'XOF::Bank': 'CI0080111301134291200589',
};
const SPECIAL: Record<string, string> = {
  iban: 'DE89370400440532013000',
  phone_number: '+233302123400',
  email: 'ada@example.com',
  bank_account: '0123456700',
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
  if (IBANS[corridor.type]) Object.assign(details, { iban: IBANS[corridor.type] });
  if (corridor.countries[0] === 'EG' && details.phone_number) details.phone_number = '+201012345678';
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
    expect(corridorTypes.filter(({ status }) => status === 'active')).toHaveLength(13);
    for (const { type, currency, kind, status } of corridorTypes) {
      expect(get(type)).toMatchObject({ type, currency, kind, status });
    }
  });

  it('holds the types that are beta or other too', () => {
    const types = (wanted: string) =>
      corridorTypes.filter(({ status }) => status === wanted).map(({ type }) => type);
    expect(types('beta')).toEqual([
      'BWP::Bank',
      'EGP::Bank',
      'EGP::Cash',
      'KES::Bank',
      'KES::Mobile',
      'UGX::Bank',
      'USD::Bank',
      'XAF::Bank',
      'XOF::Bank',
      'ZMW::Bank',
    ]);
    expect(types('other')).toEqual(['BTC']);
    expect(corridorTypes.find(({ type }) => type === 'BTC')).toMatchObject({
      currency: 'BTC',
      kind: 'Crypto',
    });
  });

  it('pays out in currencies that have a rule, and in cash where the name says so', () => {
    for (const { type, currency, kind } of corridorTypes) {
      expect([type, currencyRule(currency) !== undefined]).toEqual([type, true]);
      expect([type, get(type).cash]).toEqual([type, kind === 'Cash']);
    }
  });

  it('serves businesses where the service does', () => {
    const serving = corridorTypes.map(({ type }) => type).filter((type) => get(type).recipientKinds.business);
    expect(serving).toEqual([
      'EGP::Bank',
      'EUR::Bank',
      'GBP::Bank',
      'GHS::Bank',
      'KES::Bank',
      'NGN::Bank',
      'UGX::Bank',
      'XAF::Bank',
      'XOF::Bank',
      'ZAR::Bank',
    ]);
  });

  it.each([
    ['ngn_banks', 47, '044', 'Access Bank'],
    ['ghs_banks', 26, '130100', 'Ecobank'],
    ['zar_banks', 39, '632005', 'ABSA'],
    ['brl_banks', 145, '001', 'Banco Do Brasil'],
    ['kes_banks', 34, '01', 'Kenya Commercial Bank'],
    ['egp_banks', 38, '0005', 'BANK OF ALEXANDRIA'],
    ['xof_banks', 99, 'CI008', "Société Générale Côte d'Ivoire"],
    ['xaf_banks', 75, '10001', "Banque Internationale du Cameroun pour l'Epargne et le Crédit"],
    ['bwp_banks', 11, 'Banc ABC', 'Banc ABC'],
    ['bwp_branches', 149, '550567', 'Banc ABC - Airport Junction'],
    ['ugx_branches', 383, '130854', 'BANK OF AFRICA Arua Branch'],
    ['zmw_branches', 317, 'ZM021012', 'ABSA Bank - Livingstone, Zambia'],
    ['transfer_reason', 123, 'alimony', 'Alimony'],
    ['nature_of_business', 36, 'fishing', 'Fishing'],
  ])('holds %s whole', async (id, count, code, label) => {
    const set = await loadOptions(id);
    expect(Object.keys(set)).toHaveLength(count);
    expect(set[code]).toBe(label);
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
    expect(await loadCorridor('USD::Cash')).toBeUndefined();
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

  it('reports a code outside its list as invalid', () => {
    for (const [corridor, kind] of everyKind()) {
      const details = sample(corridor, kind);
      for (const { name } of fieldsFor(corridor, kind).filter(({ control }) => control === 'select')) {
        const found = checkDetails(corridor, kind, { ...details, [name]: '000000' }, book.options);
        expect([corridor.type, name, found[name]]).toEqual([corridor.type, name, ['invalid']]);
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

  it('takes an IBAN by its shape, spaces allowed: check digits are the desk’s', () => {
    const base = { first_name: 'Ada', last_name: 'Obi' };
    expect(problems('EUR::Bank', { ...base, iban: 'DE89 3704 0044 0532 0130 00' })).toEqual({});
    expect(problems('EUR::Bank', { ...base, iban: 'DE88370400440532013000' })).toEqual({});
    for (const iban of ['DE8937040044053201300O!', 'D989370400440532013000', 'DE89', 'DE8937']) {
      expect(problems('EUR::Bank', { ...base, iban }), iban).toEqual({ iban: ['invalid'] });
    }
  });

  it.each([
    ['XOF::Bank', 'CI93CI0080111301134291200589'],
    ['XOF::Bank', 'CI008011130113429120058'],
    ['XAF::Bank', 'CM21100020003002779763150'],
    ['USD::Bank', 'DE89370400440532013000'],
  ])('takes for %s only an account of its own shape, not %s', (type, iban) => {
    expect(problems(type, { ...sample(get(type), 'person'), iban })).toEqual({ iban: ['invalid'] });
  });

  it('prints a format only where the service prints one', () => {
    const formats = corridorTypes.flatMap(({ type }) =>
      Object.entries(describeFields(get(type), 'person', book.options)).flatMap(([name, { validations }]) =>
        validations.format === undefined ? [] : [`${type} ${name}`],
      ),
    );
    // The service prints none for accounts that are no IBAN or BBAN, and none for phones.
    expect(formats.filter((one) => !/ (?:email|narration)$/.test(one)).sort()).toEqual([
      'BWP::Bank branch_code',
      'EGP::Cash reference',
      'GHS::Bank bank_code',
      'USD::Bank iban',
      'XAF::Bank iban',
      'XOF::Bank iban',
    ]);
  });

  it('pays towards Egypt only numbers of Egypt', () => {
    const base = sample(get('EGP::Cash'), 'person');
    const wrong = { phone_number: ['invalid'] };
    const national = { ...base, phone_number: '01012345678' };
    expect(problems('EGP::Cash', national)).toEqual(wrong);
    expect(problems('EGP::Cash', { ...national, phone_country: 'EG' })).toEqual({});
    expect(problems('EGP::Cash', { ...national, phone_country: 'NG' })).toEqual(wrong);
    expect(problems('EGP::Cash', { ...base, phone_number: '+254712345678' })).toEqual(wrong);
    expect(problems('EGP::Cash', { ...base, phone_number: '+20123456' })).toEqual(wrong);
    expect(problems('EGP::Cash', { ...base, phone_number: '+201234567' })).toEqual({});
    expect(problems('EGP::Bank', { ...sample(get('EGP::Bank'), 'person'), phone_number: '+233' })).toEqual(
      wrong,
    );
    expect(problems('EGP::Cash', { ...base, reference: '012345678' })).toEqual({ reference: ['invalid'] });
    expect(problems('EGP::Cash', { ...base, reference: '0123456789' })).toEqual({});
  });

  it('takes the branches that the service shows but does not list', () => {
    for (const [type, branch_code] of [
      ['BWP::Bank', '550067'],
      ['ZMW::Bank', 'ZM210003'],
    ] as const) {
      expect(problems(type, { ...sample(get(type), 'person'), branch_code })).toEqual({});
      expect(book.options(`${type.slice(0, 3).toLowerCase()}_branches`)).not.toHaveProperty(branch_code);
    }
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

  it('takes phone numbers international, or national with phone_country', () => {
    const base = sample(get('ZAR::Bank'), 'person');
    const wrong = { phone_number: ['invalid'] };
    expect(problems('ZAR::Bank', { ...base, phone_number: '0821234567' })).toEqual(wrong);
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
});

const PERSONS = { sender: 'person', recipient: 'person' } as const;
const BUSINESSES = { sender: 'business', recipient: 'business' } as const;

describe('what corridors ask of the sender', () => {
  const check = (type: string, sender: object, details = {}) =>
    checkSenderRequirements(get(type), PERSONS, sender as Record<string, unknown>, details);

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

describe('what beta corridors ask of the sender', () => {
  const document = ['identification_type', 'identification_number'];
  const egypt = {
    person: [...document, 'street', 'birth_date'],
    business: ['registration_number', 'registration_date', 'street'],
  };
  const kenya = { person: [...document, 'source_of_funds', 'country', 'birth_date'], business: [] };
  const westAfrica = {
    person: ['street', 'city', 'postal_code'],
    business: ['street', 'city', 'postal_code'],
  };
  const nothing = { person: [], business: [] };
  const asked: Record<string, Record<PartyKind, string[]>> = {
    'BWP::Bank': nothing,
    'EGP::Bank': egypt,
    'EGP::Cash': egypt,
    'KES::Bank': kenya,
    'KES::Mobile': kenya,
    'UGX::Bank': nothing,
    'USD::Bank': egypt,
    'XAF::Bank': nothing,
    'XOF::Bank': westAfrica,
    'ZMW::Bank': nothing,
    BTC: nothing,
  };
  const cases = Object.entries(asked).flatMap(([type, kinds]) =>
    (['person', 'business'] as const).map((kind) => [type, kind, kinds[kind]] as const),
  );

  it.each(cases)('%s of a %s', (type, sender, fields) => {
    const parties = { sender, recipient: 'person' } as const;
    const blank = Object.fromEntries(fields.map((field) => [field, ['blank']]));
    expect(checkSenderRequirements(get(type), parties, {}, {})).toEqual(blank);
    const given = Object.fromEntries(fields.map((field) => [field, 'text']));
    const whole = {
      ...given,
      ...(fields.includes('identification_type') ? { identification_type: 'DL' } : {}),
    };
    expect(checkSenderRequirements(get(type), parties, whole, {})).toEqual({});
    if (fields.includes('identification_type')) {
      expect(checkSenderRequirements(get(type), parties, given, {})).toEqual({
        identification_type: ['invalid'],
      });
    }
  });

  it('lets a business in Egypt be paid by persons only', () => {
    const registered = { registration_number: '1', registration_date: '2001-01-01', street: 'Nile 1' };
    const check = (type: string, sender: PartyKind, recipient: PartyKind) =>
      checkSenderRequirements(get(type), { sender, recipient }, registered, {});
    expect(check('EGP::Bank', 'business', 'business')).toEqual({ type: ['invalid'] });
    expect(check('EGP::Bank', 'business', 'person')).toEqual({});
    expect(check('EGP::Bank', 'person', 'business')).not.toHaveProperty('type');
    expect(checkSenderRequirements(get('KES::Bank'), BUSINESSES, {}, {})).toEqual({});
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
    const retired = payinTypes.flatMap(({ type, flows }) =>
      Object.entries(flows).flatMap(([name, flow]) => (flow.retired ? [`${type} ${name}`] : [])),
    );
    expect(retired).toEqual(['NGN::Bank http_redirect']);
    const told = payinTypes.flatMap(({ flows }) => Object.values(flows).filter((flow) => flow.instructions));
    expect(told.map(({ outDetails }) => outDetails.style)).toEqual(['ussd_menu_approval', 'bank_transfer']);
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
