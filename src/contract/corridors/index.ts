/**
 * Payout types by name. The names and one-line summaries are always here; everything else is behind an import, so that
 * help and a plain read load none of it. To add a corridor: one file under `data/` and one line in `registry`.
 */
import type { Corridor, CorridorBook, CorridorSummary, OptionSet } from './corridor.ts';

interface Entry {
  summary: string;
  /** `active` by default. */
  status?: 'beta' | 'other';
  load: () => Promise<{ corridor: Corridor }>;
}

const registry: Readonly<Record<string, Entry>> = {
  'BRL::Bank': { summary: 'Bank account or PIX key in Brazil', load: () => import('./data/brl-bank.ts') },
  BTC: {
    summary: 'Bitcoin address',
    status: 'other',
    load: () => import('./data/btc.ts'),
  },
  'BWP::Bank': {
    summary: 'Bank account in Botswana',
    status: 'beta',
    load: () => import('./data/bwp-bank.ts'),
  },
  'EGP::Bank': {
    summary: 'Bank account in Egypt',
    status: 'beta',
    load: () => import('./data/egp-bank.ts'),
  },
  'EGP::Cash': {
    summary: 'Cash pickup in Egypt',
    status: 'beta',
    load: () => import('./data/egp-cash.ts'),
  },
  'EUR::Bank': { summary: 'Bank account in the SEPA area', load: () => import('./data/eur-bank.ts') },
  'GBP::Bank': { summary: 'Bank account in the United Kingdom', load: () => import('./data/gbp-bank.ts') },
  'GHS::Bank': { summary: 'Bank account in Ghana', load: () => import('./data/ghs-bank.ts') },
  'GHS::Mobile': { summary: 'Mobile wallet in Ghana', load: () => import('./data/ghs-mobile.ts') },
  'GNF::Mobile': { summary: 'Mobile wallet in Guinea', load: () => import('./data/gnf-mobile.ts') },
  'KES::Bank': {
    summary: 'Bank account in Kenya',
    status: 'beta',
    load: () => import('./data/kes-bank.ts'),
  },
  'KES::Mobile': {
    summary: 'Mobile wallet in Kenya',
    status: 'beta',
    load: () => import('./data/kes-mobile.ts'),
  },
  'MAD::Cash': { summary: 'Cash pickup in Morocco', load: () => import('./data/mad-cash.ts') },
  'NGN::Bank': { summary: 'Bank account in Nigeria', load: () => import('./data/ngn-bank.ts') },
  'UGX::Bank': {
    summary: 'Bank account in Uganda',
    status: 'beta',
    load: () => import('./data/ugx-bank.ts'),
  },
  'UGX::Mobile': { summary: 'Mobile wallet in Uganda', load: () => import('./data/ugx-mobile.ts') },
  'USD::Bank': {
    summary: 'Bank account in dollars in Egypt',
    status: 'beta',
    load: () => import('./data/usd-bank.ts'),
  },
  'XAF::Bank': {
    summary: 'Bank account in five Central African countries',
    status: 'beta',
    load: () => import('./data/xaf-bank.ts'),
  },
  'XAF::Mobile': {
    summary: 'Mobile wallet in Cameroon or Gabon',
    load: () => import('./data/xaf-mobile.ts'),
  },
  'XOF::Bank': {
    summary: 'Bank account in five West African countries',
    status: 'beta',
    load: () => import('./data/xof-bank.ts'),
  },
  'XOF::Cash': { summary: 'Cash pickup in Senegal or Ivory Coast', load: () => import('./data/xof-cash.ts') },
  'XOF::Mobile': {
    summary: 'Mobile wallet in five West African countries',
    load: () => import('./data/xof-mobile.ts'),
  },
  'ZAR::Bank': { summary: 'Bank account in South Africa', load: () => import('./data/zar-bank.ts') },
  'ZMW::Bank': {
    summary: 'Bank account in Zambia',
    status: 'beta',
    load: () => import('./data/zmw-bank.ts'),
  },
};

