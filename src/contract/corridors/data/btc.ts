import { companyName, corridorOf, firstName, lastName } from './fields.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { AccountValidator } from '../corridor.ts';

/**
 * Bitcoin's addresses: base58check, and BIP 173 and 350. Loaded with their corridor alone, since it takes two
 * packages.
 */
const bitcoinAddress: AccountValidator = {
  wrongIn: (text) =>
    isBitcoinAddress(text) ? null : 'is no Bitcoin address: its letters or its check digits do not fit',
  right: 'an address of the main network, as the wallet shows it',
};

/** True for an address of the main network: one of a test network pays no one. */
function isBitcoinAddress(text: string): boolean {
  return isBase58(text) || isSegwit(text);
}

const base58check = createBase58check(sha256);
function isBase58(text: string): boolean {
  if (!/^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false;
  try {
    const [version] = base58check.decode(text);
    return version === 0 || version === 5;
  } catch {
    return false;
  }
}

function isSegwit(text: string): boolean {
  if (!/^bc1[0-9a-z]{6,87}$/i.test(text) || (text !== text.toLowerCase() && text !== text.toUpperCase()))
    return false;
  for (const code of [bech32, bech32m]) {
    const read = code.decodeUnsafe(text);
    const version = read?.words[0];
    if (read === undefined || version === undefined || version > 16) continue;
    // Version 0 has the first code, and all later ones the second.
    if ((version === 0) !== (code === bech32)) continue;
    const program = code.fromWordsUnsafe(read.words.slice(1));
    if (!program || program.length < 2 || program.length > 40) continue;
    return version !== 0 || program.length === 20 || program.length === 32;
  }
  return false;
}

/** Has no country and no bank: the holder of the address's key is paid. */
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
      { name: 'address', routes: true, label: 'Wallet address', required: true, control: 'input', judge: bitcoinAddress, },
    ],
  },
});
