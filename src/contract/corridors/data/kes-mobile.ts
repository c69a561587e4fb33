import type { Corridor } from '../corridor.ts';
import {
  city,
  firstName,
  lastName,
  mobileProvider,
  olderDetails,
  phone,
  street,
  transferReason,
} from './fields.ts';
import { identityDocument, relationship, senderTowardsKenya } from './kenya.ts';

export const corridor: Corridor = {
  type: 'KES::Mobile',
  currency: 'KES',
  kind: 'Mobile',
  status: 'beta',
  countries: ['KE'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      street,
      city,
      phone,
      ...identityDocument,
      transferReason(true),
      mobileProvider({ mpesa: 'M-Pesa' }),
      relationship,
    ],
  },
  senderRequirements: senderTowardsKenya,
  simplifiedSenders: true,
  alsoAccepted: [...olderDetails, 'transfer_reason_code'],
  notes: ['The provider may compare the name with the holder of the wallet.'],
};