/** Choices of fields, by the id that a field names. Each is a JSON file of codes and labels, as the wire sends them. */
const optionSets: Readonly<Record<string, () => Promise<{ default: OptionSet }>>> = {
  /** Banks in Brazil, by bank code. */
  brl_banks: () => import('./data/options/brl-banks.json', { with: { type: 'json' } }),
  /** Banks in Botswana, by name. */
  bwp_banks: () => import('./data/options/bwp-banks.json', { with: { type: 'json' } }),
  /** Bank branches in Botswana, by six-digit branch code. */
  bwp_branches: () => import('./data/options/bwp-branches.json', { with: { type: 'json' } }),
  /** Banks in Egypt, by bank code. */
  egp_banks: () => import('./data/options/egp-banks.json', { with: { type: 'json' } }),
  /** Banks in Ghana, by six-digit switch code. */
  ghs_banks: () => import('./data/options/ghs-banks.json', { with: { type: 'json' } }),
  /** Banks in Kenya, by bank code. */
  kes_banks: () => import('./data/options/kes-banks.json', { with: { type: 'json' } }),
  /** Branches of trade of a business. */
  nature_of_business: () => import('./data/options/nature-of-business.json', { with: { type: 'json' } }),
  /** Banks in Nigeria, by bank code. */
  ngn_banks: () => import('./data/options/ngn-banks.json', { with: { type: 'json' } }),
  /** Legal forms of a business that receives. */
  recipient_legal_entity_type: () =>
    import('./data/options/recipient-legal-entity-type.json', { with: { type: 'json' } }),
  /** Reasons for which money is sent. */
  transfer_reason: () => import('./data/options/transfer-reason.json', { with: { type: 'json' } }),
  /** Bank branches in Uganda, by branch code. */
  ugx_branches: () => import('./data/options/ugx-branches.json', { with: { type: 'json' } }),
  /**
   * Banks in Central Africa, by bank code: digits five to nine of an IBAN. Codes begin with 1 in Cameroon, 3 in Congo, 4 in Gabon, 5 in
   * Equatorial Guinea and 6 in Chad; 30004 is in Cameroon, and 19001 in Gabon.
   */
  xaf_banks: () => import('./data/options/xaf-banks.json', { with: { type: 'json' } }),
  /**
   * Banks in West Africa, by bank code: the first five characters of a BBAN. Codes begin with BF in Burkina Faso, BJ in Benin, CI in Ivory
   * Coast, SN in Senegal and TG in Togo.
   */
  xof_banks: () => import('./data/options/xof-banks.json', { with: { type: 'json' } }),
  /** Banks in South Africa, by branch code of the bank. */
  zar_banks: () => import('./data/options/zar-banks.json', { with: { type: 'json' } }),
  /** Bank branches in Zambia, by branch code. */
  zmw_branches: () => import('./data/options/zmw-branches.json', { with: { type: 'json' } }),
};

export const corridorTypes: readonly CorridorSummary[] = Object.entries(registry).map(
  ([type, { summary, status }]) => {
    const [currency = '', kind = 'Crypto'] = type.split('::');
    return { type, currency, kind: kind as Corridor['kind'], status: status ?? 'active', summary };
  },
);

export async function loadCorridor(type: string): Promise<Corridor | undefined> {
  const entry = Object.hasOwn(registry, type) ? registry[type] : undefined;
  return entry && (await entry.load()).corridor;
}

/** `{}` for a set that does not exist. */
export async function loadOptions(setId: string): Promise<OptionSet> {
  const load = Object.hasOwn(optionSets, setId) ? optionSets[setId] : undefined;
  return load ? (await load()).default : {};
}

/** The option sets that one corridor refers to, for `check.ts`. */
export async function loadOptionsOf(corridor: Corridor): Promise<(setId: string) => OptionSet> {
  const fields = [...corridor.recipientKinds.person, ...(corridor.recipientKinds.business ?? [])];
  const ids = fields.flatMap((field) => (typeof field.options === 'string' ? [field.options] : []));
  return optionsReader(ids);
}

export async function loadAllCorridors(): Promise<CorridorBook> {
  const corridors = await Promise.all(Object.values(registry).map((entry) => entry.load()));
  const byType = new Map(corridors.map(({ corridor }) => [corridor.type, corridor]));
  const options = await optionsReader(Object.keys(optionSets));
  return { types: corridorTypes, corridor: (type) => byType.get(type), options };
}

async function optionsReader(setIds: readonly string[]): Promise<(setId: string) => OptionSet> {
  const ids = [...new Set(setIds)];
  const loaded = new Map(await Promise.all(ids.map(async (id) => [id, await loadOptions(id)] as const)));
  return (setId) => loaded.get(setId) ?? {};
}
