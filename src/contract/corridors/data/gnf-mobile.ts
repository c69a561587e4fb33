import { corridorOf, firstName, lastName, mobileProvider, phone } from './fields.ts';

export const corridor = corridorOf({
  type: 'GNF::Mobile',
  status: 'active',
  countries: ['GN'],
  recipientKinds: {
    person: [firstName, lastName, mobileProvider({ mtn: 'MTN', orange: 'Orange' }), phone],
  },
});
