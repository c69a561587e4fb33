import type { CorridorField } from '../corridor.ts';
import {
  bankName,
  bic,
  companyName,
  corridorOf,
  firstName,
  iban,
  lastName,
  middleName,
  narration,
} from './fields.ts';

const account: readonly CorridorField[] = [iban(true), bic, bankName, narration(30)];

export const corridor = corridorOf({
  type: 'EUR::Bank',
  status: 'active',
  countries: [],
  region: 'SEPA',
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  timing: 'instant: up to 2 hours; SEPA: 1 to 2 business days; Swift: 2 to 5 business days',
});
