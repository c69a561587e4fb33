import { corridorOf, firstName, lastName, mobileIn, mobileProvider } from './fields.ts';

export const corridor = corridorOf({
  type: 'GNF::Mobile',
  status: 'active',
  countries: ['GN'],
  recipientKinds: {
    person: [firstName, lastName, mobileProvider({ mtn: 'MTN', orange: 'Orange' }), mobileIn('GN')],
  },
});
