/** Samples of events: what a sandbox in memory really sends when a made-up payment comes to that. */
import { isoTime } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import { runScenario } from './scenario/run.ts';
import { openTheatre } from './scenario/theatre.ts';

const PERSON = 'number=0123456700 amount=25.50 EUR sender=sample-customer-17';
const COLLECTION =
  'number=ref to=GHS::Balance amount=300 GHS input=GHS payin=GHS::Mobile sender=sample-customer-17';

/** Lives of a payment, and the events that each is the sample of. */
const LIVES: readonly (readonly [events: string, life: string])[] = [
  [
    'sender.created sender.approved sender.disabled transaction.created transaction.approved transaction.paid_out recipient.pending recipient.paid_out',
    `setting kyc=operator
     create sample-17 ${PERSON}
     approve sample-17
     fund sample-17
     expect sample-17 state=paid
     call DELETE /senders/{sample-17.sender}`,
  ],
  ['sender.rejected', `setting kyc=operator\ncreate sample-17 ${PERSON}\nreject sample-17`],
  ['transaction.exception', `setting review=true\npay sample-17 ${PERSON}\nreview sample-17 exception`],
  [
    'recipient.error recipient.refunded transaction.refunded',
    `pay sample-17 ${PERSON.replace('00 ', '19 ')}\ncancel sample-17`,
  ],
  [
    'payin_method.pending payin_method.incomplete payin_method.processing payin_method.paid_in transaction.paid_in',
    `create sample-17 ${COLLECTION} flow=otp_verified_ussd_popup
     drain
     code sample-17 424242
     drain
     payin sample-17 outcome=processing
     payin sample-17`,
  ],
  ['payin_method.error', `create sample-17 ${COLLECTION}\ndrain\npayin sample-17 code=412`],
  [
    'payin_method.exception payin_method.canceled transaction.canceled',
    `create sample-17 ${COLLECTION}\ndrain\npayin sample-17 outcome=exception\ncancel-payin sample-17`,
  ],
  [
    'payin_method.mispaid payin_method.refunded transaction.mispaid',
    `create sample-17 ${COLLECTION.replace('GHS::Balance', 'NGN::Bank').replace('ref', '0123456719')}
     drain
     payin sample-17 amount=60
     cancel-payin sample-17
     refund sample-17`,
  ],
  [
    'document.created document.disabled',
    `create sample-17 ${PERSON} file=passport.png\ncall DELETE /senders/{sample-17.sender}`,
  ],
  [
    'payout_method.created payout_method.disabled',
    `call POST /payout_methods payout_method.type=NGN::Bank payout_method.details.first_name=Ada payout_method.details.last_name=Okafor payout_method.details.bank_code=044 payout_method.details.bank_account=0123456700
     call DELETE /payout_methods/{last}`,
  ],
];

const TIME = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g;

/** JSON of the object, as if it was sent now; undefined for an event that the sandbox never sends. */
export async function sampleJson(event: string, now: number): Promise<string | undefined> {
  const life = LIVES.find(([events]) => events.split(' ').includes(event))?.[1];
  if (life === undefined) return undefined;
  let sent: { body: string; at: number } | undefined;
  const { stage, sandbox, close } = await openTheatre({
    async transport({ body = '' }) {
      if (body?.includes(`"event":"${event}"`)) sent ??= { body, at: sandbox.clock.now() };
      return { status: 200, headers: {}, body: '' };
    },
  });
  const { failed } = await runScenario(stage, life);
  await sandbox.drain();
  await close();
  invariant(failed === null && sent !== undefined, `${event} is sent in its life: ${failed?.step}`);
  const { body, at } = sent;
  const object = body.slice(body.indexOf('"object":') + '"object":'.length, -1);
  return object.replace(TIME, (time) => `"${isoTime(Date.parse(time.slice(1, -1)) - at + now)}"`);
}
