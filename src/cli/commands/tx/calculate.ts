import { roundingNotes } from '../../../desk/payments/body.ts';
import { namingSender } from '../../../desk/payments/sender-words.ts';
import { calculateAsking } from '../../ask/calculate.ts';
import { prepare } from '../../ask/payment.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type PaymentFlags, paymentFlags, readPaymentFlags } from '../../flags/payment.ts';
import { calculationView } from '../../views/transaction.ts';

export { calculate as command };

const calculate = command<PaymentFlags>({
  description: 'Asks the service what a transaction would cost and what would arrive. Creates nothing.',
  flags: paymentFlags,
  shows: [calculationView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit tx calculate --input-currency EUR --amount 25000 --type NGN::Bank --sender customer-17 --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit tx calculate --file payment.yaml',
  ],
  read: readPaymentFlags,
  async run(context, flags) {
    const body = await prepare(context, flags);
    const calculated = await namingSender(body, () => calculateAsking(context, body));
    return result(calculationView, calculated, { notes: roundingNotes(body) });
  },
});
