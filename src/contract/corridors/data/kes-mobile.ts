import {
  city,
  corridorOf,
  firstName,
  lastName,
  mobileProvider,
  olderDetails,
  mobileIn,
  street,
  transferReason,
} from './fields.ts';
import { identityDocument, relationship, senderTowardsKenya } from './shared.ts';

export const corridor = corridorOf({
  type: 'KES::Mobile',
  status: 'beta',
  countries: ['KE'],
  recipientKinds: {
    person: [
      firstName,
      lastName,
      street,
      city,
      mobileIn('KE'),
      ...identityDocument,
      transferReason(true),
      mobileProvider({ mpesa: 'M-Pesa' }),
      relationship,
    ],
  },
  senderRequirements: senderTowardsKenya,
  alsoAccepted: [...olderDetails, 'transfer_reason_code'],
  notes: ['The provider may compare the name with the holder of the wallet.'],
});
