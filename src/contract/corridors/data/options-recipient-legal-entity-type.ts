/** Legal forms of a business that receives. */
import type { OptionSet } from '../corridor.ts';

export const options: OptionSet = {
  'financial_institution': 'Financial institution',
  'go': 'Majority state-owned subsidiary',
  'government_owned_entity': 'Government owned entity',
  'partnership': 'Partnership',
  'privately_owned_company': 'Privately owned company',
  'publicly_owned_company': 'Publicly owned company',
  'sole_proprietorship': 'Sole proprietorship',
};
