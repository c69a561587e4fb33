import type { Corridor, CorridorField } from '../corridor.ts';
import { bankName, bic, companyName, firstName, iban, lastName, middleName, narration, olderDetails } from './fields.ts';

const account: readonly CorridorField[] = [iban(true), bic, bankName, narration(30)];

export const corridor: Corridor = {
  type: 'EUR::Bank',
  currency: 'EUR',
  kind: 'Bank',
  status: 'active',
  countries: [],
  region: 'SEPA',
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  timing: 'instant: up to 2 hours; SEPA: 1 to 2 business days; Swift: 2 to 5 business days',
  notes: [],
};
