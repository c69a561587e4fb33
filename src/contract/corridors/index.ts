/**
 * Payout types by name. The names and one-line summaries are always here; everything else is behind an import, so that
 * help and a plain read load none of it. To add a corridor: one file under `data/` and one line in `registry`.
 */
import type { Corridor, CorridorBook, CorridorSummary, OptionSet } from './corridor.ts';

interface Entry {
  summary: string;
  load: () => Promise<{ corridor: Corridor }>;
}

const registry: Readonly<Record<string, Entry>> = {
  'BRL::Bank': { summary: 'Bank account or PIX key in Brazil', load: () => import('./data/brl-bank.ts') },
  'EUR::Bank': { summary: 'Bank account in the SEPA area', load: () => import('./data/eur-bank.ts') },
  'GBP::Bank': { summary: 'Bank account in the United Kingdom', load: () => import('./data/gbp-bank.ts') },
  'GHS::Bank': { summary: 'Bank account in Ghana', load: () => import('./data/ghs-bank.ts') },
  'GHS::Mobile': { summary: 'Mobile wallet in Ghana', load: () => import('./data/ghs-mobile.ts') },
  'GNF::Mobile': { summary: 'Mobile wallet in Guinea', load: () => import('./data/gnf-mobile.ts') },
  'MAD::Cash': { summary: 'Cash pickup in Morocco', load: () => import('./data/mad-cash.ts') },
  'NGN::Bank': { summary: 'Bank account in Nigeria', load: () => import('./data/ngn-bank.ts') },
  'UGX::Mobile': { summary: 'Mobile wallet in Uganda', load: () => import('./data/ugx-mobile.ts') },
  'XAF::Mobile': {
    summary: 'Mobile wallet in Cameroon or Gabon',
    load: () => import('./data/xaf-mobile.ts'),
  },
  'XOF::Cash': { summary: 'Cash pickup in Senegal or Ivory Coast', load: () => import('./data/xof-cash.ts') },
  'XOF::Mobile': {
    summary: 'Mobile wallet in five West African countries',
    load: () => import('./data/xof-mobile.ts'),
  },
  'ZAR::Bank': { summary: 'Bank account in South Africa', load: () => import('./data/zar-bank.ts') },
};

const optionSets: Readonly<Record<string, () => Promise<{ options: OptionSet }>>> = {
  brl_banks: () => import('./data/options-brl-banks.ts'),
  ghs_banks: () => import('./data/options-ghs-banks.ts'),
  nature_of_business: () => import('./data/options-nature-of-business.ts'),
  ngn_banks: () => import('./data/options-ngn-banks.ts'),
  recipient_legal_entity_type: () => import('./data/options-recipient-legal-entity-type.ts'),
  transfer_reason: () => import('./data/options-transfer-reason.ts'),
  zar_banks: () => import('./data/options-zar-banks.ts'),
};

export const corridorTypes: readonly CorridorSummary[] = Object.entries(registry).map(
  ([type, { summary }]) => {
    const [currency = '', kind = ''] = type.split('::');
    return { type, currency, kind: kind as Corridor['kind'], summary };
  },
);

export async function loadCorridor(type: string): Promise<Corridor | undefined> {
  const entry = Object.hasOwn(registry, type) ? registry[type] : undefined;
  return entry && (await entry.load()).corridor;
}

/** `{}` for a set that does not exist. */
export async function loadOptions(setId: string): Promise<OptionSet> {
  const load = Object.hasOwn(optionSets, setId) ? optionSets[setId] : undefined;
  return load ? (await load()).options : {};
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
