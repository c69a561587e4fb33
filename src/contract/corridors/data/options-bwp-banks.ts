/** Banks in Botswana, by name. */
import type { OptionSet } from '../corridor.ts';

export const options: OptionSet = {
  'Banc ABC': 'Banc ABC',
  'Bank Gaborone': 'Bank Gaborone',
  'Bank Of Botswana': 'Bank Of Botswana',
  'Bank of Baroda': 'Bank of Baroda',
  'Bank of India': 'Bank of India',
  'Barclays Bank': 'Barclays Bank',
  'Capital Bank': 'Capital Bank',
  'First National Bank': 'First National Bank',
  'Stanbic Bank': 'Stanbic Bank',
  'Standard Chartered Bank': 'Standard Chartered Bank',
  'State Bank of India': 'State Bank of India',
};
