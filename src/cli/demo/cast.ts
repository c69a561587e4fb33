/** Who takes part in the demo: a made-up sender, and what is paid to whom. */
import type { TransactionWrite } from '../../contract/resources/transaction.ts';

/** The demo pays from the balance in this currency. */
export const CURRENCY = 'EUR';

export const SENDER = {
  type: 'person' as const,
  first_name: 'Ines',
  last_name: 'Marques',
  country: 'PT',
  city: 'Lisboa',
  street: 'Rua do Ouro 12',
  postal_code: '1100-061',
  phone_country: 'PT',
  phone_number: '912345678',
  email: 'ines@example.com',
  birth_date: '1990-04-12',
  ip: '203.0.113.7',
  documents: [],
  metadata: {},
};

/** An NGN::Bank payout of 25,000 naira; how the account number ends decides what the sandbox's bank does. */
export function paymentTo(
  senderId: string,
  externalId: string,
  account: string,
): TransactionWrite & { external_id: string } {
  return {
    input_currency: CURRENCY,
    external_id: externalId,
    sender: { id: senderId },
    recipients: [
      {
        type: 'person',
        requested_amount: '25000',
        requested_currency: 'NGN',
        payout_method: {
          type: 'NGN::Bank',
          details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: account },
        },
      },
    ],
    metadata: {},
  };
}
