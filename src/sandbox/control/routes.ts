/** The control calls, below `/sandbox` and outside the service's own paths; signed like every other call. */
import { type Answer, badRequest, notFound } from '../handlers/handler.ts';
import { readObject } from '../http/body.ts';
import { Problems } from '../rules/problems.ts';
import type { Service } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Plain } from '../store/records.ts';
import { clockView, controlOf } from './control.ts';

const MAX_ADVANCE_MS = 366 * 86_400_000;
/** Words for the codes that are asked for most. */
const OUTCOMES: Readonly<Record<string, string>> = { paid: '0', pending: '14', error: '3' };

const done = (object: Plain): Answer => ({ status: 200, body: { object } });
const wrong = (field: string, sentence: string): Answer => ({
  status: 422,
  body: { object: { errors: new Problems().add(field, 'invalid').say(sentence).wire } },
});

/** `path` is what follows `/sandbox`. */
export async function controlAnswer(
  service: Service,
  method: string,
  path: string,
  text: string,
): Promise<Answer> {
  const control = controlOf(service);
  const [, room = '', id = '', action = ''] = path.split('/');
  if (method === 'GET' && path === '/state') return done(control.state());
  if (method === 'GET' && path === '/clock') return done(clockView(service.world.clock));
  if (method !== 'POST') return notFound;
  if (room === 'senders' && (action === 'approve' || action === 'reject')) {
    if (!service.world.store.senders.get(id)) return notFound;
    return control.decideSender(id, action)
      ? done({ id })
      : wrong('state', `the sender cannot be ${action}d now`);
  }
  const body = readObject(text);
  if (body === null) return badRequest;
  if (path === '/clock') return advance(service, body);
  if (path === '/settings') return changeSettings(service, body);
  return room === 'payouts' && action === '' ? answerPayout(service, id, body) : notFound;
}

async function advance(service: Service, { advance_ms }: Plain): Promise<Answer> {
  const fine = typeof advance_ms === 'number' && Number.isInteger(advance_ms) && advance_ms >= 0;
  if (!fine || advance_ms > MAX_ADVANCE_MS) {
    return wrong('advance_ms', 'whole milliseconds, from 0 to 366 days: time does not run backwards');
  }
  await service.advance(advance_ms);
  return done(clockView(service.world.clock));
}

function changeSettings(service: Service, change: Plain): Answer {
  const [bad] = controlOf(service).set(change as Partial<Settings>);
  if (bad !== undefined) return wrong(bad, `${bad} is no setting, or cannot have that value`);
  return done({ ...service.world.settings });
}

/** `{code: "416"}`, or `{outcome: "paid" | "pending" | "error"}`. */
function answerPayout(service: Service, id: string, body: Plain): Answer {
  const wanted = String(body.outcome ?? '');
  const code = Object.hasOwn(OUTCOMES, wanted) ? OUTCOMES[wanted] : body.code;
  const recipient = service.world.store.recipients.get(id);
  if (!recipient) return notFound;
  if (typeof code !== 'string' || !controlOf(service).answerPayout(id, code)) {
    return wrong('code', `the payout has ended (${recipient.state}), or the code is unknown`);
  }
  return done({ id, state: recipient.state });
}
