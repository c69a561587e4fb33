import type { Corridor } from '../corridor.ts';
import { firstName, lastName, mobileProvider, olderDetails, phone } from './fields.ts';

export const corridor: Corridor = {
  type: 'GNF::Mobile',
  currency: 'GNF',
  kind: 'Mobile',
  status: 'active',
  countries: ['GN'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [firstName, lastName, mobileProvider({ mtn: 'MTN', orange: 'Orange' }), phone],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [],
};
