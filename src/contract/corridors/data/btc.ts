import { bitcoinAddress } from '../bitcoin.ts';
import { companyName, corridorOf, firstName, lastName } from './fields.ts';

/** No country and no bank: whoever holds the key of the address is paid. */
export const corridor = corridorOf({
  type: 'BTC',
  currency: 'BTC',
  kind: 'Crypto',
  status: 'other',
  countries: [],
  recipientKinds: {
    person: [
      firstName,
      lastName,
      { ...companyName, label: 'Full name' },
      { name: 'address', label: 'Wallet address', required: true, control: 'input', judge: bitcoinAddress, },
    ],
  },
});
